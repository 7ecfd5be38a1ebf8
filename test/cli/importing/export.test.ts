import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import { exportLine } from '../../../src/core/exporting/lines-schema.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

const HOUR = 3_600_000
const SECRET = `ghp_${'a1B2'.repeat(9)}`

/** A ledger with one operation of each kind, closed. */
async function aFullLedger() {
  const ledger = await aLedger(Date.now() - HOUR)
  await ledger.lost({ repeat: { kind: 'idempotency_key', retention_ms: 86_400_000 } })
  await ledger.confirmed({
    operation_id: 'ticket-2',
    input: { n: 2 },
    amount: 12,
    links: ['https://example.com'],
  })
  await ledger.inFlight({ operation_id: 'ticket-3', input: { n: 3, token: SECRET } }, null)
  await ledger.prepared({ operation_id: 'ticket-4', input: { n: 4 } })
  await ledger.rejected({ operation_id: 'ticket-5', input: { n: 5 } })
  const ana = ledger.as('ana')
  await ana.cancel('ticket-4', { reason: 'not wanted' })
  await ana.resolve('ticket-5', { as: 'confirmed', evidence: ['seen'], reason: 'it is there' })
  await ana.note('ticket-1', 'looked at the log', { kind: 'finding' })
  await ledger.store.close()
  return ledger.path
}

const list = async (argv: readonly string[]) => {
  const { out } = await runCli(['list', '--all', '--json', '--sort', 'id', ...argv])
  return listDocument.parse(JSON.parse(out)).operations
}

describe('export', () => {
  it('is read back with nothing lost that a decision needs', async () => {
    const path = await aFullLedger()
    const file = join(aDirectory(), 'out.jsonl')
    expect((await runCli(['export', '--ledger', path, '--output', file])).code).toBe(0)
    const cwd = aDirectory()
    await runCli(['init'], { cwd })
    expect((await runCli(['import', 'jsonl', file], { cwd })).code).toBe(0)
    const copy = join(cwd, '.agent-ledger', 'ledger.db')
    const [before, after] = [await list(['--ledger', path]), await list(['--ledger', copy])]
    const kept = (rows: typeof before) =>
      rows.map(({ version: _, age_ms: __, next_action: ___, stalled_by: ____, ...row }) => row)
    expect(kept(after)).toEqual(kept(before))
    const shown = JSON.parse((await runCli(['show', 'ticket-1', '--ledger', copy, '--json'])).out)
    expect(shown.intent).toMatchObject({ provenance: 'imported', repeat: { kind: 'idempotency_key' } })
    expect(shown.notes).toEqual([expect.objectContaining({ kind: 'finding' })])
    expect((await runCli(['verify', '--ledger', copy])).code).toBe(0)
    const again = await runCli(['import', file, '--json'], { cwd })
    expect(JSON.parse(again.out).inputs[0].outcome).toBe('nothing_new')
  })

  it('counts what it wrote as those who read it do: a warning is no record', async () => {
    const path = await aFullLedger()
    const file = join(aDirectory(), 'out.jsonl')
    const { err } = await runCli(['export', '--ledger', path, '--output', file])
    const [, written] = /^(\d+) records written/.exec(err) ?? []
    const read = await runCli(['list', '--from', file])
    expect(read.err).toContain('masked')
    expect(read.err).toContain(`: ${written} records read as agent-ledger`)
  })

  it('says nothing new to the ledger that it came from', async () => {
    const path = await aFullLedger()
    const file = join(aDirectory(), 'out.jsonl')
    await runCli(['export', '--ledger', path, '--output', file])
    const { out } = await runCli(['import', file, '--ledger', path, '--json'])
    expect(JSON.parse(out).inputs[0]).toMatchObject({ operations: { added: 0, changed: 0 } })
  })

  it('is read by --from without a ledger, and leaves nothing behind', async () => {
    const path = await aFullLedger()
    const file = join(aDirectory(), 'out.jsonl')
    await runCli(['export', '--ledger', path, '--output', file])
    const direct = await list(['--from', file])
    expect(direct.map(({ operation_id, status }) => [operation_id, status])).toEqual(
      (await list(['--ledger', path])).map(({ operation_id, status }) => [operation_id, status]),
    )
    expect(readdirSync(join(file, '..'))).toEqual(['out.jsonl'])
  })

  it('masks secrets unless they are asked for, and keeps the digest of what was sent', async () => {
    const path = await aFullLedger()
    const masked = await runCli(['export', '--ledger', path])
    expect(masked.out).not.toContain(SECRET)
    const plain = await runCli(['export', '--ledger', path, '--unmasked'])
    expect(plain.out).toContain(SECRET)
    const digests = (out: string) =>
      [...out.matchAll(/"input_digest":"([^"]+)"/g)].map(([, digest]) => digest)
    expect(digests(masked.out)).toEqual(digests(plain.out))
  })

  it('is lines that its schema describes, with the count at the end', async () => {
    const { out } = await runCli(['export', '--ledger', await aFullLedger(), '--task', 'task-1'])
    const lines = out
      .trimEnd()
      .split('\n')
      .map(line => exportLine.parse(JSON.parse(line)))
    expect(lines.at(-1)).toEqual({ record: 'end', records: lines.length - 2 })
    expect((await runCli(['export', '--ledger', await aFullLedger(), '--task', 'nobody'])).code).toBe(4)
  })

  it('writes a file that only its owner can read, and replaces none', async () => {
    const path = await aFullLedger()
    const file = join(aDirectory(), 'out.jsonl')
    await runCli(['export', '--ledger', path, '--output', file])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file)
    const again = await runCli(['export', '--ledger', path, '--output', file])
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('is there already')])
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(join(file, '..'))).toEqual(['out.jsonl'])
  })

  it('that was cut off says so when it is read', async () => {
    const { out } = await runCli(['export', '--ledger', await aFullLedger()])
    const file = join(aDirectory(), 'cut.jsonl')
    writeFileSync(file, out.slice(0, out.length - 300))
    const { err, code } = await runCli(['list', '--all', '--from', file])
    expect([code, err]).toEqual([0, expect.stringContaining('cut_off')])
  })
})

describe('backup', () => {
  it('copies a ledger that is checked, for its owner alone, and begins a new incarnation', async () => {
    const path = await aFullLedger()
    const copy = join(aDirectory(), 'copy.db')
    const { code, out } = await runCli(['backup', '--ledger', path, '--output', copy])
    expect([code, out]).toEqual([0, expect.stringContaining('all fits')])
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(await list(['--ledger', copy])).toEqual(
      (await list(['--ledger', path])).map(row => ({ ...row, age_ms: expect.any(Number) })),
    )
    const line = JSON.stringify({ operation_id: 'ticket-9', task_id: 'task-1', tool: 't', input: {} })
    await runCli(['record', 'prepare', '--ledger', copy], { stdin: line })
    expect((await runCli(['log', '--ledger', copy, '--type', 'incarnation'])).out).toContain('incarnation')
  })

  it('replaces nothing, and leaves nothing where it cannot write', async () => {
    const path = await aFullLedger()
    const folder = aDirectory()
    const taken = join(folder, 'taken.db')
    writeFileSync(taken, 'mine')
    const refused = await runCli(['backup', '--ledger', path, '--output', taken])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('is there already')])
    expect(readFileSync(taken, 'utf8')).toBe('mine')
    const nowhere = join(folder, 'no', 'such', 'copy.db')
    expect((await runCli(['backup', '--ledger', path, '--output', nowhere])).code).toBe(2)
    expect(readdirSync(folder)).toEqual(['taken.db'])
    expect((await runCli(['backup', '--ledger', path])).code).toBe(2)
  })

  it('that is told to stop leaves nothing under the name', async () => {
    const path = await aFullLedger()
    const folder = aDirectory()
    const stopped = await runCli(['backup', '--ledger', path, '--output', join(folder, 'copy.db')], {
      signal: AbortSignal.abort(),
    })
    expect(stopped.code).not.toBe(0)
    expect(readdirSync(folder)).toEqual([])
  })

  it('makes no copy of a ledger that does not verify', async () => {
    const path = await aFullLedger()
    const { default: Database } = await import('better-sqlite3')
    const db = new Database(path)
    db.exec("update ledger_operation set target = null where operation_id = 'ticket-1' and 0")
    db.exec('drop trigger ledger_operation_intent')
    db.close()
    chmodSync(path, 0o600)
    const output = join(aDirectory(), 'copy.db')
    expect((await runCli(['backup', '--ledger', path, '--output', output])).code).toBe(3)
    expect(existsSync(output)).toBe(false)
  })
})
