import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { detectSource, readCheckpoint } from '../../../src/sources/index.js'
import { folderState } from '../folder-state.js'
import { casesWith, expectedOf, FIXTURES, itIsReadRight, refusedCasesWith } from './real-case.js'

const scratchDir = mkdtempSync(join(tmpdir(), 'fixtures-test-'))
afterAll(() => rmSync(scratchDir, { recursive: true }))

describe.each(casesWith('checkpoints.sqlite'))('the database %s', name => {
  const folder = join(FIXTURES, name)
  const expected = expectedOf(name)
  const read = () =>
    readCheckpoint(join(folder, 'checkpoints.sqlite'), { nodeNames: expected.names, scratchDir })

  it('is read without changing a byte of it or leaving anything anywhere', async () => {
    const before = folderState(folder)
    await read()
    expect(folderState(folder)).toEqual(before)
    expect(readdirSync(scratchDir)).toEqual([])
  })

  it('is known by its content, and by no other source', () => {
    const found = detectSource(join(folder, 'checkpoints.sqlite'), { scratchDir })
    expect(found.flatMap(({ source, matches }) => (matches ? [source] : []))).toEqual(['langgraph'])
  })

  itIsReadRight(expected, read)
})

it.each(refusedCasesWith('checkpoints.sqlite'))(
  'the database %s is refused by name and left alone',
  async name => {
    const path = join(FIXTURES, name, 'checkpoints.sqlite')
    const before = folderState(join(FIXTURES, name))
    await expect(readCheckpoint(path, { scratchDir })).rejects.toMatchObject({
      code: 'ledger_unreadable',
      path,
      message: expect.stringContaining(expectedOf(name).refused ?? ''),
    })
    expect(folderState(join(FIXTURES, name))).toEqual(before)
    expect(readdirSync(scratchDir)).toEqual([])
  },
)
