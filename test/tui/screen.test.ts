import { readdirSync, readlinkSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { onTerminal } from '../cli/terminal.js'
import { GIVEN_BACK, pause, sampleLedger, screenOf, started, until } from './on-screen.js'

const UP = '\u001b[A'
const DOWN = '\u001b[B'

describe('the screen on a terminal', () => {
  it('shows the list, and leaves the terminal as it was', async () => {
    const screen = await started()
    expect(screen.head()).toContain('in doubt')
    expect(screen.selected()).toContain('scraper-5/clears')
    screen.type('q')
    expect(await screen.ended).toBe(0)
    expect(screen.sent().startsWith('\u001b[?1049h')).toBe(true)
    expect(screen.sent().endsWith(GIVEN_BACK)).toBe(true)
    expect(screen.text()).toBe('')
  })

  it('moves with letters, arrows and sequences that come in pieces', async () => {
    const screen = await started()
    screen.type('jj')
    await until(() => screen.selected().includes('scraper-5/links'))
    screen.type(DOWN)
    await until(() => screen.selected().includes('scraper-5/markup'))
    screen.type('\u001b')
    await pause(5)
    screen.type('[A')
    await until(() => screen.selected().includes('scraper-5/links'))
    screen.type(`${UP}${UP}`)
    await until(() => screen.selected().includes('scraper-5/clears'))
    screen.type('G')
    await until(() => screen.head().includes('33/33'))
    screen.type('\u0003')
    expect(await screen.ended).toBe(130)
  })

  it('never clears the screen, and writes only what changed', async () => {
    const screen = await started({ columns: 100, rows: 30 })
    await screen.shows('Operation scraper-5/clears')
    const before = screen.sent().length
    screen.type('j')
    await until(() => screen.selected().includes('scraper-5/copies'))
    const written = screen.sent().slice(before)
    expect(written.length).toBeLessThan(1_300)
    expect(screen.sent()).not.toMatch(/\u001b\[[23]J/)
    screen.type('q')
    await screen.ended
  })

  it('filters while it is typed, and Esc takes the filter away but never leaves', async () => {
    const screen = await started()
    screen.type('/state:prepared')
    await until(() => screen.head().includes('filter state:prepared'))
    expect(screen.text()).not.toContain('scraper-5/clears')
    screen.type('\r')
    await pause(60)
    screen.type('\u001b')
    await until(() => !screen.head().includes('filter'))
    screen.type('\u001b')
    screen.type('j')
    await until(() => screen.selected() !== '')
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('O2: finds what a person settled by hand, and the list says who', async () => {
    const screen = await started()
    screen.type('/by:lee state:hand')
    await until(() => screen.head().includes('by:lee state:hand'))
    expect(screen.selected()).toContain('by hand (lee)')
    screen.type('\u0003')
    await screen.ended
  })

  it('opens an operation, its report and its history', async () => {
    const screen = await started()
    await screen.select('release-2.8.0/npm')
    screen.type('\r')
    await screen.shows('Operation release-2.8.0/npm: unknown')
    screen.type('t')
    await screen.shows('Task release-2.8.0')
    screen.type('t')
    await screen.shows('History, oldest first')
    screen.type('q')
    await until(() => screen.selected().includes('release-2.8.0/npm'))
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('follows the terminal to any size and back', async () => {
    const screen = await started({ columns: 120, rows: 40 })
    await screen.shows('Operation scraper-5/clears')
    screen.resize({ columns: 40, rows: 15 })
    await until(() => screen.screen().length === 15 && !screen.screen().join('').includes('Operation'))
    await until(() => /1\/33$/.test(screen.screen()[1] ?? ''))
    screen.resize({ columns: 30, rows: 5 })
    await until(() => screen.screen()[0]?.startsWith('too small (30x5)') === true)
    screen.resize({ columns: 120, rows: 40 })
    // the emulator still has cells of the wider screen from before: its first line was written over
    await until(() => /^\? \d+ in doubt/.test(screen.screen()[0] ?? ''))
    await until(() => screen.screen().join('\n').includes('Operation scraper-5/clears'))
    const heads = screen.screen().filter(line => line.includes('in doubt, !'))
    expect(heads).toHaveLength(1)
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('gives the terminal back on %s', async (signal, code) => {
    const screen = await started()
    process.kill(screen.pid, signal)
    expect(await screen.ended).toBe(code)
    expect(screen.sent()).toContain(GIVEN_BACK)
  })

  it('goes to the shell and comes back, twice', async () => {
    const ledger = await sampleLedger()
    const shell = onTerminal('bash', ['--norc', '--noprofile', '-i'], {
      env: { PS1: 'ready> ', AGENT_LEDGER: ledger, NODE: process.execPath },
      cwd: join(import.meta.dirname, '../..'),
    })
    await shell.shows('ready>')
    shell.type('"$NODE" bin/agent-ledger.js triage\r')
    await shell.shows('a act')
    for (const place of ['2/33', '3/33']) {
      shell.type('\u001a')
      await shell.shows('Stopped')
      shell.type('fg\r')
      await shell.shows('a act')
      shell.type('j')
      await shell.shows(place)
    }
    shell.type('q')
    await until(() => !shell.text().includes('a act'))
    shell.type('stty -a | grep -o " icanon"; exit\r')
    await shell.ended
    expect(shell.text()).toContain(' icanon')
  })

  it('gives the terminal back when a component of it fails, and says so', async () => {
    const ledger = await sampleLedger()
    const failing = onTerminal(process.execPath, [
      '--import',
      'tsx',
      join(import.meta.dirname, 'failing-program.ts'),
      ledger,
    ])
    await failing.shows('broken on purpose')
    expect(await failing.ended).toBe(1)
    expect(failing.sent()).toContain(GIVEN_BACK)
  })

  it('says when the ledger is gone, and goes on once it is back', async () => {
    const screen = await started()
    renameSync(screen.path, `${screen.path}.away`)
    await until(() => screen.head().includes('looking again'))
    expect(screen.selected()).toContain('scraper-5/clears')
    renameSync(`${screen.path}.away`, screen.path)
    await until(() => !screen.head().includes('looking again'))
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('holds no file of the ledger between two looks, so that it can be left open overnight', async () => {
    const screen = await started()
    const open = () =>
      readdirSync(`/proc/${screen.pid}/fd`).filter(fd => {
        try {
          return readlinkSync(`/proc/${screen.pid}/fd/${fd}`).startsWith(screen.path)
        } catch {
          return false
        }
      })
    await until(() => open().length === 0)
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('says that the ledger is of a newer schema, and keeps what it shows', async () => {
    const screen = await started()
    const other = new Database(screen.path)
    const version = other.pragma('user_version', { simple: true })
    other.pragma('user_version = 99')
    await until(() => screen.head().includes('looking again'))
    expect(screen.head()).toMatch(/newer|schema/)
    expect(screen.selected()).toContain('scraper-5/clears')
    other.pragma(`user_version = ${version}`)
    other.close()
    await until(() => !screen.head().includes('looking again'))
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('says that the ledger is locked, and goes on once it is let go', async () => {
    const screen = await started({ args: ['--wait', '200ms'] })
    const other = new Database(screen.path)
    other.pragma('locking_mode = exclusive')
    other.exec('begin immediate; create table if not exists held (id integer); commit')
    await until(() => screen.head().includes('looking again'))
    screen.type('j')
    await until(() => screen.selected().includes('scraper-5/copies'))
    other.close()
    await until(() => !screen.head().includes('looking again'))
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('P9: keeps the log small while a writer adds 200,000 entries beside the idle screen', async () => {
    const screen = await started()
    const writer = new Database(screen.path)
    writer.pragma('synchronous = off')
    writer.exec('create table entries (id integer primary key, said text)')
    const write = writer.prepare('insert into entries (said) values (?)')
    const entry = 'x'.repeat(300)
    let largest = 0
    // Each a commit of its own, over several looks of the screen.
    for (let batch = 0; batch < 200; batch++) {
      for (let n = 0; n < 1_000; n++) write.run(entry)
      largest = Math.max(largest, statSync(`${screen.path}-wal`).size)
      await pause(20)
    }
    writer.close()
    expect(largest).toBeLessThan(64 * 1024 * 1024)
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('ends when its terminal is closed, and leaves no process behind', async () => {
    const screen = await started()
    screen.hangUp()
    await until(() => !isRunning(screen.pid))
  })

  it.each([
    ['CI=true', { CI: 'true' }, true],
    ['NO_COLOR', { NO_COLOR: '1' }, false],
  ] as const)('works with %s', async (_, env, hasColour) => {
    const screen = await started({ env })
    expect(screen.selected()).toContain('scraper-5/clears')
    expect(/\u001b\[(?:3\d|[127])m/.test(screen.sent())).toBe(hasColour)
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('lets no text of others act on the terminal', async () => {
    const screen = await started({ columns: 120, rows: 40 })
    await screen.shows('Operation scraper-5/clears')
    screen.type('jj')
    await screen.shows('Operation scraper-5/links')
    expect(screen.text()).toContain('␛]8;;')
    expect(screen.sent()).not.toMatch(/\u001b\]|\u0007|\u202e/)
    screen.type('q')
    await screen.ended
  })

  it('takes a paste for no keys', async () => {
    const screen = await started()
    screen.type('\u001b[200~qqA\u001b[201~')
    await screen.shows('a paste does nothing here')
    screen.type('q')
    expect(await screen.ended).toBe(0)
  })

  it('refuses without a terminal, and names what works there', async () => {
    const { execa } = await import('execa')
    const program = join(import.meta.dirname, '../../bin/agent-ledger.js')
    const { exitCode, stderr } = await execa(process.execPath, [program, 'triage'], {
      reject: false,
      stdin: 'ignore',
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('agent-ledger list')
  })

  it('says what is wrong before it takes the terminal over', async () => {
    const screen = await screenOf({ ledger: join(await sampleLedger(), '../none.db') })
    expect(await screen.ended).toBe(3)
    expect(screen.sent()).not.toContain('\u001b[?1049h')
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
