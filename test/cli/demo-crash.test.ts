import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const CLI = join(dirname(dirname(import.meta.dirname)), 'bin/agent-ledger.js')
const cwd = mkdtempSync(join(tmpdir(), 'agent-ledger-demo-'))
const agentLedger = (...args: string[]) => execa(process.execPath, [CLI, ...args], { cwd, reject: false })
let told: Awaited<ReturnType<typeof agentLedger>>

beforeAll(async () => {
  told = await agentLedger('demo', '--crash', 'story')
})
afterAll(() => rmSync(cwd, { recursive: true }))

describe('agent-ledger demo --crash', () => {
  test('tells of a process really killed and of one ticket', () => {
    expect(told.stderr).toBe('no task was named: this is alert-4711 (1 in doubt, the oldest doubt there is)')
    expect(told.exitCode).toBe(0)
    expect(told.stdout).toContain('SIGKILL')
    expect(told.stdout).toContain('not sent again')
    expect(told.stdout).toContain('the ticket is open: TICKET-1 (from the ledger)')
    expect(told.stdout).toContain('tickets: 1   requests to open one: 1')
  })

  test('stays short enough to be read', () => {
    expect(told.stdout.split('\n').length).toBeLessThanOrEqual(70)
  })

  test('leaves the ledger, with the operation settled by hand', async () => {
    const { stdout } = await agentLedger('list', '--all', '--json', '--ledger', 'story/ledger.db')
    expect(JSON.parse(stdout).operations).toMatchObject([
      { tool: 'tickets.open', status: 'confirmed', in_doubt: false, attempts: 1, by_hand: {} },
    ])
  })

  test('prints commands that can be typed: each of them works on the ledger it left', async () => {
    const lines = told.stdout.split('\n').filter(line => line.startsWith('$ agent-ledger '))
    const looks = lines.filter(line => !line.includes(' resolve '))
    expect(looks.length).toBeGreaterThanOrEqual(3)
    for (const line of looks) {
      const script = `agent-ledger() { "${process.execPath}" "${CLI}" "$@"; }; ${line.slice(2)}`
      const typed = await execa('bash', ['-c', script], { cwd, env: { AGENT_LEDGER: 'story/ledger.db' } })
      expect(typed.exitCode).toBe(0)
    }
  })

  test('refuses a folder that holds a ledger, and leaves that ledger alone', async () => {
    const again = await agentLedger('demo', '--crash', 'story')
    expect(again.exitCode).toBe(2)
    expect(again.stderr).toContain(join('story', 'ledger.db'))
    expect(existsSync(join(cwd, 'story/ledger.db'))).toBe(true)
  })
})
