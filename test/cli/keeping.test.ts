import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { doctorDocument } from '../../src/core/documents/doctor-schema.js'
import { initDocument } from '../../src/core/documents/init-schema.js'
import { verifyDocument } from '../../src/core/documents/verify-schema.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { aDirectory, contentsOf } from '../store/support/places.js'
import { runCli } from './fake-io.js'

const HOUR = 3_600_000

/** A ledger that was written and closed. */
async function closed() {
  const ledger = await aLedger(Date.now() - HOUR)
  await ledger.lost()
  await ledger.confirmed({ operation_id: 'ticket-2', input: { n: 2 } })
  await ledger.as('ana').resolve('ticket-1', { as: 'confirmed', evidence: ['seen'], reason: 'there' })
  await ledger.store.close()
  return ledger.path
}

const verify = async (path: string) => {
  const { code, out, err } = await runCli(['verify', '--ledger', path, '--json'])
  return { code, err, document: out === '' ? undefined : verifyDocument.parse(JSON.parse(out)) }
}

const doctor = async (argv: readonly string[], given: Parameters<typeof runCli>[1] = {}) => {
  const { code, out } = await runCli(['doctor', '--json', ...argv], given)
  const { checks, ok } = doctorDocument.parse(JSON.parse(out))
  return { code, ok, checks, status: (id: string) => checks.find(check => check.id === id)?.status }
}

describe('init', () => {
  it('makes a ledger only its owner can read, in a folder only they can enter', async () => {
    const cwd = aDirectory()
    const { code, out, err } = await runCli(['init'], { cwd })
    const path = join(cwd, '.agent-ledger', 'ledger.db')
    expect([code, out]).toEqual([0, `made ${path}\n`])
    expect(err).toContain('next:')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    expect((await verify(path)).document).toMatchObject({ ok: true })
  })

  it('makes it where it is told, and what it makes is found from there on', async () => {
    const cwd = aDirectory()
    const { code, out } = await runCli(['init', '--ledger', 'a/b.db', '--json'], { cwd })
    const document = initDocument.parse(JSON.parse(out))
    expect([code, document.created, document.ledger]).toEqual([0, true, join(cwd, 'a/b.db')])
    writeFileSync(join(cwd, 'agent-ledger.yaml'), 'ledger: c.db\n')
    expect((await runCli(['init'], { cwd })).out).toBe(`made ${join(cwd, 'c.db')}\n`)
  })

  it('leaves a ledger that is there as it is', async () => {
    const path = await closed()
    const before = contentsOf(join(path, '..'))
    const { code, out } = await runCli(['init', '--ledger', path])
    expect([code, out]).toEqual([0, `${path} was there already; it was left as it is\n`])
    expect(contentsOf(join(path, '..'))).toEqual(before)
  })

  it('refuses what is there and is no ledger', async () => {
    const cwd = aDirectory()
    writeFileSync(join(cwd, 'notes.txt'), 'hello')
    expect((await runCli(['init', '--ledger', 'notes.txt'], { cwd })).code).toBe(3)
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('hello')
    expect((await runCli(['init', '--ledger', '.'], { cwd })).code).toBe(3)
  })

  it('says when it hides a ledger further up', async () => {
    const cwd = aDirectory()
    await runCli(['init'], { cwd })
    mkdirSync(join(cwd, 'sub'))
    const { err } = await runCli(['init'], { cwd: join(cwd, 'sub') })
    expect(err).toContain(`the ledger ${join(cwd, '.agent-ledger/ledger.db')} is no longer found`)
  })
})

describe('verify', () => {
  it('finds nothing in a ledger that nobody touched, and leaves it as it is', async () => {
    const path = await closed()
    const before = contentsOf(join(path, '..'))
    const { code, document } = await verify(path)
    expect(code).toBe(0)
    expect(document).toMatchObject({ ok: true, findings: [], checked: { operations: 2, tasks: 1 } })
    expect(contentsOf(join(path, '..'))).toEqual(before)
    expect((await runCli(['verify', '--ledger', path])).out).toContain('2 operations, 1 task,')
  })

  it('names a row that was changed past its events, and ends with 12', async () => {
    const path = await closed()
    const database = new Database(path)
    database.exec('update ledger_operation set result = \'{"id":"T-9"}\' where operation_id = \'ticket-2\'')
    database.close()
    const { code, document } = await verify(path)
    expect(code).toBe(12)
    expect(document?.findings).toMatchObject([
      { subject: 'operation', id: 'ticket-2', rule: 'result_differs' },
    ])
    const text = await runCli(['verify', '--ledger', path])
    expect(text.out).toContain('result_differs  operation ticket-2')
  })

  it('is refused by a ledger that cannot be read', async () => {
    const path = await closed()
    writeFileSync(path, readFileSync(path).subarray(0, 5_000))
    const { code, err } = await verify(path)
    expect(code).toBe(3)
    expect(JSON.parse(err)).toMatchObject({ code: 'ledger_damaged', path })
  })
})

describe('doctor', () => {
  it('finds nothing to do about a good ledger, and writes nothing', async () => {
    const path = await closed()
    chmodSync(join(path, '..'), 0o700)
    const before = contentsOf(join(path, '..'))
    const { code, ok, checks } = await doctor(['--ledger', path, '--by', 'ana'])
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
    expect([code, ok]).toEqual([0, true])
    expect(contentsOf(join(path, '..'))).toEqual(before)
  })

  it('tells of a missing ledger with the places searched, and ends with 3', async () => {
    const cwd = aDirectory()
    const { code, checks, status } = await doctor([], { cwd })
    expect([code, status('ledger'), status('file')]).toEqual([3, 'fail', undefined])
    expect(checks.find(({ id }) => id === 'ledger')?.says).toContain(join(cwd, '.agent-ledger/ledger.db'))
  })

  it('tells of a copy, of a -wal that was left, and of a file that others may read', async () => {
    const path = await closed()
    const copy = join(aDirectory(), 'copy.db')
    copyFileSync(path, copy)
    chmodSync(copy, 0o644)
    const { code, status } = await doctor(['--ledger', copy])
    expect([code, status('incarnation'), status('permissions')]).toEqual([0, 'warn', 'warn'])
  })

  it('tells of a damaged page with what to do, and ends with 3; the file stays as it is', async () => {
    const path = await closed()
    const bytes = readFileSync(path)
    bytes.fill(0, 4 * 4096, 5 * 4096)
    writeFileSync(path, bytes)
    const { code, checks } = await doctor(['--ledger', path])
    expect(code).toBe(3)
    const failed = checks.filter(({ status }) => status === 'fail')
    expect(failed).toMatchObject([{ says: expect.stringContaining('damaged') }])
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('tells of a configuration with mistakes and goes on', async () => {
    const path = await closed()
    const cwd = aDirectory()
    writeFileSync(join(cwd, 'agent-ledger.yaml'), 'leas: 60s\n')
    const { code, checks, status } = await doctor(['--ledger', path], { cwd })
    expect([code, status('config'), status('ledger')]).toEqual([2, 'fail', 'ok'])
    expect(checks.find(({ id }) => id === 'config')?.says).toContain('line 1, column 1: leas: no such key')
  })

  it('prints a line for each check', async () => {
    const path = await closed()
    const { out } = await runCli(['doctor', '--ledger', path])
    expect(out).toMatch(/^ok {4}Node\.js: version /m)
    expect(out).toMatch(/^ok {4}pages: the database finds nothing wrong$/m)
  })
})
