import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { aDirectory } from '../../store/support/places.js'
import { EXAMPLE, PROGRAM, python, requirePython } from './python.js'

beforeAll(() => requirePython('langgraph', 'langgraph.checkpoint.sqlite'))

test('A Python graph killed after the service opened its ticket is taken over, and one ticket exists', async () => {
  const env = { AGENT_LEDGER_BIN: PROGRAM.join(' ') }
  const { stdout, exitCode } = await python([join(EXAMPLE, 'run.py'), join(aDirectory(), 'demo')], {
    env,
  })
  expect(exitCode).toBe(0)
  const told = String(stdout)
  expect(told).toContain('(signal 9)')
  expect(told).toMatch(/tickets\.open\tin_flight, in doubt/)
  expect(told).toContain('a resume begins with: open_ticket')
  expect(told).toContain('agent: paused; the ticket may be open, so it was not sent again')
  expect(told).toContain('unknown → confirmed')
  expect(told.trimEnd()).toMatch(/agent: done; the ticket is TICKET-1\n\n# .*\ntickets: 1$/)
})
