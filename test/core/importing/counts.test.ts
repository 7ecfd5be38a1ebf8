import { expect, it } from 'vitest'
import { hasChanged, noCounts, warningCounter } from '../../../src/core/importing/counts.js'

it('warnings are counted by code, with the first words and the first places', () => {
  const counter = warningCounter()
  for (let line = 1; line <= 7; line += 1)
    counter.add({ code: 'bad_line', message: `line ${line} is no JSON`, where: `line ${line}` })
  counter.add({ code: 'no_time', message: 'it says no time', where: null })
  expect(counter.all()).toEqual([
    {
      code: 'bad_line',
      count: 7,
      message: 'line 1 is no JSON',
      where: ['line 1', 'line 2', 'line 3', 'line 4', 'line 5'],
    },
    { code: 'no_time', count: 1, message: 'it says no time', where: [] },
  ])
})

it('counts begin at nothing, each its own', () => {
  const none = { added: 0, changed: 0, unchanged: 0 }
  const counts = noCounts()
  expect(counts).toEqual({
    tasks: none,
    operations: { ...none, contradicted: 0, kept_as_evidence: 0, refused: 0 },
    phases: none,
    notes: none,
    actions: none,
  })
  counts.tasks.unchanged += 1
  expect([hasChanged(counts), counts.notes.unchanged]).toEqual([false, 0])
})

it.each(['added', 'changed'] as const)('something is changed where one was %s', what => {
  for (const kind of ['tasks', 'operations', 'phases', 'notes', 'actions'] as const) {
    const counts = noCounts()
    counts[kind][what] = 1
    expect(hasChanged(counts)).toBe(true)
  }
})
