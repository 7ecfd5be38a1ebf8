import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PhaseAbout } from '../../src/ledger/phases.js'
import { aLedger } from '../execute/support/ledgers.js'
import { aDirectory } from '../store/support/places.js'

async function aWorkspace() {
  const workspace = aDirectory()
  const opened = await aLedger()
  await opened.ledger.task('t', { workspace })
  const write = (name: string, text: string) => writeFileSync(join(workspace, name), text)
  const calls: string[] = []
  const phase = (name: string, about: Omit<PhaseAbout, 'task'> = {}, work: () => unknown = () => name) =>
    opened.ledger.phase(name, { task: 't', ...about }, () => {
      calls.push(name)
      return work()
    })
  const states = async (follow = false) => {
    const { document } = await opened.ledger.report('t', { follow })
    return Object.fromEntries(document.phases.map(({ phase: name, recorded }) => [name, recorded?.state]))
  }
  return { ...opened, workspace, write, phase, states, calls }
}

describe('a phase', () => {
  it('is done once, and its result comes back while input and artifact are as they were', async () => {
    const { write, phase, calls } = await aWorkspace()
    write('in.txt', 'a')
    const about = { inputRevision: 'file:in.txt', artifact: 'file:out.txt' }
    const build = () => {
      write('out.txt', 'built')
      return { size: 5 }
    }
    expect(await phase('build', about, build)).toMatchObject({ reused: false, result: { size: 5 }, why: [] })
    expect(await phase('build', about, build)).toMatchObject({ reused: true, result: { size: 5 } })
    write('in.txt', 'b')
    const again = await phase('build', about, build)
    expect(again.reused).toBe(false)
    expect(again.why[0]).toMatch(/^its input file:in\.txt was sha256:.*…[0-9a-f]{8} and is sha256:/)
    expect(calls).toEqual(['build', 'build'])
  })

  it('is done again when what it left was changed or removed', async () => {
    const { write, phase, states, workspace } = await aWorkspace()
    const about = { artifact: 'file:out.txt' }
    await phase('build', about, () => write('out.txt', 'built'))
    expect(await states()).toEqual({ build: 'reusable' })
    write('out.txt', 'by hand')
    expect(await states()).toEqual({ build: 'invalid' })
    rmSync(join(workspace, 'out.txt'))
    expect((await phase('build', about, () => write('out.txt', 'x'))).why).toEqual([
      'its artifact file:out.txt is gone',
    ])
  })

  it('takes down with it those that are built on it, and those alone', async () => {
    const { write, phase, states } = await aWorkspace()
    write('a', '1')
    await phase('fetch', { inputRevision: 'file:a', artifact: 'a text' })
    await phase('build', { basedOn: ['fetch'] })
    await phase('test', { basedOn: ['build'] })
    await phase('docs', { inputRevision: 'v1' })
    write('a', '2')
    expect(await states()).toEqual({ fetch: 'invalid', build: 'invalid', test: 'invalid', docs: 'reusable' })
    await expect(phase('deploy', { basedOn: ['test'] })).rejects.toMatchObject({
      code: 'refused',
      rule: 'base_valid',
    })
  })

  it('is replaced by a later one that changed the same artifact on purpose, and not by a stranger', async () => {
    const { write, phase, ledger } = await aWorkspace()
    await phase('load', { artifact: 'file:db' }, () => write('db', 'H1'))
    await phase('index', { artifact: 'file:db' }, () => write('db', 'H2'))
    const recorded = async () => (await ledger.report('t')).document.phases.map(one => one.recorded)
    expect(await recorded()).toMatchObject([
      { state: 'reusable', why: ['its artifact was replaced by index'] },
      { state: 'reusable', why: [] },
    ])
    write('db', 'H3')
    expect(await recorded()).toMatchObject([{ state: 'invalid' }, { state: 'invalid' }])
  })

  it('that failed, or never ended, is done again', async () => {
    const { phase, states, ledger } = await aWorkspace()
    const failing = () => Promise.reject(new Error('no disk'))
    await expect(phase('build', {}, failing)).rejects.toThrow('no disk')
    expect(await states()).toEqual({ build: 'failed' })
    expect((await phase('build')).why).toEqual(['it failed'])
    await ledger.record('phase', { task_id: 't', name: 'cut', status: 'running' })
    expect((await phase('cut')).why).toEqual(['it was begun and never ended'])
  })

  it('is completed only with its artifact there', async () => {
    const { phase, states } = await aWorkspace()
    await expect(phase('build', { artifact: 'file:nothing' })).rejects.toMatchObject({
      rule: 'artifact_there',
    })
    expect(await states()).toEqual({ build: 'failed' })
  })

  it('is known by a commit and by what differs from it, a folder, and any text', async () => {
    const { write, phase, workspace } = await aWorkspace()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: workspace })
    git('init', '-q')
    write('x', '1')
    git('add', '.')
    git('commit', '-qm', 'x')
    mkdirSync(join(workspace, 'dist'))
    const about = { inputRevision: 'git:.', artifact: 'folder:dist' }
    const build = () => write('dist/a', '1')
    git('config', 'core.excludesFile', join(workspace, '.git', 'none'))
    writeFileSync(join(workspace, '.git', 'info', 'exclude'), 'dist\n')
    expect((await phase('build', about, build)).phase.input_revision).toMatch(/^git:[0-9a-f]{40}$/)
    expect((await phase('build', about, build)).reused).toBe(true)
    write('x', '2')
    expect((await phase('build', about, build)).reused).toBe(false)
    write('dist/b', '1')
    expect((await phase('build', about, build)).reused).toBe(false)
    write('new', '1')
    expect((await phase('build', about, build)).reused).toBe(false)
    write('new', '2')
    expect((await phase('build', about, build)).reused).toBe(false)
    // the ledger that lies there itself
    mkdirSync(join(workspace, '.agent-ledger'))
    write('.agent-ledger/ledger.db', '1')
    expect((await phase('build', about, build)).reused).toBe(true)
  })

  it('looks at nothing outside the workspace unless it is told to', async () => {
    const { phase, states, workspace } = await aWorkspace()
    const outside = join(aDirectory(), 'secret')
    writeFileSync(outside, 's')
    symlinkSync(outside, join(workspace, 'link'))
    for (const inputRevision of [`file:${outside}`, 'file:../x', 'file:link'])
      await expect(phase('p', { inputRevision })).rejects.toThrow('lies outside the workspace')
    await phase('p', { inputRevision: 'file:link', follow: true })
    expect(await states()).toEqual({ p: 'not_checked' })
    expect(await states(true)).toEqual({ p: 'reusable' })
  })

  it('is not written by a run that was fenced off, nor in place of what somebody else wrote', async () => {
    const { ledger, phase } = await aWorkspace()
    const fenced = phase('p', {}, async () => {
      await ledger.takeover('t', 'stop')
      await ledger.handback('t')
    })
    await expect(fenced).rejects.toMatchObject({ code: 'conflict', rule: 'phase_as_seen' })
  })

  it('stands in the chain: verify finds one that was changed, inserted or removed', async () => {
    const { ledger, phase, path } = await aWorkspace()
    await phase('p')
    await phase('q')
    expect((await ledger.verify()).findings).toEqual([])
    const { default: Database } = await import('better-sqlite3')
    const database = new Database(path)
    database.exec(`update ledger_phase set result = '"other"' where name = 'p'`)
    database.exec(`delete from ledger_phase where name = 'q'`)
    database.close()
    expect((await ledger.verify()).findings.map(({ rule }) => rule)).toEqual([
      'phase_differs',
      'phase_missing',
    ])
  })
})

describe('record phase', () => {
  it('answers whether it may be reused, and ends what it began', async () => {
    const { ledger, write } = await aWorkspace()
    const tell = (about: object) => ledger.record('phase', { task_id: 't', name: 'build', ...about })
    const begin = { status: 'running', input: 'v1', artifact: 'file:out' }
    expect(await tell(begin)).toMatchObject({ ok: true, reused: false, why: [] })
    write('out', '1')
    expect(await tell({ status: 'completed', result: { n: 1 } })).toMatchObject({ ok: true })
    expect(await tell(begin)).toMatchObject({ ok: true, reused: true, result: { n: 1 } })
    expect(await tell({ status: 'completed' })).toMatchObject({ ok: false, error: { rule: 'phase_begun' } })
  })
})

describe('handoff notes', () => {
  it('are told by their kind, and stand in the report', async () => {
    const { ledger } = await aLedger()
    const task = await ledger.task('t')
    await task.note({ finding: 'the gateway drops long bodies', evidence: 'req 17' })
    await ledger.note({ task: 't', open: 'two of five hosts' })
    await ledger.note({ task: 't', hypothesis: 'disk full', result: 'excluded' })
    await ledger.note({ task: 't', workspace: '/srv/w', diff: 'git:abc..def' })
    await ledger.note({ task: 't', summary: 'all went well', model: 'm-1' })
    expect(await ledger.record('note', { task_id: 't', remark: 'by a program' })).toMatchObject({ ok: true })
    const { document } = await ledger.report('t')
    expect(document.notes.map(({ kind }) => kind)).toEqual([
      'finding',
      'open',
      'hypothesis',
      'workspace',
      'summary',
      'remark',
    ])
    expect(document.notes[0]?.body).toEqual({ finding: 'the gateway drops long bodies', evidence: 'req 17' })
  })

  it.each([
    { finding: 'x' },
    { finding: 'x', evidence: '' },
    { hypothesis: 'x', result: 'maybe' },
    { finding: 'x', evidence: 1, open: 'y' },
    { opne: 'y' },
    { summary: 's' },
    {},
  ])('refuse what is none: %j', async told => {
    const { ledger } = await aLedger()
    await ledger.task('t')
    await expect(ledger.note({ task: 't', ...told } as never)).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
