import { expect, it } from 'vitest'
import { runCommand } from '../../src/execute/exec-child.js'

it('hears signals before it starts anything, and lets go of them where nothing started', async () => {
  const told: string[] = []
  const ran = await runCommand(
    {
      argv: ['no\0program'],
      env: {},
      cwd: '/',
      stdout: null,
      stderr: null,
      onTerminal: false,
      stopping: new AbortController().signal,
      graceMs: 1_000,
      onSignal: () => {
        told.push('heard from now on')
        return () => told.push('let go')
      },
      signalGroup: () => {
        throw new Error('there is nobody to signal')
      },
    },
    new AbortController().signal,
  )
  expect(ran.end).toMatchObject({ kind: 'not_started' })
  expect(told).toEqual(['heard from now on', 'let go'])
})
