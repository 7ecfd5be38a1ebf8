import { describe, expect, it } from 'vitest'
import { adviseOn, type Recorded, type ThreadFacts } from '../../../src/core/advice.js'
import type { CheckpointInterrupt, WillRun } from '../../../src/core/checkpoint.js'

const run = (node: string): WillRun => ({ node, task_id: null, namespace: null, reason: 'not_finished' })
const around = (node: string) => ({ node, namespace: `${node}:o` })
const question = (over: Partial<CheckpointInterrupt> = {}): CheckpointInterrupt => ({
  id: 'i1',
  node: 'ask',
  value: 'sure?',
  state: 'open',
  ...over,
})
const warned = (...codes: string[]) => codes.map(code => ({ code, message: `message of ${code}` }))

function thread(over: Partial<ThreadFacts> = {}): ThreadFacts {
  return {
    thread_id: 't1',
    checkpoint_id: 'c2',
    step: 1,
    ts: null,
    get_state_next: [],
    will_run: [],
    enclosing: [],
    saved: [],
    interrupts: [],
    errors: [],
    warnings: [],
    replay_risk: [],
    ...over,
  }
}

const KNOWN: Recorded = { nodes: new Set(['pay', 'outer']), isOfStore: false }
const LEFT = 'nothing is left to run at checkpoint c2; work past it may have been stored nowhere'
const runs = (what: string) =>
  `a resume runs ${what} from the first line, provided that the code still has what is named so`

describe('a warning leads to', () => {
  it.each([
    ['checkpoint_unreadable', 'hand_over'],
    ['checkpoint_missing', 'hand_over'],
    ['route_not_stored', 'hand_over'],
    ['truncated', 'hand_over'],
    ['cut_short', 'hand_over'],
    ['torn', 'hand_over'],
    ['gap_in_events', 'hand_over'],
    ['history_is_older', 'hand_over'],
    ['runs_without_asking', 'reconcile_first'],
    ['action_outside_branch', 'reconcile_first'],
    ['answered_by_an_error', 'reconcile_first'],
    ['made_up_answer', 'reconcile_first'],
    ['no_checkpoint', 'hand_over'],
    ['router_failed', 'change_first'],
    ['phase_invalid', 'change_first'],
    ['ended_with_open_work', 'reconcile_first'],
    ['outcomes_unknown', 'reconcile_first'],
  ])('%s: %s, in its own words', (code, action) => {
    expect(adviseOn(thread({ warnings: warned(code) }), KNOWN)).toEqual({
      action,
      reasons: [`message of ${code}`, LEFT],
    })
  })

  it.each([
    ['run_ended', 'resume_from'],
    ['run_completed', 'resume'],
    ['waits', 'resume'],
  ])('%s: %s, and it says all there is to say', (code, action) => {
    expect(adviseOn(thread({ warnings: warned(code) }), KNOWN)).toEqual({
      action,
      reasons: [`message of ${code}`],
    })
  })

  it('a stored answer: an answer by its id', () => {
    expect(adviseOn(thread({ warnings: warned('answer_stored') }), KNOWN)).toMatchObject({
      action: 'hand_over',
      reasons: ['message of answer_stored; answer by id instead', LEFT],
    })
  })

  it('nothing where nobody knows what it means', () => {
    expect(adviseOn(thread({ warnings: warned('odd') }), KNOWN)).toEqual({
      action: 'resume',
      reasons: [LEFT],
    })
  })
})

describe('a question', () => {
  it.each<[CheckpointInterrupt[], string | null]>([
    [[question()], 'waiting for 1 answer: i1 (ask)'],
    [[question({ state: 'answer_reused' })], 'waiting for 1 answer: i1 (ask)'],
    [
      [question({ id: null, node: null }), question({ id: 'i2' })],
      'waiting for 2 answers: no id (unknown node), i2 (ask)',
    ],
    [[question({ state: 'answered' })], null],
    [[question({ state: 'discarded' })], null],
  ])('waits for a person where it is open (%#)', (interrupts, reason) => {
    const { action, reasons } = adviseOn(thread({ interrupts }), KNOWN)
    expect(action).toBe(reason === null ? 'resume' : 'hand_over')
    expect(reasons).toEqual(reason === null ? [LEFT] : [reason, LEFT])
  })

  it('that was dropped is gone back to only where nothing is left to run', () => {
    const warnings = warned('work_discarded', 'forked')
    const dropped = [question({ state: 'answered' }), question({ state: 'discarded' })]
    const went = ['message of work_discarded', 'message of forked', LEFT]
    expect(adviseOn(thread({ warnings, interrupts: dropped }), KNOWN)).toEqual({
      action: 'resume_from',
      reasons: went,
    })
    const answered = [question({ state: 'answered' })]
    expect(adviseOn(thread({ warnings, interrupts: answered }), KNOWN).reasons).toEqual([LEFT])
    const running = thread({ warnings, interrupts: dropped, will_run: [run('pay')] })
    expect(adviseOn(running, KNOWN)).toEqual({ action: 'resume', reasons: [runs('pay')] })
  })
})

describe('an outside write', () => {
  const risk = (status: string) => ({
    operation_id: `op-${status}`,
    node: 'pay',
    status,
    why: 'pay runs again',
  })

  it('in doubt is reconciled first, one that was done changes the code first', () => {
    const both = thread({ replay_risk: [risk('confirmed'), risk('unknown')] })
    expect(adviseOn(both, KNOWN)).toEqual({
      action: 'reconcile_first',
      reasons: ['op-unknown: pay runs again', 'op-confirmed: pay runs again', LEFT],
    })
    expect(adviseOn(thread({ replay_risk: [risk('confirmed')] }), KNOWN)).toEqual({
      action: 'change_first',
      reasons: ['op-confirmed: pay runs again', LEFT],
    })
  })
})

describe('nodes that run', () => {
  const LOOK = (why: string, nodes: string) =>
    `${why}: look first whether what ${nodes} does outside has happened; the checkpoint cannot tell a node that never started from one stopped after its last effect`

  it.each<[string, Partial<ThreadFacts>, Recorded | undefined, string[]]>([
    [
      'without a ledger are looked after first, with what is around them',
      { will_run: [run('pay'), run('mail'), run('pay')], enclosing: [around('outer')] },
      undefined,
      [LOOK('no ledger was asked', 'outer, pay, mail'), runs('pay, mail, inside outer')],
    ],
    [
      'without a ledger and with nothing around them',
      { will_run: [run('pay')] },
      undefined,
      [LOOK('no ledger was asked', 'pay'), runs('pay')],
    ],
    [
      'of a store that wrote its own records, where one of them wrote none',
      { will_run: [run('pay'), run('mail')] },
      { ...KNOWN, isOfStore: true },
      [LOOK('no ledger knows this run', 'mail'), runs('pay, mail')],
    ],
    [
      'of a store that wrote its own records, where each of them did',
      { will_run: [run('pay')], enclosing: [around('graph')] },
      { ...KNOWN, isOfStore: true },
      [runs('pay, inside graph')],
    ],
    [
      'of a ledger that knows some of them',
      { will_run: [run('pay'), run('mail')] },
      KNOWN,
      [
        runs('pay, mail'),
        'no operation is recorded for mail: what goes out past the ledger is not known here',
      ],
    ],
    ['of a ledger that knows all of them', { will_run: [run('pay')] }, KNOWN, [runs('pay')]],
    ['that are none', {}, KNOWN, [LEFT]],
    ['that are none, without a ledger', {}, undefined, [LEFT]],
  ])('%s', (_, over, recorded, reasons) => {
    const advice = adviseOn(thread(over), recorded)
    expect(advice.reasons).toEqual(reasons)
    expect(advice.action).toBe(reasons[0]?.startsWith('no ledger') ? 'reconcile_first' : 'resume')
  })

  it('of a thread without a checkpoint are handed over', () => {
    expect(adviseOn(thread({ checkpoint_id: null }), KNOWN)).toEqual({
      action: 'hand_over',
      reasons: ['the thread says nothing of itself'],
    })
  })
})
