import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { decisionCode } from '../../../src/core/decision-code.js'
import { openStoreForReading } from '../../../src/store/open.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { bundled } from '../../support/bundled.js'
import { onTerminal } from '../terminal.js'

const PROGRAM = bundled(join(import.meta.dirname, '..', 'main-program.ts'))
const HOUR = 3_600_000
const EVIL = 'it is there\u001b]52;c;cm0=\u0007\u202egnp'

/** An operation whose answer was lost two hours ago, and the command line on a real terminal. */
async function lostOn() {
  const ledger = await aLedger(Date.now() - 2 * HOUR)
  await ledger.lost()
  await ledger.store.close()
  const { path } = ledger
  const terminal = (argv: readonly string[], env: Record<string, string> = {}) =>
    onTerminal(process.execPath, [...PROGRAM.argv, ...argv, '--ledger', path, '--by', 'ana'], {
      columns: 120,
      env: { ...PROGRAM.env, ...env },
    })
  const status = async () => {
    const store = await openStoreForReading({ url: path })
    const record = await store.operation('ticket-1')
    await store.close()
    return record?.operation.status
  }
  return { terminal, status, path }
}

const seen = [
  'resolve',
  'ticket-1',
  '--as',
  'confirmed',
  '--evidence',
  'https://tickets/T-1',
  '--reason',
  'there',
]
const absent = [
  'resolve',
  'ticket-1',
  '--as',
  'not-executed',
  '--evidence',
  'no line in the log',
  '--reason',
  'never left',
]

describe('a decision on a real terminal', () => {
  it('shows what it would do and waits; Enter alone is no', async () => {
    const { terminal, status } = await lostOn()
    const screen = terminal(seen)
    await screen.shows('Resolve ticket-1 as confirmed? [y/N]')
    expect(screen.text()).toContain('ticket-1: unknown → confirmed (version 3 → 4)')
    expect(screen.text()).toContain('evidence: https://tickets/T-1')
    screen.type('\r')
    expect(await screen.ended).toBe(130)
    expect(screen.text()).toContain('declined; nothing was written')
    expect(await status()).toBe('unknown')
  })

  it('carries it out on y, and prints what takes it back', async () => {
    const { terminal, status } = await lostOn()
    const screen = terminal(seen, { CI: 'true' })
    await screen.shows('[y/N]')
    screen.type('y\r')
    expect(await screen.ended).toBe(0)
    expect(screen.text()).toContain('undo: agent-ledger reopen')
    expect(await status()).toBe('confirmed')
  })

  it('wants the code beside the id where it may be sent again', async () => {
    const { terminal, status } = await lostOn()
    const code = decisionCode('ticket-1', 3)
    const hasty = terminal(absent)
    await hasty.shows(`Type ${code} to confirm:`)
    hasty.type('y\r')
    expect(await hasty.ended).toBe(130)
    const careful = terminal(absent)
    await careful.shows(`code ${code}`)
    await careful.shows('to confirm:')
    careful.type(`${code.toLowerCase()}\r`)
    expect(await careful.ended).toBe(0)
    expect(await status()).toBe('not_executed')
  })

  it('asks for what was left out, and sends no control sequence of what was typed', async () => {
    const { terminal, status } = await lostOn()
    const screen = terminal(['resolve', 'ticket-1', '--as', 'confirmed', '--reason', EVIL])
    await screen.shows('Evidence (a link, an id, what you saw):')
    screen.type('the ticket is there\r')
    await screen.shows('[y/N]')
    screen.type('yes\r')
    expect(await screen.ended).toBe(0)
    expect(screen.sent()).not.toContain('\u001b]52')
    expect(screen.sent()).not.toContain('\u202e')
    expect(screen.text()).toContain('␛]52;c;cm0=␇<U+202E>gnp')
    expect(await status()).toBe('confirmed')
  })

  it.each([
    ['ctrl-c', '\u0003', 130],
    ['the end of input', '\u0004', 130],
  ])('takes %s for no', async (_, key, code) => {
    const { terminal, status } = await lostOn()
    const screen = terminal(seen)
    await screen.shows('[y/N]')
    screen.type(key)
    expect(await screen.ended).toBe(code)
    expect(await status()).toBe('unknown')
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends with the code of %s, nothing decided', async (signal, code) => {
    const { terminal, status } = await lostOn()
    const screen = terminal(seen)
    await screen.shows('[y/N]')
    process.kill(screen.pid, signal)
    expect(await screen.ended).toBe(code)
    expect(await status()).toBe('unknown')
  })

  it('decides for the version that was shown: what changed meanwhile refuses it', async () => {
    const { terminal, path } = await lostOn()
    const slow = terminal(seen)
    await slow.shows('[y/N]')
    const quick = terminal(['cancel', 'ticket-1', '--reason', 'not wanted', '--yes'])
    expect(await quick.ended).toBe(0)
    slow.type('y\r')
    expect(await slow.ended).toBe(5)
    expect(slow.text()).toContain('ticket-1 is unknown at version 4 now, you looked at version 3')
    expect(slow.text()).toContain('by: flag:ana')
    const store = await openStoreForReading({ url: path })
    expect((await store.operation('ticket-1'))?.operation.status).toBe('unknown')
    await store.close()
  })
})
