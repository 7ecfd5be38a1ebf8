import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'

const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'agent-ledger.js')

function shell(line: string, cwd: string) {
  return spawnSync('bash', ['-c', line], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, AGENT_LEDGER: 'ledger.db', A: program },
  })
}

describe('a long list', () => {
  it('S1: comes whole through a pipe, to a slow reader, and with an exit code that is not zero', async () => {
    const { store, path, ...ledger } = await aLedger()
    await Promise.all(
      Array.from({ length: 150 }, (_, i) =>
        ledger.lost({ operation_id: `op-${i}`, input: i, tool: 'x'.repeat(20_000) }),
      ),
    )
    await store.close()
    const home = dirname(path)
    const list = '"$A" list --json --as-of 2026-03-10T13:00:00Z'
    shell(`${list} > file; ${list} | cat > piped; ${list} | (sleep 1; cat) > slowly`, home)
    const { status } = shell(`${list} --exit-code > coded`, home)
    const [file, ...others] = ['file', 'piped', 'slowly', 'coded'].map(name =>
      readFileSync(join(home, name), 'utf8'),
    )
    expect(status).toBe(10)
    expect(file?.length).toBeGreaterThan(3_000_000)
    for (const other of others) expect(other === file).toBe(true)
    expect(JSON.parse(file ?? '').operations).toHaveLength(150)
  })

  it('ends quietly when its reader has had enough', async () => {
    const { store, path, ...ledger } = await aLedger()
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => ledger.prepared({ operation_id: `op-${i}`, input: i })),
    )
    await store.close()
    const { stderr, stdout } = shell('"$A" list --all --jsonl | head -1 | wc -l', dirname(path))
    expect([stdout.trim(), stderr]).toEqual(['1', ''])
  })
})

describe('looking', () => {
  it('works while another process holds the ledger locked', async () => {
    const { store, path, ...ledger } = await aLedger()
    await ledger.lost()
    const writer = new Database(path)
    writer.exec('begin immediate')
    const { status, stdout } = shell('"$A" list --unknown --jsonl --fields operation_id', dirname(path))
    writer.close()
    await store.close()
    expect([status, stdout]).toEqual([0, '{"operation_id":"ticket-1"}\n'])
  })

  it('leaves the ledger and its folder byte for byte as they were', async () => {
    const { store, path, ...ledger } = await aLedger()
    await ledger.lost()
    await store.close()
    const home = dirname(path)
    const state = () =>
      execFileSync('bash', ['-c', 'ls -lA --time-style=full-iso; sha256sum *'], {
        cwd: home,
        encoding: 'utf8',
      })
    const before = state()
    for (const line of ['status', 'list --all', 'show ticket-1', 'report', 'tasks', 'log', 'check'])
      expect(shell(`"$A" ${line}`, home).stderr).not.toContain('error')
    expect(state()).toBe(before)
  })

  it('tells a damaged ledger in one calm message and changes nothing', async () => {
    const { store, path, ...ledger } = await aLedger()
    for (let i = 0; i < 20; i++) await ledger.lost({ operation_id: `op-${i}`, input: 'x'.repeat(2_000) + i })
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0, 4096, bytes.length)
    writeFileSync(path, bytes)
    const { status, stderr } = shell('"$A" list --all', dirname(path))
    expect(status).toBe(3)
    expect(stderr).toContain(path)
    expect(stderr).not.toMatch(/ at .*\.cjs/)
    expect(stderr.split('\n').filter(line => line !== '')).toHaveLength(2)
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })
})

describe('a report written to a file', () => {
  it('can be read by its owner alone, and replaces nothing without a yes', async () => {
    const { store, path, ...ledger } = await aLedger()
    await ledger.lost()
    await store.close()
    const home = dirname(path)
    const write = '"$A" report --format markdown --output handover.md'
    expect(shell(write, home).status).toBe(0)
    expect(shell('stat -c %a handover.md', home).stdout).toBe('600\n')
    writeFileSync(join(home, 'handover.md'), 'mine')
    const refused = shell(write, home)
    expect([refused.status, readFileSync(join(home, 'handover.md'), 'utf8')]).toEqual([2, 'mine'])
    expect(refused.stderr).toContain('--yes')
    expect(shell(`${write} --yes`, home).status).toBe(0)
    expect(readFileSync(join(home, 'handover.md'), 'utf8')).toMatch(/^# Task `task-1`/)
    expect(
      shell('ls', home)
        .stdout.split('\n')
        .filter(name => name.includes('.new')),
    ).toEqual([])
  })
})

describe('starting a list', () => {
  it('loads the parser and the database and nothing heavy', async () => {
    const { store, path, ...ledger } = await aLedger()
    await ledger.lost()
    await store.close()
    const script = `process.argv.splice(1, 0, 'agent-ledger')
      const { load, entryOf, chunks } = require(${JSON.stringify(join(dirname(program), 'load.js'))})
      const files = () => JSON.stringify([...chunks.values()].map(({ filename }) => filename))
      load(entryOf(process.argv.slice(2))).main().then(() => console.error(files()))`
    const { stderr } = spawnSync(process.execPath, ['-e', script, '--', 'list', '--unknown'], {
      encoding: 'utf8',
      env: { ...process.env, AGENT_LEDGER: path },
    })
    const files: string[] = JSON.parse(stderr.slice(stderr.indexOf('[')))
    const sourcesOf = (file: string): string[] => JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources
    const packages = files
      .filter(file => file.endsWith('.cjs'))
      .flatMap(sourcesOf)
      .flatMap(source => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
    for (const light of ['better-sqlite3', 'commander']) expect(packages).toContain(light)
    for (const heavy of ['zod', 'yaml', '@msgpack/msgpack', 'string-width', 'chalk'])
      expect(packages).not.toContain(heavy)
  })
})
