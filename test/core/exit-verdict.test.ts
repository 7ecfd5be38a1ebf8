import { describe, expect, test } from 'vitest'
import { type EndedCommand, EXIT_RULES, exitRuleOf } from '../../src/core/exit-verdict.js'
import { idsInOutput } from '../../src/core/ids-in-output.js'

const exited = (code: number, over: Partial<EndedCommand> = {}): EndedCommand => {
  return { end: { kind: 'exited', code }, contract: {}, isDoubted: false, stopped: null, ...over }
}

describe('What the end of a command says', () => {
  test.each<[string, EndedCommand, string]>([
    ['0 of a first attempt', exited(0), 'exit_done'],
    ['0 of a repeat after a doubt', exited(0, { isDoubted: true }), 'exit_repeat'],
    [
      '0 of a repeat that says that this run did it',
      exited(0, { isDoubted: true, contract: { zero: 'done_by_this_run' } }),
      'exit_done_by_contract',
    ],
    [
      '0 of a repeat that says that the state holds',
      exited(0, { isDoubted: true, contract: { zero: 'state_holds' } }),
      'exit_done_by_contract',
    ],
    ['another code', exited(1), 'exit_unlisted'],
    ['a code listed as refused', exited(2, { contract: { refused: [2] } }), 'exit_refused'],
    ['the code beside it', exited(3, { contract: { refused: [2] } }), 'exit_unlisted'],
    ['a code listed as done', exited(10, { contract: { done: [10] } }), 'exit_done'],
    ['the same on a repeat', exited(10, { contract: { done: [10] }, isDoubted: true }), 'exit_repeat'],
    ['0 after it was told to stop', exited(0, { stopped: 'it got SIGTERM' }), 'exit_stopped'],
    [
      'a code listed as refused after it was told to stop',
      exited(2, { stopped: 'it got SIGTERM', contract: { refused: [2] } }),
      'exit_stopped',
    ],
    [
      '0 after it was told to stop, with a contract',
      exited(0, { stopped: 'it got SIGTERM', contract: { zero: 'state_holds' } }),
      'exit_stopped',
    ],
    ['a signal', { ...exited(0), end: { kind: 'signalled', signal: 'SIGKILL' } }, 'exit_signal'],
    [
      'no start at all, also where it was told to stop',
      { ...exited(0), end: { kind: 'not_started', code: 'ENOENT', message: '' }, stopped: 'it got SIGTERM' },
      'not_started',
    ],
  ])('%s is read by the rule for it', (_, ended, rule) => {
    expect(exitRuleOf(ended).id).toBe(rule)
  })

  test('only what certainly did not happen is not applied', () => {
    const ids = EXIT_RULES.filter(({ end }) => end === 'not_applied').map(({ id }) => id)
    expect(ids).toEqual(['not_started', 'exit_refused'])
  })
})

describe('Ids in what a command prints', () => {
  test.each([
    [
      'the first group of a pattern',
      { kind: 't', pattern: 'ticket (T-\\d+)' },
      'ticket T-1\nticket T-2',
      ['T-1', 'T-2'],
    ],
    ['the whole match without a group', { kind: 't', pattern: 'T-\\d+' }, 'made T-7.', ['T-7']],
    ['a line of its own', { kind: 't', pattern: '^id=(.+)$' }, 'x\nid=9\ny', ['9']],
    ['the same id once', { kind: 't', pattern: 'T-\\d+' }, 'T-7 T-7', ['T-7']],
    ['a path in JSON', { kind: 't', path: 'data.id' }, '{"data":{"id":12}}', ['12']],
    ['a path that leads to an object', { kind: 't', path: 'data' }, '{"data":{"id":12}}', []],
    ['a path in what is no JSON', { kind: 't', path: 'data.id' }, 'data.id', []],
    ['a path through the prototype', { kind: 't', path: 'constructor.name' }, '{}', []],
  ])('are found: %s', (_, rule, text, values) => {
    expect(idsInOutput([rule], text)).toEqual(values.map(value => ({ kind: 't', value })))
  })
})
