import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/version.js'

const root = join(import.meta.dirname, '..', '..')

/** As bin/agent-ledger.js begins, in a script given to Node by -e. */
const CALLED = `const { load, entryOf, chunks } = require('./bin/load.js')
  process.argv.splice(1, 0, 'agent-ledger')`

/** Node's own modules that are loaded when this command line has run, beside those that are there anyway. */
async function ofNode(...argv: string[]): Promise<string[]> {
  const script = `const before = new Set(process.moduleLoadList)
    ${CALLED}
    const after = () => process.moduleLoadList.filter(name => name.startsWith('NativeModule') && !before.has(name))
    process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify(after())))
    load(entryOf(process.argv.slice(2))).main()`
  const { stderr } = await execa(process.execPath, ['-e', script, '--', ...argv], { cwd: root })
  const names: string[] = JSON.parse(stderr.slice(stderr.lastIndexOf('[')))
  return names.map(name => name.slice('NativeModule '.length)).sort()
}

/** The packages whose code is loaded when this command line runs, from the source maps of the chunks it loads. */
async function loaded(...argv: string[]) {
  const script = `${CALLED}
    const files = () => JSON.stringify([...chunks.values()].map(({ filename }) => filename))
    process.on('exit', () => require('node:fs').writeSync(2, files()))
    load(entryOf(process.argv.slice(2))).main()`
  const { stderr } = await execa(process.execPath, ['-e', script, '--', ...argv], { cwd: root })
  const files: string[] = JSON.parse(stderr.slice(stderr.lastIndexOf('[')))
  const sources = files.flatMap(file => {
    const map: { sources: string[] } = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
    return map.sources
  })
  const packages = sources.flatMap(source => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
  return { chunks: files.map(file => basename(file)), packages: [...new Set(packages)].sort() }
}

/** Packages and chunks of PostgreSQL that are loaded when this command line has run. */
async function ofPostgres(...argv: string[]): Promise<string[]> {
  const script = `${CALLED}
    const files = () => JSON.stringify([...Object.keys(require.cache), ...[...chunks.values()].map(one => one.filename)])
    process.on('exit', () => require('node:fs').writeSync(2, '\\nloaded ' + files() + '\\n'))
    load(entryOf(process.argv.slice(2))).main()`
  const { stderr } = await execa(process.execPath, ['-e', script, '--', ...argv], {
    cwd: root,
    reject: false,
  })
  const files: string[] = JSON.parse(/^loaded (.*)$/m.exec(stderr)?.[1] ?? 'null')
  const packages = files.flatMap(file => /node_modules\/(pg[^/]*)\//.exec(file)?.[1] ?? [])
  const sources = (file: string): string[] =>
    file.includes(join(root, 'dist')) && existsSync(`${file}.map`)
      ? JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources
      : []
  const ours = files.filter(file => sources(file).some(source => /store\/postgres\/(?!dialect)/.test(source)))
  return [...new Set([...packages, ...ours.map(file => basename(file))])].sort()
}

describe('starting', () => {
  it('loads the parser for --help and nothing for --version and completion', async () => {
    expect((await loaded('--help')).packages).toEqual(['commander'])
    expect((await loaded('schema', '--help')).packages).toEqual(['commander'])
    expect((await loaded('--version')).packages).toEqual([])
    expect((await loaded('complete', '--', 'li')).packages).toEqual([])
  })

  it('loads a command when it is called, and nothing of the others', async () => {
    expect((await loaded('--version')).chunks).toEqual(['main.cjs'])
    expect((await loaded('help', 'states')).chunks).toEqual([
      'main.cjs',
      'cli-commands-help.cjs',
      'cli-parse.cjs',
    ])
    expect((await loaded('--help')).chunks).toEqual([
      'main.cjs',
      'cli-parse.cjs',
      'cli-commands-declared.cjs',
    ])
    expect((await loaded('schema', 'error')).packages).toEqual(['commander', 'zod'])
  })

  it.each([
    ['list', ['--unknown']],
    ['status', []],
    ['report', ['scraper-5']],
    ['show', ['scraper-5/clears']],
  ])('has the whole of %s in one chunk, and needs little of Node', async (name, argv) => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-'))
    try {
      await execa(join(root, 'bin/agent-ledger.js'), ['demo', folder])
      const line = [name, ...argv, '--ledger', join(folder, 'ledger.db')]
      expect((await loaded(...line)).chunks).toEqual([`main-${name}.cjs`])
      // Nothing waits, and no stream stands between the text and where it goes. A status compares actions by digests.
      if (name !== 'status')
        expect(await ofNode(...line)).toEqual(['internal/abort_controller', 'os', 'process', 'vm'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('shows help without the streams and network modules of Node', async () => {
    expect(await ofNode('--help')).toEqual(['internal/abort_controller', 'os', 'process', 'vm'])
  })

  it('has no character in a chunk that would make V8 keep it in two bytes each', () => {
    const folder = join(root, 'dist', 'cli')
    const wide = readdirSync(folder)
      .filter(name => name.endsWith('.cjs'))
      .filter(name => /[^\0-\x7f]/.test(readFileSync(join(folder, name), 'utf8')))
    expect(wide).toEqual([])
  })

  it.each([
    [
      'a checkpoint',
      ['checkpoint', 'fixtures/langgraph/js-interrupt/checkpoints.sqlite', '--json'],
      ['hash-wasm'],
    ],
    ['a checkpoint of histories', ['checkpoint', 'fixtures/temporal/failed', '--json'], []],
    ['JSON lines', ['list', '--from', 'fixtures/jsonl/loose-operations/ledger.jsonl'], ['zod']],
    ['another ledger', ['report', '--from', 'fixtures/effect-ledger/states/effects.db'], []],
  ])('loads nothing of servers and screens to read %s', async (_, argv, more) => {
    const { packages } = await loaded(...argv)
    const reading = ['@msgpack/msgpack', '@noble/hashes', 'better-sqlite3', 'canonicalize', 'commander']
    expect(packages).toEqual([...reading, ...more].sort())
  })

  it.each([
    ['init'],
    ['status'],
    ['list', '--all'],
    ['report'],
    ['log'],
    ['check'],
    ['verify'],
    ['doctor'],
    ['note', 'op-1', 'seen', '--yes'],
    ['exec', '--task', 't', '--op', 'made', '--tool', 'x', '--', 'true'],
  ])('loads nothing of PostgreSQL for %s while the ledger is a file', async (...argv) => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-'))
    try {
      const ledger = join(folder, 'ledger.db')
      await execa(join(root, 'bin/agent-ledger.js'), ['init', '--ledger', ledger])
      expect(await ofPostgres(...argv, '--ledger', ledger)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('loads what PostgreSQL needs where the ledger is there', async () => {
    const found = await ofPostgres('status', '--wait', '1ms', '--ledger', 'postgresql://ana@127.0.0.1:1/x')
    expect(found.some(name => name.endsWith('.cjs'))).toBe(true)
  })

  it.each(['main', 'main-list', 'main-show', 'tui-run-screen'])(
    'starts %s with the code that was made when it was built',
    async chunk => {
      const script = `const { load, chunks } = require('./bin/load.js')
      load('${chunk}')
      console.log(chunks.get('${chunk}').script.cachedDataRejected)`
      const { stdout } = await execa(process.execPath, ['-e', script], { cwd: root })
      expect(stdout).toBe('false')
    },
  )

  it('makes the layout engine of the screen ready without an HTTP client', async () => {
    const script = `require('./bin/load.js').load('tui-run-screen')
      process.on('exit', () => console.log(process.moduleLoadList.filter(name => name.includes('undici')).length))`
    const { stdout } = await execa(process.execPath, ['-e', script], { cwd: root })
    expect(stdout).toBe('0')
  })

  it('tells the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(VERSION).toBe(version)
    const { stdout } = await execa(join(root, 'bin/agent-ledger.js'), ['--version'])
    expect(stdout).toBe(`agent-ledger ${version}`)
  })

  it('gives the versions as a document with --json', async () => {
    const { stdout } = await execa(join(root, 'bin/agent-ledger.js'), ['--version', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'agent-ledger/version@1',
      version: VERSION,
      node: process.versions.node,
    })
  })
})
