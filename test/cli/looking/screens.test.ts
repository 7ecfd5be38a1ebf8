import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { bundled } from '../../support/bundled.js'
import { onTerminal } from '../terminal.js'

const PROGRAM = bundled(join(import.meta.dirname, '..', 'main-program.ts'))
const HOUR = 3_600_000

const SIZES = [
  [80, 24],
  [120, 40],
  [40, 15],
] as const

/** In doubt, waiting for an approval, settled by hand: one of each, two hours old. */
async function anAfternoon() {
  const ledger = await aLedger(Date.now() - 2 * HOUR)
  await ledger.lost({ operation_id: 'charge-1', tool: 'payments.charge', target: 'cus_9', amount: 99 })
  await ledger.prepared({ operation_id: 'wire-2', input: 2, contract: { approval: 'required' } })
  await ledger.lost({ operation_id: 'mail-3', input: 3 })
  const how = { as: 'confirmed', evidence: ['in the mail log'], reason: 'I see it' } as const
  await ledger.as('flag:ana').resolve('mail-3', how)
  const on = (argv: readonly string[], given: Parameters<typeof onTerminal>[2]) =>
    onTerminal(process.execPath, [...PROGRAM.argv, ...argv, '--ledger', ledger.path], {
      ...given,
      env: { ...PROGRAM.env, ...given?.env },
    })
  return { ...ledger, on }
}

const COMMANDS = [
  [['status'], ['in doubt', 'not sent: 1', 'agent-ledger report task-1']],
  [
    ['list', '--all'],
    ['charge-1', 'wire-2', 'mail-3', 'unknown', 'by hand (ana)'],
  ],
  [
    ['show', 'charge-1'],
    ['payments.charge', 'What you can do', 'agent-ledger resolve', 'socket hang up'],
  ],
  [
    ['report', 'task-1'],
    ['charge-1', 'wire-2', 'mail-3', 'agent-ledger approve wire-2'],
  ],
] as const

describe.each(SIZES)('on a terminal of %i columns and %i rows', (columns, rows) => {
  it.each(COMMANDS)(
    '%j says all of it, with and without colour, and moves no cursor',
    async (argv, wanted) => {
      const { on } = await anAfternoon()
      const coloured = on(argv, { columns, rows })
      expect(await coloured.ended).toBe(0)
      const plain = on(argv, { columns, rows, env: { NO_COLOR: '1' } })
      expect(await plain.ended).toBe(0)
      const unbroken = (text: string) => text.replaceAll(/\s+/g, '')
      for (const words of wanted) expect(unbroken(plain.text())).toContain(unbroken(words))
      expect(coloured.sent()).toMatch(/\u001b\[\d+m/)
      expect(plain.sent()).not.toContain('\u001b')
      // colours are all that is sent beside the text: nothing is cleared, nothing is moved
      expect(coloured.sent().replaceAll(/\u001b\[[\d;]*m/g, '')).not.toContain('\u001b')
    },
  )

  it('no row of a list is wider than the screen: what was left out is named below', async () => {
    const { on } = await anAfternoon()
    const list = on(['list', '--all'], { columns, rows, env: { NO_COLOR: '1' } })
    expect(await list.ended).toBe(0)
    const lines = list.sent().split('\r\n')
    const table = lines.filter(line => /^(?:operation|charge-1|wire-2|mail-3)\b/.test(line))
    expect(table).toHaveLength(4)
    for (const line of table) expect(line.length).toBeLessThanOrEqual(columns)
    const isWhole = ['risk', 'tool', 'task', 'why'].every(heading => table[0]?.includes(heading))
    expect(lines.some(line => line.startsWith('columns left out'))).toBe(!isWhole)
  })
})

describe('status --watch on a terminal', () => {
  it('fits the screen, follows what another process writes and a resize, and leaves the terminal as it was', async () => {
    const { on, lost } = await anAfternoon()
    const watch = on(['status', '--watch'], { columns: 40, rows: 15 })
    await watch.shows('more lines: agent-ledger status')
    expect(watch.screen()[0]).not.toBe('')
    watch.resize({ columns: 120, rows: 40 })
    await lost({ operation_id: 'charge-4', input: 4 })
    await watch.shows('2 in doubt')
    expect(watch.screen().join('\n')).not.toContain('more lines')
    watch.type('\u0003')
    expect(await watch.ended).toBe(130)
    expect(watch.sent()).toMatch(/^\u001b\[\?1049h/)
    expect(watch.sent()).toContain('\u001b[?1049l')
    expect(watch.text()).toContain('stopped looking')
    expect(watch.text()).not.toContain('in doubt')
  })
})

describe('log --follow on a terminal', () => {
  it('tells what happened and what another process writes, until ctrl-c', async () => {
    const { on, lost } = await anAfternoon()
    const log = on(['log', '--follow'], { columns: 120, rows: 40 })
    await log.shows('resolve_confirmed')
    await lost({ operation_id: 'charge-4', input: 4 })
    await log.shows('charge-4')
    log.type('\u0003')
    expect(await log.ended).toBe(130)
  })
})
