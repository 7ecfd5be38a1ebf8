import { describe, expect, it } from 'vitest'
import {
  EXPORT_SCHEMA,
  noteLine,
  operationLine,
  phaseLine,
  taskLine,
} from '../../../src/core/exporting/lines.js'
import { asked, aTask, following, NOON, RECEIPT } from '../builders.js'

/** What means nothing outside the ledger that wrote it (its fences, boots and clocks), or is counted anew. */
const LEFT_BEHIND = [
  'approval_id',
  'attempt',
  'contract_digest',
  'evidence_count',
  'extra_attempts',
  'key_first_used_at',
  'key_retention_ms',
  'lease_boot_id',
  'lease_boot_ms',
  'lease_fence',
  'lease_owner',
  'may_have_applied',
  'same_as',
]

const parts = () => {
  const { operation, attempts } = following([
    asked.prepare({ timeout_ms: 30_000 }),
    asked.send(),
    asked.reject(),
  ])
  const evidence = [
    { ...RECEIPT, operation_id: operation.operation_id, n: 1, at: NOON, actor: 'ana', hash: 'h' },
  ]
  return { operation, attempts, evidence, external_ids: [{ kind: 'ticket', value: 'T-1' }] }
}

describe('a line of an export', () => {
  it('of an operation carries each of its columns, but what only its own ledger can use', () => {
    const given = parts()
    const { own, ...line } = operationLine('l-1', given)
    const told: Record<string, unknown> = { ...own, ...line }
    const missing = Object.keys(given.operation).filter(column => !(column in told))
    expect(missing.sort()).toEqual(LEFT_BEHIND)
    for (const [column, value] of Object.entries(given.operation))
      if (column in told) expect([column, told[column]]).toEqual([column, value])
  })

  it('of an operation says what it is and how it stood, with what is on file about it', () => {
    const { operation, attempts, evidence, external_ids } = parts()
    const line = operationLine('l-1', { operation, attempts, evidence, external_ids })
    expect(line).toMatchObject({
      record: 'operation',
      foreign_digest: null,
      foreign_status: 'not_executed',
      rule: 'agent_ledger.export',
      why: `It was not_executed in the ledger l-1 at version ${operation.version}.`,
      external_ids,
      own: { ledger_id: 'l-1' },
    })
    const [attempt] = attempts
    const [piece] = evidence
    if (attempt === undefined || piece === undefined) throw new Error('it was sent')
    const { operation_id: _, ...sending } = attempt
    const { operation_id: __, ...receipt } = piece
    expect(line.own).toMatchObject({ attempts: [sending], evidence: [receipt] })
    expect(line.own?.attempts?.[0]).not.toHaveProperty('operation_id')
    expect(line.own?.evidence?.[0]).not.toHaveProperty('operation_id')
  })

  it.each([
    [null, null],
    [{ message: 'no' }, { message: 'no' }],
    [
      { message: 'no', code: 'EPIPE' },
      { message: 'no', code: 'EPIPE' },
    ],
  ])('of an attempt tells its error by its message and its code: %j', (given, told) => {
    const { attempts, ...rest } = parts()
    const error = given === null ? null : { rule: 'x', at: NOON, attempt: 1, ...given }
    const line = operationLine('l-1', { ...rest, attempts: attempts.map(one => ({ ...one, error })) })
    expect(line.attempts).toEqual([
      {
        n: 1,
        owner: attempts[0]?.owner,
        sent_at: NOON,
        ended_at: attempts[0]?.ended_at,
        end: 'not_applied',
        error: told,
      },
    ])
  })

  it('says whether its writer took leases', () => {
    const { operation, ...rest } = parts()
    const lineOf = (lease_expires_at: number | null) =>
      operationLine('l-1', { ...rest, operation: { ...operation, lease_expires_at } }).without_leases
    expect([lineOf(null), lineOf(NOON)]).toEqual([true, false])
  })

  it('of a task carries what it is, its links and its budget', () => {
    const task = aTask({ links: ['https://t.example/1'], budget: { steps: 4 } })
    const { own, record, ...line } = taskLine(task)
    expect(record).toBe('task')
    expect(own).toEqual({ links: ['https://t.example/1'], budget: { steps: 4 } })
    expect(task).toMatchObject(line)
    expect(line).toHaveProperty('goal', 'Keep the disks free')
  })

  it('of a note and of a phase carries all of it, and the time it was written', () => {
    const note = { task_id: 'task-1', operation_id: null, kind: 'finding', body: 'x', at: NOON } as const
    expect(noteLine(note)).toEqual({ record: 'note', ...note })
    const phase = {
      task_id: 'task-1',
      name: 'build',
      input_revision: 'a1',
      status: 'done',
      artifact: 'dist',
      artifact_digest: 'sha256:1',
      own: { input: null, based_on: [], result: null, evidence: [] },
    }
    expect(phaseLine({ ...phase, updated_at: NOON })).toEqual({ record: 'phase', ...phase, at: NOON })
    expect(EXPORT_SCHEMA).toBe('agent-ledger/export@1')
  })
})
