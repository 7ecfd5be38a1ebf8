import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { VERSION } from '../../src/version.js'

const root = join(import.meta.dirname, '..', '..')

/** The packages whose code is loaded when this command line runs, from the source maps of the chunks it loads. */
async function loaded(...argv: string[]) {
  const script = `const { load, chunks } = require('./bin/load.js')
    process.argv.splice(1, 0, 'agent-ledger')
    const files = () => JSON.stringify([...chunks.values()].map(({ filename }) => filename))
    load('main').main().then(() => console.error(files()))`
  const { stderr } = await execa(process.execPath, ['-e', script, '--', ...argv], { cwd: root })
  const files: string[] = JSON.parse(stderr.slice(stderr.lastIndexOf('[')))
  const sources = files.flatMap(file => {
    const map: { sources: string[] } = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
    return map.sources
  })
  const packages = sources.flatMap(source => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
  return { chunks: files.map(file => basename(file)), packages: [...new Set(packages)].sort() }
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
    expect((await loaded('help')).chunks).toEqual(['main.cjs', 'cli-parse.cjs', 'cli-commands-help.cjs'])
    expect((await loaded('schema', 'error')).packages).toEqual(['commander', 'zod'])
  })

  it.each([
    [
      'a checkpoint',
      ['checkpoint', 'fixtures/langgraph/js-interrupt/checkpoints.sqlite', '--json'],
      ['hash-wasm'],
    ],
    ['a checkpoint of histories', ['checkpoint', 'fixtures/temporal/failed', '--json'], []],
    ['JSON lines', ['list', '--from', 'fixtures/jsonl/loose-operations/ledger.jsonl'], []],
    ['another ledger', ['report', '--from', 'fixtures/effect-ledger/states/effects.db'], []],
  ])('loads nothing of servers, screens and schemas to read %s', async (_, argv, more) => {
    const { packages } = await loaded(...argv)
    const reading = ['@msgpack/msgpack', 'better-sqlite3', 'canonicalize', 'commander']
    expect(packages).toEqual([...reading, ...more].sort())
  })

  it('starts with the code that was made when the chunks were built', async () => {
    const script = `const { load, chunks } = require('./bin/load.js')
      load('main')
      console.log(chunks.get('main').script.cachedDataRejected)`
    const { stdout } = await execa(process.execPath, ['-e', script], { cwd: root })
    expect(stdout).toBe('false')
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
