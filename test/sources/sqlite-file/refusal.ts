import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { isLedgerError } from '../../../src/core/errors.js'
import { readCheckpoint } from '../../../src/sources/index.js'
import { folderState } from '../folder-state.js'
import type { Scratch } from '../saver-file.js'

/** Reads, expects a clear refusal, and that nothing was changed or left behind. */
export async function refusalOf(scratch: Scratch, path = scratch.path): Promise<string> {
  const before = folderState(scratch.folder)
  const error = await readCheckpoint(path, { scratchDir: scratch.scratchDir }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(folderState(scratch.folder)).toEqual(before)
  expect(readdirSync(scratch.scratchDir)).toEqual([])
  if (!isLedgerError(error)) throw error ?? new Error('it was read')
  expect(error).toMatchObject({ code: 'ledger_unreadable', exitCode: 3 })
  expect(error.message).toContain(path)
  expect(error.hint.length).toBeGreaterThan(10)
  return error.message
}
