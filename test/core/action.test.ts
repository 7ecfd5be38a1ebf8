import { describe, expect, it } from 'vitest'
import {
  type Action,
  type ActionGiven,
  fingerprintOf,
  importedAction,
  isSameAction,
  newAction,
} from '../../src/core/action.js'
import type { JsonValue } from '../../src/core/json.js'
import { NOON } from './builders.js'

const plain = (value: JsonValue) => value
const told = (given: ActionGiven) => newAction(given, plain)
const CALL: ActionGiven = { tool: 'read', input: { q: 1 }, result: 'ok', outcome: 'ok' }

function row(given: ActionGiven): Action {
  const { cost: _, ...kept } = told(given)
  return { ...kept, n: 1, times: 1, first_at: NOON, at: NOON }
}

describe('an action as it is told', () => {
  it('is a tool call that has told nothing yet, where nothing is said', () => {
    expect(told({})).toEqual({
      kind: 'tool',
      tool: null,
      input_digest: null,
      result_digest: null,
      outcome: null,
      wait_until: null,
      cost: 0,
      stall: null,
      excerpt: '',
    })
  })

  it('is compared without what changes by itself', () => {
    const first = told({ input: { q: 1, thought: 'a' }, result: 'took 1s' })
    const again = told({ input: { q: 1, thought: 'b' }, result: 'took 2s' })
    expect([again.input_digest, again.result_digest]).toEqual([first.input_digest, first.result_digest])
    expect(told({ input: { q: 2 } }).input_digest).not.toBe(first.input_digest)
    expect(told({ result: 'no' }).result_digest).not.toBe(first.result_digest)
  })

  it.each<[ActionGiven, string]>([
    [CALL, 'read {"q":1} → ok'],
    [{ tool: 'read' }, 'read'],
    [{ kind: 'message', tool: 'read', input: 'I  look\n again' }, 'message I look again'],
    [{ tool: 'read', result: '' }, 'read → '],
    [{ tool: 't', input: 'x'.repeat(80) }, `t ${'x'.repeat(80)}`],
    [{ tool: 't', input: 'x'.repeat(81) }, `t ${'x'.repeat(79)}…`],
    [{ tool: 't', result: 'x'.repeat(81) }, `t → ${'x'.repeat(79)}…`],
    [{ tool: 't'.repeat(200) }, 't'.repeat(168)],
    [{ tool: 't', input: `${'x'.repeat(78)}\u{1f600}y` }, `t ${'x'.repeat(78)}\ufffd…`],
  ])('is shown in short: %j', (given, excerpt) => {
    expect(told(given).excerpt).toBe(excerpt)
  })

  it('is shown masked, and compared as it was given', () => {
    const masked = newAction(CALL, () => '[masked]')
    expect(masked.excerpt).toBe('read [masked] → [masked]')
    expect(masked.input_digest).toBe(told(CALL).input_digest)
  })

  it('of another system is the same, with the thresholds of its tool', () => {
    const theirs = { record: 'action', task_id: 't', at: NOON, kind: 'tool', tool: 'read' } as const
    const action = { ...theirs, input: { q: 1 }, result: 'ok', outcome: 'ok' } as const
    expect(importedAction(action, { mask: plain })).toEqual(told(CALL))
    expect(importedAction(action, { mask: plain, stall: { polling: 5 } }).stall).toEqual({ polling: 5 })
  })
})

describe('the same action again', () => {
  it.each<[string, ActionGiven, boolean]>([
    ['all of it', {}, true],
    ['another moment to wait for', { wait_until: NOON + 1 }, false],
    ['another kind', { kind: 'message' }, false],
    ['another tool', { tool: 'write' }, false],
    ['another input', { input: { q: 2 } }, false],
    ['another answer', { result: 'no' }, false],
    ['another end', { outcome: 'error' }, false],
    ['other thresholds', { stall: { polling: 5 } }, false],
  ])('is told by %s: %s', (_, over, isSame) => {
    expect(isSameAction(row(CALL), told({ ...CALL, ...over }))).toBe(isSame)
  })

  it('may wait for a later moment', () => {
    const waiting = { ...CALL, wait_until: NOON }
    expect(isSameAction(row(waiting), told({ ...waiting, wait_until: NOON + 5 }))).toBe(true)
    expect(isSameAction(row(waiting), told(CALL))).toBe(false)
  })

  it('has the fingerprint of its tool, input, result and end', () => {
    const differing = [
      CALL,
      { ...CALL, kind: 'message' as const },
      { ...CALL, tool: 'x' },
      { ...CALL, input: 1 },
    ]
    const more: ActionGiven[] = [
      { ...CALL, result: 'x' },
      { ...CALL, outcome: 'error' },
    ]
    const prints = [...differing, ...more].map(given => fingerprintOf(row(given)))
    expect(new Set(prints).size).toBe(prints.length)
    expect(fingerprintOf(row({ ...CALL, wait_until: NOON, stall: {} }))).toBe(prints[0])
  })
})
