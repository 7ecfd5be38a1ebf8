import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stageRecords } from '../../../src/sources/records.js'
import { aDirectory } from '../../store/support/places.js'
import { folderState } from '../folder-state.js'

// Their program runs, and has committed what no main file holds yet.

const fixtures = join(import.meta.dirname, '../../../fixtures')
const driver = createRequire(import.meta.url).resolve('better-sqlite3')
const WRITER = `
  const db = new (require(process.argv[1]))(process.argv[2])
  db.pragma('journal_mode = wal')
  db.pragma('wal_autocheckpoint = 0')
  db.exec(process.argv[3])
  console.log('ready')
  setInterval(() => {}, 1000)`

const CASES = [
  ['effect-ledger', 'update operations set request = \'{"seen":1}\', version = version + 1'],
  ['agent-effects', 'update effects set input = \'{"seen":1}\', version = version + 1'],
] as const

async function inputsOf(source: string, path: string, scratchDir: string): Promise<string[]> {
  const staged = await stageRecords(path, { source, scratchDir, now: Date.now() })
  try {
    return [...staged.read()].flatMap(record =>
      record.record === 'operation' ? [JSON.stringify(record.input)] : [],
    )
  } finally {
    staged.discard()
  }
}

/** Readers register themselves in the -shm of a database in use: shared memory, no evidence. */
function withoutShm(state: Record<string, string>): Record<string, string> {
  const { 'effects.db-shm': shm, ...rest } = state
  expect(shm).toBeDefined()
  return rest
}

it.each(CASES)(
  '%s in use: its newest commit is read, and every file stays as it was, with its times',
  async (source, change) => {
    const root = aDirectory()
    const [folder, scratch] = [join(root, 'data'), join(root, 'scratch')]
    for (const made of [folder, scratch]) mkdirSync(made)
    const path = join(folder, 'effects.db')
    copyFileSync(join(fixtures, source, 'states', 'effects.db'), path)
    const writer = spawn(process.execPath, ['-e', WRITER, driver, path, change], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(writer.stdout, 'data')
    try {
      const before = folderState(folder)
      expect(Object.keys(before)).toEqual(['effects.db', 'effects.db-shm', 'effects.db-wal'])
      const inputs = await inputsOf(source, path, scratch)
      expect(inputs).toContain('{"seen":1}')
      expect(withoutShm(folderState(folder))).toEqual(withoutShm(before))
    } finally {
      writer.kill('SIGKILL')
      await once(writer, 'exit')
    }
    const left = folderState(folder)
    expect(await inputsOf(source, path, scratch)).toContain('{"seen":1}')
    expect(folderState(folder)).toEqual(left)
    expect(Object.keys(folderState(scratch))).toEqual([])
  },
)
