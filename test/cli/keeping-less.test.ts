import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { archiveDocument } from '../../src/core/documents/archive-schema.js'
import { pruneDocument } from '../../src/core/documents/prune-schema.js'
import { redactDocument } from '../../src/core/documents/redact-schema.js'
import { sealDocument } from '../../src/core/documents/seal-schema.js'
import { showDocument } from '../../src/core/documents/show-schema.js'
import { verifyDocument } from '../../src/core/documents/verify-schema.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { runCli } from './fake-io.js'

const DAY = 86_400_000

/** A closed ledger: a task that is over with two operations, and one that is not; all of last year. */
async function aPast() {
  const ledger = await aLedger(Date.now() - 400 * DAY)
  await ledger.confirmed({ operation_id: 'ticket-1', input: { n: 'hunter2' } })
  await ledger.confirmed({ operation_id: 'ticket-2', input: { n: 2 } })
  await ledger.lost({ operation_id: 'ticket-3', input: { n: 3 }, task_id: 'task-2' })
  await ledger.store.changeTask({
    task_id: 'task-1',
    request: { type: 'set_status', status: 'completed', reason: null },
    by: { actor: 'agent', clock: ledger.clock },
    isOwnerGone: () => false,
  })
  await ledger.store.close()
  return { path: ledger.path, cwd: join(ledger.path, '..') }
}

function at({ path, cwd }: { readonly path: string; readonly cwd: string }) {
  return (argv: readonly string[], more: Parameters<typeof runCli>[1] = {}) =>
    runCli([...argv, '--ledger', path], { cwd, now: Date.now(), ...more })
}

describe('seal', () => {
  it('makes a key, seals, keeps the notes, and verify holds the ledger against them', async () => {
    const past = await aPast()
    const cli = at(past)
    const made = await cli(['seal', '--new-key', 'ops.key', '--key-name', 'ops'])
    expect([made.code, made.out]).toEqual([0, readFileSync(join(past.cwd, 'ops.key.pub'), 'utf8')])
    expect(statSync(join(past.cwd, 'ops.key')).mode & 0o777).toBe(0o600)
    const sealing = ['seal', '--key', 'ops.key', '--key-name', 'ops', '--output', 'anchors.txt']
    const first = await cli(sealing)
    expect(first.code).toBe(0)
    expect(readFileSync(join(past.cwd, 'anchors.txt'), 'utf8')).toBe(first.out)
    expect(first.err).toMatch(/sealed \d+ events .*keep that file where/)
    await cli(['note', 'task-2', 'looked at it', '--by', 'ana'])
    const { out } = await cli([...sealing, '--json'])
    const document = sealDocument.parse(JSON.parse(out))
    expect(document).toMatchObject({ outcome: 'sealed', output: join(past.cwd, 'anchors.txt') })
    expect((document.size ?? 0) > (document.before ?? 0)).toBe(true)
    expect((await cli(sealing)).err).toContain('nothing was written since the last seal')
    const verified = await cli([
      'verify',
      '--anchors',
      'anchors.txt',
      '--public-key',
      'ops.key.pub',
      '--json',
    ])
    const { ok, seals } = verifyDocument.parse(JSON.parse(verified.out))
    expect([verified.code, ok, seals]).toEqual([
      0,
      true,
      expect.objectContaining({ anchors: 2, anchored: document.size, signatures_checked: true }),
    ])
  })

  it('finds an older copy that was put in the place of the ledger', async () => {
    const past = await aPast()
    const cli = at(past)
    copyFileSync(past.path, `${past.path}.old`)
    await cli(['seal', '--new-key', 'k'])
    await cli(['note', 'task-2', 'looked at it', '--by', 'ana'])
    expect((await cli(['seal', '--key', 'k', '--output', 'a.txt'])).code).toBe(0)
    for (const end of ['', '-wal', '-shm']) rmSync(`${past.path}${end}`, { force: true })
    copyFileSync(`${past.path}.old`, past.path)
    expect((await cli(['verify'])).code).toBe(0)
    const found = await cli(['verify', '--anchors', 'a.txt'])
    expect(found.code).toBe(12)
    expect(found.out).toMatch(/anchor_beyond .*\n.*the last ones are gone/)
    expect(found.out).toContain('signatures not checked: no key was given')
    const refused = await cli(['seal', '--key', 'k', '--output', 'a.txt'])
    expect([refused.code, refused.err]).toEqual([7, expect.stringContaining('verify --anchors')])
  })

  it.each([
    [['seal'], 2, /--key is missing.*\n.*--new-key/s],
    [['seal', '--key', 'nowhere'], 2, /cannot be read/],
    [['verify', '--public-key', 'x'], 2, /--public-key needs --anchors/],
    [['verify', '--anchors', 'nowhere'], 2, /there is no file/],
    [['verify', '--anchors', 'ledger.db'], 2, /ledger\.db cannot be read: .* in line 1/],
  ])('%j ends with %i and says why', async (argv, code, message) => {
    const answer = await at(await aPast())(argv)
    expect(answer.err).toMatch(message)
    expect(answer.code).toBe(code)
  })

  it('leaves a key that is there as it is', async () => {
    const past = await aPast()
    const cli = at(past)
    await cli(['seal', '--new-key', 'k'])
    const before = readFileSync(join(past.cwd, 'k'), 'utf8')
    const files = readdirSync(past.cwd)
    expect((await cli(['seal', '--new-key', 'k'])).code).not.toBe(0)
    expect(readFileSync(join(past.cwd, 'k'), 'utf8')).toBe(before)
    expect(readdirSync(past.cwd)).toEqual(files)
  })
})

describe('redact', () => {
  it('says what would go, blanks it, and show, export and verify say so', async () => {
    const past = await aPast()
    const cli = at(past)
    const asked = ['redact', 'ticket-1', '--reason', 'a password', '--by', 'ana']
    const would = await cli([...asked, '--dry-run', '--json'])
    expect(redactDocument.parse(JSON.parse(would.out))).toMatchObject({ outcome: 'would_redact' })
    expect((await cli(['export', '--unmasked'])).out).toContain('hunter2')
    const done = await cli([...asked, '--yes', '--json'])
    const document = redactDocument.parse(JSON.parse(done.out))
    expect(document.parts.map(({ part }) => part)).toContain('input')
    expect((await cli(['export', '--unmasked'])).out).not.toContain('hunter2')
    const shown = await cli(['show', 'ticket-1', '--json'])
    expect(showDocument.parse(JSON.parse(shown.out)).redactions).toMatchObject([{ reason: 'a password' }])
    expect((await cli(['show', 'ticket-1'])).out).toMatch(/blanked \(input.*a password/)
    const verified = await cli(['verify'])
    expect([verified.code, verified.out]).toEqual([
      0,
      expect.stringMatching(/blanked: input.* of ticket-1.*ana/),
    ])
    expect((await cli([...asked, '--yes'])).out).toContain('nothing of this is left to blank')
  })

  it.each([
    [['redact', 'ticket-1', '--yes'], 2, /--reason is missing/],
    [['redact', 'ticket-1', '--reason', 'x'], 2, /--yes/],
    [['redact', 'ticket-9', '--reason', 'x', '--yes'], 4, /no operation ticket-9/],
    [['redact', 'ticket-3', '--reason', 'x', '--yes'], 7, /is unknown/],
    [['redact', 'ticket-1', '--event', '99', '--reason', 'x', '--yes'], 4, /no event 99/],
  ])('%j ends with %i and says why', async (argv, code, message) => {
    const past = await aPast()
    const answer = await at(past)(argv)
    expect(answer.err).toMatch(message)
    expect(answer.code).toBe(code)
    expect((await at(past)(['export', '--unmasked'])).out).toContain('hunter2')
  })

  it('asks a person to type the code of the operation', async () => {
    const past = await aPast()
    const { code, asked } = await at(past)(['redact', 'ticket-1', '--reason', 'x'], { answers: ['no'] })
    expect([code, asked[0]]).toEqual([130, expect.stringMatching(/Blank for ever .* Type \S+ to confirm/)])
  })
})

describe('prune', () => {
  it('says what would go and why the rest stays, and archives it when told to', async () => {
    const past = await aPast()
    const cli = at(past)
    const asked = ['prune', '--settled-before', '90d', '--output', 'past.jsonl']
    const would = await cli([...asked, '--dry-run', '--json'])
    expect(pruneDocument.parse(JSON.parse(would.out))).toMatchObject({
      outcome: 'would_prune',
      archived: 2,
      kept: [{ rule: 'open', operations: 1 }],
    })
    expect(existsSync(join(past.cwd, 'past.jsonl'))).toBe(false)
    expect((await cli(asked)).code).toBe(2)
    const done = await cli([...asked, '--yes', '--json'])
    const document = pruneDocument.parse(JSON.parse(done.out))
    expect(document).toMatchObject({ outcome: 'pruned', archived: 2, removed: { operations: 2 }, left: [] })
    expect((await cli(['verify'])).code).toBe(0)
    expect((await cli(['report', 'task-1'])).err).toContain('2 operations of this task were archived')
    const gone = await cli(['show', 'ticket-1'])
    expect([gone.code, gone.err]).toEqual([
      4,
      expect.stringMatching(/was archived as confirmed.*past\.jsonl/s),
    ])
    const archive = await runCli(['archive', 'past.jsonl', '--json'], { cwd: past.cwd })
    expect([archive.code, archiveDocument.parse(JSON.parse(archive.out))]).toEqual([
      0,
      expect.objectContaining({ ok: true, operations: 2, findings: [] }),
    ])
    const log = await cli(['log', '--type', 'prune', '--json'])
    expect(log.out).toContain(archiveDocument.parse(JSON.parse(archive.out)).digest)
  })

  it('leaves an archive that list, show, report and status read', async () => {
    const past = await aPast()
    await at(past)(['prune', '--settled-before', '90d', '--output', 'past.jsonl', '--yes'])
    const read = (...argv: string[]) => runCli([...argv, '--from', 'past.jsonl'], { cwd: past.cwd })
    expect((await read('list', '--all')).out).toContain('ticket-2')
    expect((await read('show', 'ticket-1')).out).toContain('confirmed')
    expect((await read('report', 'task-1')).out).toContain('ticket-1')
    expect((await read('status')).code).toBe(0)
  })

  it('goes on with an archive that is there, and refuses one that is changed or of another ledger', async () => {
    const past = await aPast()
    const cli = at(past)
    const asked = ['prune', '--settled-before', '90d', '--output', 'past.jsonl', '--yes']
    expect((await cli(asked)).code).toBe(0)
    expect((await cli(asked)).out).toContain('0 operations with 0 events')
    const other = await aPast()
    copyFileSync(join(past.cwd, 'past.jsonl'), join(other.cwd, 'past.jsonl'))
    expect((await at(other)(asked)).code).toBe(7)
    const text = readFileSync(join(past.cwd, 'past.jsonl'), 'utf8')
    writeFileSync(join(past.cwd, 'past.jsonl'), text.replaceAll('hunter2', 'hunter3'))
    expect((await cli(asked)).code).toBe(3)
    const checked = await runCli(['archive', 'past.jsonl'], { cwd: past.cwd })
    expect([checked.code, checked.out]).toEqual([12, expect.stringContaining('digest')])
  })

  it('does not let an archived id be prepared again', async () => {
    const past = await aPast()
    const cli = at(past)
    await cli(['prune', '--settled-before', '90d', '--output', 'past.jsonl', '--yes'])
    const task = JSON.stringify({ task_id: 'task-1', status: 'running' })
    await cli(['record', 'task'], { stdin: task })
    const intent = {
      task_id: 'task-1',
      operation_id: 'ticket-1',
      tool: 'tickets.create',
      input: { n: 'hunter2' },
    }
    const { out } = await cli(['record', 'prepare'], { stdin: JSON.stringify(intent) })
    expect(JSON.parse(out)).toMatchObject({ ok: false })
    expect(out).toContain('was archived as confirmed')
  })

  it.each([
    [['prune'], 2, /--settled-before is missing/],
    [['prune', '--settled-before', 'soon'], 2, /a time such as/],
    [['archive', 'ledger.db'], 2, /no archive/],
    [['archive', 'nowhere'], 3, /nowhere does not exist/],
  ])('%j ends with %i and says why', async (argv, code, message) => {
    const answer = await at(await aPast())(argv)
    expect(answer.err).toMatch(message)
    expect(answer.code).toBe(code)
  })
})

describe('what stays of what went', () => {
  it('is a row an operation', async () => {
    const past = await aPast()
    await at(past)(['prune', '--settled-before', '90d', '--output', 'past.jsonl', '--yes'])
    const database = new Database(past.path, { readonly: true })
    const rows = database.prepare('select operation_id, status from ledger_pruned order by 1').all()
    database.close()
    expect(rows).toEqual([
      { operation_id: 'ticket-1', status: 'confirmed' },
      { operation_id: 'ticket-2', status: 'confirmed' },
    ])
  })
})
