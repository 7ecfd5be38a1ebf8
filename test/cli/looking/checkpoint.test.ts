import { expect, it, onTestFinished } from 'vitest'
import { CHECKPOINTS, createScratch, makeDatabase, WRITES } from '../../sources/saver-file.js'
import { runCli } from '../fake-io.js'

it('an empty checkpoint store is no proof that nothing ran: it says what may be missing and where to look', async () => {
  const scratch = createScratch()
  onTestFinished(() => scratch.remove())
  makeDatabase(scratch.path, CHECKPOINTS, WRITES)
  const { code, out, err } = await runCli(['checkpoint', scratch.path], { cwd: scratch.folder })
  expect(code).toBe(0)
  expect(out).toContain('0 threads')
  expect(err).toContain('with durability "exit" nothing at all of a run that was killed')
  expect(err).toContain('agent-ledger tasks')
})
