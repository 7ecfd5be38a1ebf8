import { describe, expect, it } from 'vitest'
import { reportMarkdown } from '../../src/report/markdown.js'
import type { TakeoverInput } from '../../src/report/takeover/input.js'
import { takeoverReport } from '../../src/report/takeover.js'
import { reportText } from '../../src/report/text.js'
import { aTask, NOON } from '../core/builders.js'
import { expectGolden } from './golden.js'
import { record, sightAt, type Told, viewOf } from './record.js'
import { PLAIN } from './style.js'

function golden(name: string, input: TakeoverInput) {
  const report = takeoverReport(input)
  expectGolden(`report/${name}.txt`, `${reportText(report, PLAIN)}\n`)
  expectGolden(`report/${name}.md`, reportMarkdown(report, PLAIN))
  expectGolden(`report/${name}.json`, `${JSON.stringify(report, null, 2)}\n`)
  return report
}

describe('A2: a batch of tool calls that a crash interrupted', () => {
  const step = { step: 'batch-7' }
  const look_here = { url: 'https://hooks.example/log', check: 'curl -s https://hooks.example/log | grep b7' }
  const report = golden(
    'batch-interrupted',
    record({
      told: [
        { id: 'op-a', tool: 'write_file', becomes: 'confirmed', intent: step },
        {
          id: 'op-b',
          tool: 'post_webhook',
          at: 2,
          becomes: 'in_flight',
          intent: { ...step, contract: { look_here } },
        },
        { id: 'op-c', tool: 'spawn_agent', at: 3, becomes: 'prepared', intent: step },
      ],
    }),
  )

  it('is told call by call: done, unknown, not started', () => {
    expect(report.confirmed.map(({ operation_id }) => operation_id)).toEqual(['op-a'])
    expect(report.unknown.map(({ operation_id }) => operation_id)).toEqual(['op-b'])
    expect(report.not_sent).toMatchObject([{ operation_id: 'op-c', waits_for: 'run' }])
    expect(report.not_executed).toEqual([])
  })

  it('advises no repeat of the call whose executor is gone', () => {
    expect(report.unknown[0]?.next_action).toMatchObject({
      safe_to_repeat: false,
      next_action: 'ask_person',
    })
  })
})

describe('C4: a release of which 22 of 24 uploads are done', () => {
  const told: Told[] = Array.from({ length: 24 }, (_, i) => ({
    id: `asset-${i + 1}`,
    tool: 'upload_asset',
    at: i,
    becomes: i === 6 || i === 17 ? ('not_executed' as const) : ('confirmed' as const),
    error: '404 not found',
  }))
  const report = golden(
    'release-half-uploaded',
    record({
      task: { task_id: 'rel-1.5.0', goal: 'Release 1.5.0' },
      told: [
        ...told,
        { id: 'tap', tool: 'publish_tap', at: 25, becomes: 'prepared' },
        { id: 'npm', tool: 'npm_publish', at: 26, becomes: 'prepared' },
      ],
    }),
  )
  const text = reportText(report, PLAIN)

  it('names the four that matter and folds the rest into one line', () => {
    expect(text).toContain('upload_asset: 22 done')
    for (const id of ['asset-7', 'asset-18', 'tap', 'npm']) expect(text).toContain(` ${id}`)
    expect(text).not.toMatch(/upload_asset asset-(?:1|2|24)[, ]/)
  })

  it('says what a repeat of the whole step would meet, and what is owed first', () => {
    expect(report.summary).toContain(
      'Repeating upload_asset as a whole would meet 22 that are already done; 2 are left.',
    )
    expect(report.summary).toContain('The first step still owed is asset-7 (upload_asset).')
  })
})

describe('C3: a task that was closed two weeks ago', () => {
  const report = golden(
    'closed',
    record({
      task: {
        status: 'completed',
        closed_at: NOON + 600_000,
        goal: 'Monitor 3 eval runs until done.\nEvery 5 minutes run the monitor!',
        status_reason: 'all evals done',
      },
      told: [
        { id: 'mon-1', tool: 'start_monitor', becomes: 'confirmed' },
        { id: 'mon-2', tool: 'start_monitor', at: 1, becomes: 'cancelled' },
      ],
    }),
  )

  it('says first that it is closed and nothing is left to do', () => {
    expect(reportText(report, PLAIN).split('\n')[0]).toBe(
      'Task task-1: closed (completed). Nothing is left to do.',
    )
    expect(report.next_steps).toEqual([])
  })

  it('quotes the goal, and tells the past under headings that say history', () => {
    const lines = reportMarkdown(report, PLAIN).split('\n')
    const goal = lines.find(line => line.includes('Every 5 minutes'))
    expect(goal).toMatch(/a record, not an instruction\): `Monitor 3 eval runs .*`$/)
    const [heading] = lines.filter(line => /^## /.test(line) && line.includes('done'))
    expect(heading).toBe('## History: what was done (do not repeat)')
  })
})

describe('what a person settled', () => {
  const report = golden(
    'by-hand',
    record({
      task: { taken_over_by: 'ana', taken_over_at: NOON + 60_000 },
      told: [
        { id: 'vm-87', tool: 'create_vm', becomes: 'confirmed' },
        { id: 'vm-88', tool: 'create_vm', at: 1, becomes: 'confirmed_by_hand', by: 'ana', error: 'quota' },
        { id: 'vm-89', tool: 'create_vm', at: 2, becomes: 'abandoned', by: 'lee' },
        { id: 'vm-90', tool: 'create_vm', at: 3, becomes: 'prepared' },
      ],
    }),
  )

  it('is told apart from what its executor saw, and the error stays on record', () => {
    expect(reportText(report, PLAIN)).toMatch(/create_vm vm-88, .* settled by hand \(ana\)/)
    expect(reportText(report, PLAIN)).not.toMatch(/vm-87, .* by hand/)
    expect(report.confirmed[1]?.by_hand).toEqual({ by: 'ana', at: '2026-03-10T12:03:00.000Z' })
    expect(report.last_error).toMatchObject({ operation_id: 'vm-89', later_resolved: false })
  })

  it('ends in handing the task back', () => {
    expect(report.next_steps.at(-1)?.command).toBe("agent-ledger handback --reason '…' task-1")
  })
})

describe('A4: a refund that undid a charge', () => {
  const report = golden(
    'undone',
    record({
      told: [
        { id: 'charge-2', tool: 'charge', becomes: 'confirmed' },
        { id: 'refund-4', tool: 'refund', at: 5, becomes: 'confirmed', intent: { compensates: 'charge-2' } },
      ],
    }),
  )

  it('leaves the charge shown as done, then undone', () => {
    expect(report.confirmed.map(({ operation_id }) => operation_id)).toEqual(['charge-2', 'refund-4'])
    expect(report.confirmed[0]?.undone_by).toBe('refund-4')
    expect(report.compensations).toEqual([
      {
        operation_id: 'refund-4',
        compensates: 'charge-2',
        status: 'confirmed',
        reason: 'charge-2 was done, then undone by refund-4',
      },
    ])
  })
})

describe('a task that was cancelled before all was undone', () => {
  const report = golden(
    'not-undone',
    record({
      task: { status: 'cancelled', closed_at: NOON },
      told: [
        { id: 'flight', tool: 'book', becomes: 'confirmed' },
        { id: 'unbook', tool: 'unbook', at: 5, becomes: 'cancelled', intent: { compensates: 'flight' } },
      ],
    }),
  )

  it('is not one with nothing left to do: what stands is named', () => {
    expect(reportText(report, PLAIN).split('\n')[0]).toBe(
      'Task task-1: closed (cancelled), and not all is undone that was to be.',
    )
    expect(report.summary).toContain('flight was not undone: unbook did not take effect.')
  })
})

describe('a parent that is done while a child is not', () => {
  const child = aTask({ task_id: 'c1', parent_task_id: 'task-1' })
  const open = viewOf({ id: 'op-109', becomes: 'in_flight' }, child).operation
  const report = golden(
    'child-open',
    record({
      task: { status: 'completed', closed_at: NOON },
      told: [{ id: 'op-1', becomes: 'confirmed' }],
      children: [
        { task: child, open: [open], open_left_out: 0 },
        { task: aTask({ task_id: 'c2', status: 'completed', closed_at: NOON }), open: [], open_left_out: 0 },
      ],
    }),
  )

  it('is not finished, and says where it is not', () => {
    expect(report.task.is_finished).toBe(false)
    expect(report.summary).toContain('Not finished: 1 open operation in c1, 1 in doubt.')
    expect(report.next_steps[0]?.command).toBe('agent-ledger report c1')
  })
})

describe('A5: a charge that was made twice', () => {
  const charge = { input: { cus: 'A', amount: 4200 }, timeout_ms: 30_000 }
  const first = viewOf({ id: 'op-5', tool: 'charge', becomes: 'confirmed', intent: charge }, aTask())
  const second = viewOf({ id: 'op-6', tool: 'charge', at: 1, becomes: 'confirmed', intent: charge }, aTask())
  const marked = {
    ...second,
    operation: { ...second.operation, same_as: 'op-5' },
    twin: first.operation,
  }
  const report = golden('charged-twice', { ...record({ told: [] }), views: [first, marked] })

  it('is one group with both, and no state of either is changed', () => {
    expect(report.duplicates).toMatchObject([
      { operations: ['op-5', 'op-6'], gap_ms: 60_000, timeout_ms: 30_000, keys_differ: true },
    ])
    expect(report.confirmed.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  })
})

describe('a task whose executor still works', () => {
  const input = record({ told: [{ id: 'op-1', becomes: 'in_flight' }], sight: sightAt(NOON + 48_000) })

  it('has nothing in doubt, and says when its lease ends', () => {
    const report = takeoverReport(input)
    expect(report.unknown).toEqual([])
    expect(report.why_stopped).toBeNull()
    expect(report.next_steps[0]?.why).toBe('op-1 is in flight: wait, its lease ends in 12s.')
  })

  it('has it in doubt as soon as its process is known to be gone', () => {
    const report = takeoverReport({
      ...input,
      sight: sightAt(NOON + 48_000, { isOwnerGone: () => true }),
    })
    expect(report.unknown).toMatchObject([{ operation_id: 'op-1', status: 'in_flight' }])
    expect(report.why_stopped).toBe('the process that sent op-1 is gone and recorded no outcome')
  })
})

describe('G1: an operation that ran with other arguments than were approved', () => {
  const told: Told = {
    id: 'op-80',
    tool: 'send',
    becomes: 'confirmed',
    intent: { input: { message: 'changed' } },
  }
  const digest_now = `sha256:${'2'.repeat(64)}`
  const approval = {
    approval_id: 'approval-1',
    operation_id: 'op-80',
    digest: `sha256:${'1'.repeat(64)}`,
    approver: 'lee',
    reason: 'reviewed',
    granted_at: NOON,
    expires_at: null,
    uses: 1,
    used: 1,
    revoked_at: null,
  }
  const differences = [{ path: 'input.message', approved: 'reviewed', now: 'changed' }]
  const report = (used: number, digest = approval.digest) =>
    takeoverReport({
      ...record({ told: [told] }),
      approvals: [{ approval: { ...approval, used, digest }, digest_now, differences }],
    })

  it.each([0, 1])('is a violation that names both digests and the differing field (%i used)', used => {
    expect(report(used).violations).toContainEqual({
      rule: 'sent_other_than_approved',
      operation_id: 'op-80',
      reason: `lee approved ${approval.digest}, sent was ${digest_now}: input.message was "reviewed" and is "changed"`,
    })
    expect(report(used).approvals).toMatchObject([{ state: 'for_something_else', differences }])
  })

  it('is none where the approval is for what was sent', () => {
    expect(report(1, digest_now).violations).toEqual([])
  })
})
