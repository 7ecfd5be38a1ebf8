import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { NpmProbe, SingleProbe, SqlProbe } from '../../src/core/probe.js'
import { askProbe } from '../../src/probes/index.js'
import { aWorld, someFacts } from './support/asking.js'
import { aServer, json } from './support/server.js'

const aFolder = () => mkdtempSync(join(tmpdir(), 'probe-'))

async function ask(probe: SingleProbe, folder: string, input: Record<string, string> = {}) {
  return askProbe(probe, { facts: someFacts({ input }), world: aWorld({ folder }), settleMs: undefined })
}

describe('a file probe', () => {
  const digest = `sha256:${createHash('sha256').update('hello').digest('hex')}`
  const probe: SingleProbe = { kind: 'file', path: 'out/{input.name}', digest: '{input.digest}' }

  it('knows a file by its content, one that differs, and one that is not there', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'out'))
    writeFileSync(join(folder, 'out/a.txt'), 'hello')
    writeFileSync(join(folder, 'out/b.txt'), 'other')
    expect(await ask(probe, folder, { name: 'a.txt', digest })).toMatchObject({
      grade: 'B',
      parent: 'readable',
      matches: [{ external_id: { kind: 'file', value: 'out/a.txt' }, matched_by: 'digest', digest }],
    })
    expect(await ask(probe, folder, { name: 'b.txt', digest })).toMatchObject({
      matches: [{ matched_by: 'attributes', differs: expect.stringContaining('ours is') }],
    })
    expect(await ask(probe, folder, { name: 'c.txt', digest })).toMatchObject({
      completeness: 'complete',
      matches: [],
    })
  })

  it('reads nothing outside the folder, through no link, and no folder that is not there', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'out'))
    symlinkSync('/etc', join(folder, 'out/etc'))
    symlinkSync('/etc/hostname', join(folder, 'out/link'))
    for (const name of ['../../etc/hostname', 'etc/hostname', 'link', 'none/x'])
      expect(await ask(probe, folder, { name, digest })).toMatchObject({ completeness: 'failed' })
    expect(await ask(probe, folder, { name: 'a', digest: 'md5:1' })).toMatchObject({ code: 'cannot_ask' })
  })
})

describe('an sql probe on SQLite', () => {
  function tickets(folder: string): void {
    const database = new Database(join(folder, 'app.db'))
    database.exec(`
      create table ticket (id integer primary key, key text, title text);
      insert into ticket values (9007199254740993, 'al-key-1', 'Disk full'), (2, 'other', 'Disk full');
    `)
    database.close()
  }
  const probe: SqlProbe = {
    kind: 'sql',
    database: 'app.db',
    query: 'select id, key, title from ticket where key = $1',
    params: ['{idempotency_key}'],
    parent: "select 1 from sqlite_master where name = 'ticket'",
    match: { key: { path: 'key' } },
    id: { kind: 'ticket', value: 'id' },
    result: '{ticket: title}',
  }

  it('finds a row by its key, with every digit of its id', async () => {
    const folder = aFolder()
    tickets(folder)
    expect(await ask(probe, folder)).toMatchObject({
      grade: 'B',
      completeness: 'complete',
      parent: 'readable',
      matches: [{ external_id: { value: '9007199254740993' }, matched_by: 'key' }],
      result: { ticket: 'Disk full' },
    })
    const none = { ...probe, params: ['nothing'] }
    expect(await ask(none, folder)).toMatchObject({
      completeness: 'complete',
      matches: [],
      parent: 'readable',
    })
  })

  it('that asks for something else sees what is in its place', async () => {
    const folder = aFolder()
    tickets(folder)
    const seen = await ask({ ...probe, params: ['other'] }, folder)
    expect(seen).toMatchObject({ matches: [{ matched_by: 'attributes', differs: expect.any(String) }] })
  })

  it.each([
    ['writes', 'delete from ticket returning id, key'],
    ['is two statements', 'select 1; delete from ticket'],
    ['attaches', "attach 'x.db' as x"],
    ['is broken', 'selec 1'],
    ['names no table', 'select * from nothing where 1 = $1'],
  ])('whose query %s failed', async (_, query) => {
    const folder = aFolder()
    tickets(folder)
    expect(await ask({ ...probe, query, params: [] }, folder)).toMatchObject({ completeness: 'failed' })
    const database = new Database(join(folder, 'app.db'), { readonly: true })
    expect(database.prepare('select count(*) as n from ticket').get()).toEqual({ n: 2 })
    database.close()
  })

  it('failed where the file is not there or no database, and makes none', async () => {
    const folder = aFolder()
    expect(await ask(probe, folder)).toMatchObject({ completeness: 'failed', code: 'unreachable' })
    writeFileSync(join(folder, 'app.db'), 'hello '.repeat(1_000))
    expect(await ask(probe, folder)).toMatchObject({ completeness: 'failed', code: 'unreachable' })
  })
})

describe('a git probe', () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  const probe: SingleProbe = {
    kind: 'git',
    remote: 'origin.git',
    ref: 'refs/heads/main',
    commit: '{input.commit}',
  }

  function aRemote() {
    const folder = aFolder()
    const work = join(folder, 'work')
    git(folder, 'init', '-q', '--bare', '-b', 'main', 'origin.git')
    git(folder, 'clone', '-q', 'origin.git', 'work')
    const commit = (text: string) => {
      git(work, 'commit', '-q', '--allow-empty', '-m', text)
      return git(work, 'rev-parse', 'HEAD')
    }
    const push = () => git(work, 'push', '-q', 'origin', 'HEAD:refs/heads/main')
    return { folder, commit, push }
  }

  it('finds the commit at the tip and below it, and not one that was never pushed', async () => {
    const { folder, commit, push } = aRemote()
    const first = commit('one')
    push()
    const at = (one: string) => ask(probe, folder, { commit: one })
    expect(await at(first)).toMatchObject({
      matches: [{ matched_by: 'digest', digest: first }],
      parent: 'readable',
    })
    const second = commit('two')
    push()
    expect(await at(first)).toMatchObject({ matches: [{ matched_by: 'digest', digest: second }] })
    const third = commit('three')
    expect(await at(third)).toMatchObject({ completeness: 'complete', matches: [] })
    const only = await ask({ ...probe, contains: false } as SingleProbe, folder, { commit: first })
    expect(only).toMatchObject({ completeness: 'complete', matches: [] })
  })

  it('failed where there is no repository, and asks for no commit that is none', async () => {
    const folder = aFolder()
    const commit = 'a'.repeat(40)
    expect(await ask(probe, folder, { commit })).toMatchObject({
      completeness: 'failed',
      code: 'unreachable',
    })
    for (const one of ['HEAD', '--upload-pack=touch pwned', 'abc'])
      expect(await ask(probe, folder, { commit: one })).toMatchObject({
        completeness: 'failed',
        code: 'cannot_ask',
      })
    const helper = { ...probe, remote: 'ext::sh -c touch% pwned' } as SingleProbe
    expect(await ask(helper, folder, { commit })).toMatchObject({ completeness: 'failed' })
  })
})

describe('an npm probe', () => {
  const probe = (registry: string): NpmProbe => ({
    kind: 'npm',
    package: 'lib-y',
    version: '{input.version}',
    integrity: 'sha512-AAA',
    registry,
  })
  const packument = (versions: object, time: object = {}) => ({ name: 'lib-y', versions, time })
  const version = (integrity: string) => ({ dist: { integrity } })

  it.each([
    [
      'its own version',
      packument({ '2.7.8': version('sha512-AAA') }),
      { matches: [{ matched_by: 'digest' }] },
    ],
    [
      'other content under its version',
      packument({ '2.7.8': version('sha512-BBB') }),
      {
        matches: [
          { differs: 'someone published different content: its integrity is sha512-BBB, ours is sha512-AAA' },
        ],
      },
    ],
    [
      'no such version',
      packument({ '2.7.7': version('x') }),
      { matches: [], parent: 'readable', disagreements: [] },
    ],
    [
      'a time and no version',
      packument({}, { '2.7.8': '2026-03-10T12:00:00Z' }),
      {
        matches: [],
        disagreements: ['time has 2.7.8 (2026-03-10T12:00:00Z)', 'versions does not have 2.7.8'],
      },
    ],
  ])('sees %s', async (_, body, expected) => {
    const { url, requests } = await aServer(json(body))
    expect(await ask(probe(url), '/', { version: '2.7.8' })).toMatchObject({
      completeness: 'complete',
      grade: 'B',
      ...expected,
    })
    expect(requests[0]?.url).toBe('/lib-y')
  })

  it('does not take a package that it may not see for one without the version', async () => {
    const { url } = await aServer(json({ error: 'not found' }, 404))
    expect(await ask(probe(url), '/', { version: '1.0.0' })).toMatchObject({
      completeness: 'complete',
      parent: 'unreadable',
    })
    const broken = await aServer(json({ error: 'maintenance' }))
    expect(await ask(probe(broken.url), '/', { version: '1.0.0' })).toMatchObject({ completeness: 'failed' })
  })
})
