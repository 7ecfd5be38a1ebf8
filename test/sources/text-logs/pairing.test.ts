import { expect, it } from 'vitest'
import type { ActionSeen, AnswerSeen } from '../../../src/sources/openhands/happening.js'
import { createPairing, type Paired } from '../../../src/sources/openhands/pairing.js'

const command = (id: string): ActionSeen => ({
  ...{ is: 'action', id, callId: null, tool: 'terminal', input: null, effect: null, target: null },
  ...{ standing: 'sent', isInternal: false, shell: 'command', at: null },
})
const stillRunning = (actionId: string, result: string): AnswerSeen => ({
  ...{ is: 'answer', actionId, callId: null, kind: 'running', exitCode: null, result, text: null, at: null },
})

it('of commands that never end no more is held than has room, which is said once, and none is lost', () => {
  const pairing = createPairing({ workersStopped: false, mostHeld: 10_000 })
  const found: Paired[] = []
  for (let n = 0; n < 100; n++) {
    found.push(...pairing.action(command(`a${n}`), 'here'))
    found.push(...pairing.answer(stillRunning(`a${n}`, 'o'.repeat(1_000)), 'here'))
  }
  expect(found).toEqual([{ is: 'values_dropped' }])
  const pairs = [...pairing.end({ hasEnded: false })].flatMap(one => (one.is === 'pair' ? [one.pair] : []))
  expect(pairs.map(({ answer }) => answer?.kind)).toEqual(Array(100).fill('running'))
  expect(pairs.filter(({ answer }) => answer?.result !== null)).toHaveLength(9)
})

it('what a running command showed makes room once it has ended', () => {
  const pairing = createPairing({ workersStopped: false, mostHeld: 2_000 })
  for (let n = 0; n < 100; n++) {
    const id = `a${n}`
    const all = [
      ...pairing.action(command(id), 'here'),
      ...pairing.answer(stillRunning(id, 'o'.repeat(1_000)), 'here'),
      ...pairing.answer({ ...stillRunning(id, 'end'), kind: 'done', exitCode: 0 }, 'here'),
    ]
    expect(all.map(({ is }) => is)).toEqual(['pair'])
  }
})
