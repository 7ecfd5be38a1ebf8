import { describe, expect, it } from 'vitest'
import { contractDigest, deriveIdempotencyKey, digestOf, inputDigest } from '../../../src/core/digest.js'
import type { ImportedOperation } from '../../../src/core/imported.js'
import { type Declared, takenIn } from '../../../src/core/importing/their-record.js'
import { NOON } from '../builders.js'
import { anAttempt, anOwnRecord, aRecord, TAKING } from './record.js'

describe('the intent of another system', () => {
  it('is what its record says, and nothing that it does not', () => {
    expect(intentOf({ phase: 'p\u0000', step: '3', target: 'queue', effect: 'reversible' })).toEqual({
      operation_id: 'other:t-1',
      task_id: 'other:run-1',
      phase: 'p\ufffd',
      step: '3',
      tool: 'tickets.create',
      effect: 'reversible',
      target: 'queue',
      input: { title: 'Disk full' },
      input_digest: inputDigest({ title: 'Disk full' }),
      idempotency_key: deriveIdempotencyKey('other:t-1'),
      key_scope: 'imported/other',
      repeat: null,
      contract: {},
      contract_digest: contractDigest('reversible', null, {}),
      amount: null,
      max_attempts: 1,
      deadline_at: null,
      timeout_ms: null,
      compensates: null,
      supersedes: null,
      checkpoint: null,
      provenance: 'imported',
      links: [],
    })
  })

  it('has ids and names that the ledger can hold', () => {
    const odd = {
      operation_id: 'a\n',
      task_id: 'b\u0007',
      tool: '',
      compensates: 'c\n',
      idempotency_key: 'k\u0000',
    }
    expect(intentOf(odd)).toMatchObject({
      operation_id: 'a%0a',
      task_id: 'b%07',
      tool: 'unnamed',
      compensates: 'c%0a',
      idempotency_key: 'k\ufffd',
    })
    expect(intentOf({ idempotency_key: '' }).idempotency_key).toBe(deriveIdempotencyKey('other:t-1'))
    expect(intentOf({ attempts: [anAttempt(1, 'ambiguous'), anAttempt(2, 'applied')] }).max_attempts).toBe(2)
    expect(intentOf({ attempts: [] }).max_attempts).toBe(1)
  })

  it('without an input is told by their own digest of it, else like no other', () => {
    expect(intentOf({ input: null, foreign_digest: 'md5:1\u0000' }).input_digest).toBe(
      digestOf({ digest: 'md5:1\ufffd' }),
    )
    expect(intentOf({ input: null }).input_digest).toBe(digestOf({ input_of: 'other:t-1' }))
  })

  it('takes what is declared here of its tool, but for a key that they did not send', () => {
    const here: Declared = { effect: 'mitigable', repeat: { kind: 'idempotent' }, contract: { settle_ms: 3 } }
    const declared = (over: Partial<Declared>, record: Partial<ImportedOperation> = {}) =>
      takenIn(aRecord(record), {
        ...TAKING,
        declared: tool => (tool === 'tickets.create' ? { ...here, ...over } : null),
      }).theirs.intent
    expect(declared({})).toMatchObject(here)
    expect(declared({}, { effect: 'read' }).effect).toBe('read')
    expect(declared({ repeat: { kind: 'idempotency_key', retention_ms: 5 } }).repeat).toBeNull()
    expect(declared({}, { tool: 'other' })).toMatchObject({ effect: null, repeat: null, contract: {} })
    expect(declared({}, { own: anOwnRecord() })).toMatchObject({ effect: null, contract: { settle_ms: 4 } })
  })

  it('of an export of this program is as it was there', () => {
    const own = anOwnRecord()
    expect(intentOf({ own })).toMatchObject({
      input_digest: 'sha256:in',
      key_scope: 'tickets',
      repeat: { kind: 'idempotent' },
      contract: { settle_ms: 4 },
      amount: 7,
      max_attempts: 9,
      deadline_at: NOON + 1,
      timeout_ms: 5,
      compensates: 'other:t-0',
      supersedes: 'other:t-00',
      links: ['https://run/1'],
      provenance: 'imported',
    })
  })
})

describe('the outcome of another system', () => {
  it('is what its record says, with its result and who settled it', () => {
    const { theirs, as_of, corrected } = takenIn(aRecord({ result: { id: 'T-1' } }), TAKING)
    expect(theirs).toMatchObject({
      status: 'confirmed',
      result: { id: 'T-1' },
      result_digest: digestOf({ id: 'T-1' }),
      settled_by: 'imported',
      settled_at: NOON - 2,
      last_error: null,
      lease_expires_at: null,
      kept: {},
      heartbeat_at: null,
      progress: null,
      created_at: NOON - 10,
    })
    expect([as_of, corrected]).toEqual([NOON - 1, null])
    expect(takenIn(aRecord(), TAKING).theirs).toMatchObject({ result: null, result_digest: null })
  })

  it('is settled when its last attempt ended, else when the record was last changed', () => {
    const settledAt = (over: Partial<ImportedOperation>) => takenIn(aRecord(over), TAKING).theirs.settled_at
    expect(settledAt({ attempts: [] })).toBe(NOON - 1)
    expect(settledAt({ status: 'unknown' })).toBeNull()
    expect(settledAt({ own: anOwnRecord({ settled_at: NOON - 7 }) })).toBe(NOON - 7)
    const settledBy = (over: Partial<ImportedOperation>) => takenIn(aRecord(over), TAKING).theirs.settled_by
    expect(settledBy({ status: 'not_executed', attempts: [] })).toBe('imported')
    expect(settledBy({ status: 'cancelled', attempts: [] })).toBeNull()
    expect(settledBy({ own: anOwnRecord() })).toBe('receipt')
  })

  it('began when its record says, else with its last attempt, and never later than now', () => {
    const createdAt = (over: Partial<ImportedOperation>) => takenIn(aRecord(over), TAKING).theirs.created_at
    expect(createdAt({ created_at: null })).toBe(NOON - 5)
    expect(createdAt({ created_at: null, attempts: [] })).toBe(NOON)
    expect(createdAt({ created_at: NOON + 99 })).toBe(NOON)
  })

  it('carries the newest error, masked, and what else it knows of the sending', () => {
    const attempts = [
      anAttempt(1, 'not_applied', { error: { message: 'a secret' } }),
      anAttempt(2, 'not_applied', { error: { message: 'the secret' } }),
      anAttempt(3, 'ambiguous'),
    ]
    const over = {
      status: 'unknown',
      attempts,
      lease_expires_at: NOON + 5,
      heartbeat_at: NOON - 3,
      progress: { a: 1 },
    } as const
    const { theirs, evidence } = takenIn(aRecord(over), TAKING)
    expect(theirs).toMatchObject({
      last_error: { message: 'the ***', attempt: 2 },
      lease_expires_at: NOON + 5,
      heartbeat_at: NOON - 3,
      progress: { a: 1 },
    })
    expect(theirs.attempts.map(({ error }) => error?.message)).toEqual(['a ***', 'the ***', undefined])
    expect(evidence[0].attempt).toBe(3)
  })

  it('keeps external ids that can be some', () => {
    const external_ids = [
      { kind: 'ticket', value: 'T-1', url: 'https://x/1', scope: 'queue' },
      { kind: '', value: 'x' },
      { kind: 'job', value: 'J-1' },
    ]
    expect(takenIn(aRecord({ external_ids }), TAKING).theirs.external_ids).toEqual([
      external_ids[0],
      external_ids[2],
    ])
  })

  it('of an export of this program comes with what only a ledger keeps', () => {
    const { theirs } = takenIn(aRecord({ own: anOwnRecord() }), TAKING)
    const { flags, by_hand, cancel_requested_at, next_attempt_at, retry_reason, defer_until, next_look_at } =
      anOwnRecord()
    expect(theirs.kept).toEqual({
      ...{ flags, by_hand, cancel_requested_at, next_attempt_at, retry_reason, defer_until, next_look_at },
      activity_at: NOON - 3,
      progress_at: null,
    })
    expect(theirs).toMatchObject({ result_digest: 'sha256:out', last_error: { message: '***' } })
  })
})

describe('their record as evidence', () => {
  it('says in their words what was read, masked', () => {
    const record = aRecord({ why: 'a secret', foreign_status: 'secret', foreign_digest: 'md5:1' })
    const { evidence, digest, theirs } = takenIn(record, TAKING)
    const said = {
      source: 'other',
      foreign_status: '***',
      rule: 'other.done',
      why: 'a ***',
      record: digest,
      as_of: NOON - 1,
      foreign_digest: 'md5:1',
    }
    expect(evidence).toEqual([{ kind: 'record', origin: 'imported', attempt: 1, body: said }])
    expect(theirs.said).toEqual(said)
    const bare = takenIn(aRecord({ updated_at: null, attempts: [] }), TAKING)
    expect(Object.keys(bare.theirs.said)).toEqual(['source', 'foreign_status', 'rule', 'why', 'record'])
    expect(bare.evidence[0].attempt).toBeNull()
  })

  it('says where it was taken otherwise, and what of it was not kept', () => {
    const doubted = takenIn(aRecord({ status: 'not_executed' }), TAKING)
    expect(doubted.corrected).toBe('it says not_executed, yet an attempt of it may have taken effect')
    expect(doubted.theirs.said.corrected).toBe(doubted.corrected)
    const large = takenIn(aRecord({ result: 'x'.repeat(300_000) }), TAKING)
    expect(large.theirs.said.result_left_out).toMatch(/^it has 300002 bytes/)
  })

  it('of an export of this program brings its evidence along, with where it was first', () => {
    const body = { seen: 'secret' }
    const first = { n: 1, at: NOON - 4, actor: 'ana', hash: 'h' }
    const own = anOwnRecord({
      evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body, ...first }] as never,
    })
    const { evidence, theirs } = takenIn(aRecord({ own }), TAKING)
    expect(evidence[1]).toEqual({
      kind: 'receipt',
      origin: 'imported',
      attempt: 1,
      body: { body: { seen: '***' }, first: { ledger_id: 'ledger-1', origin: 'observed', ...first } },
    })
    expect(theirs.said).toMatchObject({ ledger_id: 'ledger-1', version: 4 })
  })
})

describe('the state of their record', () => {
  const stateOf = (over: Partial<ImportedOperation> = {}) => takenIn(aRecord(over), TAKING).digest

  it('is the same whatever signs of life it has', () => {
    expect(stateOf({ heartbeat_at: NOON, updated_at: NOON, why: 'because' })).toBe(stateOf())
  })

  it.each<[string, Partial<ImportedOperation>]>([
    ['status', { status: 'unknown' }],
    ['word for it', { foreign_status: 'ended' }],
    ['rule', { rule: 'other.ended' }],
    ['attempts', { attempts: [anAttempt(1, 'ambiguous')] }],
    ['external ids', { external_ids: [{ kind: 'a', value: 'b' }] }],
    ['result', { result: 1 }],
    ['tool', { tool: 'other' }],
    ['input', { input: 1 }],
    ['target', { target: 'queue' }],
    ['own version', { own: anOwnRecord() }],
  ])('is another by its %s', (_, over) => {
    expect(stateOf(over)).not.toBe(stateOf())
  })

  it('of an export is another by version, ledger, evidence and digest of the input', () => {
    const own = stateOf({ own: anOwnRecord() })
    for (const over of [
      { version: 5 },
      { ledger_id: 'l' },
      { input_digest: 'x' },
      { evidence: [{}] as never },
    ])
      expect(stateOf({ own: anOwnRecord(over) })).not.toBe(own)
    expect(stateOf({ own: anOwnRecord(), input: 'masked' })).toBe(own)
  })
})

function intentOf(over: Partial<ImportedOperation>) {
  return takenIn(aRecord(over), TAKING).theirs.intent
}
