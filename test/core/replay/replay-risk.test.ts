import { describe, expect, it } from 'vitest'
import { ADVICE_RULES, adviseOn } from '../../../src/core/advice.js'
import type { CheckpointThread, WillRun } from '../../../src/core/checkpoint.js'
import { REPLAY_RISK_RULES, type RecordedOperation, withReplayRisk } from '../../../src/core/replay-risk.js'

const pay: WillRun = { node: 'pay', task_id: 'task-pay', namespace: 'pay:task-pay', reason: 'not_finished' }
const facts = {
  thread_id: 't1',
  checkpoint_id: 'c2',
  step: 1,
  ts: null,
  get_state_next: ['pay'],
  will_run: [pay],
  enclosing: [],
  saved: [],
  interrupts: [],
  errors: [],
  warnings: [],
  replay_risk: [],
}
const thread = (given: Partial<CheckpointThread> = {}): CheckpointThread => ({
  ...facts,
  advice: adviseOn(facts),
  ...given,
})

const operation = (given: Partial<RecordedOperation> = {}): RecordedOperation => ({
  operation_id: 'op-1',
  status: 'unknown',
  may_have_applied: true,
  in_doubt: true,
  provenance: 'library',
  checkpoint: { source: 'langgraph', thread_id: 't1', namespace: 'pay:task-pay', node: 'pay', step: 2 },
  ...given,
})
const made = (checkpoint: Partial<NonNullable<RecordedOperation['checkpoint']>>) => ({
  source: 'langgraph',
  thread_id: 't1',
  ...checkpoint,
})
const confirmed = { status: 'confirmed', in_doubt: false } as const

const risk = (
  operations: readonly RecordedOperation[],
  given: Partial<CheckpointThread> = {},
  taskIds: readonly string[] = ['task-pay'],
) => withReplayRisk(thread(given), { operations, taskIds: new Set(taskIds) })

describe('an operation of a node that runs again', () => {
  it('in doubt is a risk, and is to be reconciled first', () => {
    const { replay_risk, advice } = risk([operation()])
    expect(replay_risk).toEqual([
      {
        operation_id: 'op-1',
        node: 'pay',
        status: 'unknown',
        why: expect.stringContaining('may have taken effect'),
      },
    ])
    expect(advice.action).toBe('reconcile_first')
    expect(advice.reasons[0]).toContain('op-1')
  })

  it('confirmed under a guard replays its record and is no risk', () => {
    for (const provenance of ['library', 'exec'] as const) {
      const { replay_risk, advice } = risk([operation({ ...confirmed, provenance })])
      expect(replay_risk).toEqual([])
      expect(advice.action).toBe('resume')
    }
  })

  it('confirmed without a guard would be sent twice', () => {
    for (const provenance of ['record', 'imported'] as const) {
      const { replay_risk, advice } = risk([operation({ ...confirmed, provenance })])
      expect(replay_risk[0]?.why).toContain('sent twice')
      expect(advice.action).toBe('change_first')
    }
  })

  it.each([
    ['prepared', false, 0],
    ['not_executed', false, 0],
    ['cancelled', false, 0],
    ['abandoned', true, 1],
    ['abandoned', false, 0],
    ['in_flight', true, 1],
  ] as const)('%s (may have applied: %s) gives %i risks', (status, may_have_applied, risks) => {
    const given = operation({ status, may_have_applied, in_doubt: false })
    expect(risk([given]).replay_risk).toHaveLength(risks)
  })

  it('is found in a sub-task that has no stored result, and not in one that has', () => {
    const inside = operation({
      ...confirmed,
      provenance: 'record',
      checkpoint: made({ namespace: 'pay:task-pay|t2:task-2' }),
    })
    expect(risk([inside]).replay_risk).toHaveLength(1)
    expect(risk([inside], {}, ['task-pay', 'task-2']).replay_risk).toHaveLength(0)
  })

  it('is found in the lines of a node around a subgraph', () => {
    const enclosing = [{ node: 'outer', namespace: 'outer:task-o' }]
    const around = operation({
      ...confirmed,
      provenance: 'record',
      checkpoint: made({ namespace: 'outer:task-o' }),
    })
    const { replay_risk } = risk([around], { enclosing })
    expect(replay_risk[0]).toMatchObject({
      node: 'outer',
      why: expect.stringContaining('around the subgraph'),
    })
  })

  it('is found by node and step after a fork has changed the namespace, and not in another step', () => {
    const elsewhere = (step: number) =>
      operation({ checkpoint: made({ namespace: 'pay:task-of-branch', node: 'pay', step }) })
    expect(risk([elsewhere(2)], {}, ['task-of-branch']).replay_risk).toHaveLength(1)
    for (const other of [1, 3])
      expect(risk([elsewhere(other)], {}, ['task-of-branch']).replay_risk).toHaveLength(0)
  })

  it('is found one step later where the commit before it was lost', () => {
    const following: WillRun = { node: 'n2', task_id: null, namespace: null, reason: 'following' }
    const lost = operation({ checkpoint: made({ namespace: 'n2:lost', node: 'n2', step: 3 }) })
    expect(risk([lost], { will_run: [following] }).replay_risk).toMatchObject([{ node: 'n2' }])
  })

  it('is found by its node alone where nothing else was recorded', () => {
    expect(risk([operation({ checkpoint: made({ node: 'pay' }) })]).replay_risk).toHaveLength(1)
    expect(risk([operation({ checkpoint: made({ node: 'other' }) })]).replay_risk).toHaveLength(0)
  })
})

describe('an operation elsewhere', () => {
  it('of a task the store does not know is invisible to a resume, even when guarded', () => {
    const lost = operation({
      ...confirmed,
      checkpoint: made({ namespace: 'n9:never-stored', node: 'n9', step: 9 }),
    })
    const { replay_risk, advice } = risk([lost])
    expect(replay_risk).toEqual([
      {
        operation_id: 'op-1',
        node: 'n9',
        status: 'confirmed',
        why: 'it was made by a task of n9 that has left nothing in the store: a resume does not know that it happened',
      },
    ])
    expect(advice.action).toBe('change_first')
  })

  it('of a finished task is no risk', () => {
    const done = operation({
      ...confirmed,
      provenance: 'record',
      checkpoint: made({ namespace: 'n1:task-1' }),
    })
    expect(risk([done], {}, ['task-1']).replay_risk).toEqual([])
  })

  it('of another thread is none of this one', () => {
    expect(
      risk([operation({ checkpoint: made({ thread_id: 't2', namespace: 'pay:task-pay' }) })]).replay_risk,
    ).toEqual([])
  })

  it('that names no node and is in doubt may belong to anything that runs again', () => {
    expect(risk([operation({ checkpoint: null })]).replay_risk).toMatchObject([{ node: null }])
    expect(risk([operation({ ...confirmed, checkpoint: null })]).replay_risk).toEqual([])
  })
})

describe('the advice', () => {
  const question = { id: 'i1', node: 'ask', value: 'sure?', state: 'open' } as const

  it('without a ledger is to look first, because the checkpoint knows nothing of effects', () => {
    expect(adviseOn(facts).action).toBe('reconcile_first')
    expect(risk([]).advice.action).toBe('resume')
    expect(risk([]).advice.reasons.join()).toContain('no operation is recorded for pay')
  })

  it('is a person’s where questions wait, and names each by id', () => {
    const { advice } = risk([], { interrupts: [question, { ...question, id: 'i2', node: 'mail' }] })
    expect(advice.action).toBe('hand_over')
    expect(advice.reasons[0]).toBe('waiting for 2 answers: i1 (ask), i2 (mail)')
  })

  it('never lets a resume use a stored answer', () => {
    const warnings = [{ code: 'answer_stored', message: 'the answer "yes" is stored' }]
    const { advice } = risk([], {
      interrupts: [{ ...question, state: 'answered_outcome_unknown' }],
      warnings,
    })
    expect(advice).toMatchObject({ action: 'hand_over' })
    expect(advice.reasons[0]).toContain('answer by id instead')
  })

  it('does not call an empty list done', () => {
    const { advice } = risk([], { will_run: [], get_state_next: [] })
    expect(advice.reasons.join()).toContain('may have been stored nowhere')
    const lost = [{ code: 'router_failed', message: 'a is saved, then failed' }]
    expect(risk([], { will_run: [], warnings: lost }).advice.action).toBe('change_first')
    const unreadable = [{ code: 'checkpoint_unreadable', message: 'cannot be read' }]
    expect(risk([], { will_run: [], warnings: unreadable }).advice.action).toBe('hand_over')
  })

  it('is to go back to a dropped question only when nothing else is left', () => {
    const dropped = {
      interrupts: [{ ...question, state: 'discarded' as const }],
      warnings: [
        { code: 'work_discarded', message: 'a new input (c3) set aside what was pending at c2: ask' },
      ],
    }
    expect(risk([], { ...dropped, will_run: [] }).advice).toMatchObject({ action: 'resume_from' })
    expect(risk([], { ...dropped, will_run: [] }).advice.reasons[0]).toContain('c2')
    expect(risk([], dropped).advice.action).toBe('resume')
  })

  it('puts what may have happened before what is only awkward', () => {
    const { advice } = risk([operation()], { interrupts: [question] })
    expect(advice.action).toBe('reconcile_first')
    expect(advice.reasons.length).toBeGreaterThan(2)
  })

  it('has rules with ids and titles of their own', () => {
    for (const rules of [ADVICE_RULES, REPLAY_RISK_RULES]) {
      expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
      expect(new Set(rules.map(({ title }) => title)).size).toBe(rules.length)
    }
  })
})
