import { beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../../src/ledger.js'
import { aPath } from '../../execute/support/ledgers.js'
import { PROGRAM, python, requirePython } from './python.js'

beforeAll(() => requirePython())

const PRELUDE = `
import json, sys
from ledger import Ledger, LedgerError, NotExecuted
path, *command = sys.argv[1:]
ledger = Ledger(path, command, lease_ms=LEASE)
def run(handler, operation_id="op-1", input={"order": 9}):
    return ledger.run(handler, operation_id=operation_id, task_id="task-1", tool="refunds.create", input=input)
def fail(error):
    raise error
`

describe('The Python client', () => {
  test('hands over the key and the attempt, and answers a second time from the record', async () => {
    const told = await said(`
      print(json.dumps(run(lambda sent: {"id": "re_1", "key": sent["idempotency_key"][:3], "attempt": sent["attempt"]})))
      print(json.dumps(run(lambda sent: fail(AssertionError("not again")))))
    `)
    const result = { id: 're_1', key: 'al-', attempt: 1 }
    expect(told).toEqual([
      { status: 'confirmed', result, replayed: false },
      { status: 'confirmed', result, replayed: true },
    ])
  })

  test.each([
    ['a refusal for certain', 'NotExecuted("the order is closed")', 'not_executed'],
    ['a refused connection', 'ConnectionRefusedError("refused")', 'not_executed'],
    [
      'one inside of what urllib raises',
      '__import__("urllib.error").error.URLError(ConnectionRefusedError("refused"))',
      'not_executed',
    ],
    ['a name that was not found', '__import__("socket").gaierror("no such host")', 'not_executed'],
    ['a reset', 'ConnectionResetError("reset")', 'unknown'],
    ['a time limit', 'TimeoutError("timed out")', 'unknown'],
    ['a bug', 'KeyError("id")', 'unknown'],
  ])('reads how the handler ended: %s', async (_, error, status) => {
    const [first, second] = await said(`
      print(json.dumps(run(lambda sent: fail(${error}))))
      print(json.dumps(run(lambda sent: {"id": "re_2"})))
    `)
    expect(first.status).toBe(status)
    // Only what certainly did not happen is sent a second time.
    expect(second.status).toBe(status === 'unknown' ? 'unknown' : 'confirmed')
  })

  test('records a stop of the whole program before it stops', async () => {
    const [told] = await said(`
      try:
          run(lambda sent: fail(KeyboardInterrupt()))
      except KeyboardInterrupt:
          print(json.dumps(run(lambda sent: {"id": "re_2"})))
    `)
    expect(told.status).toBe('unknown')
  })

  test('refuses another input under the same id', async () => {
    const [told] = await said(`
      run(lambda sent: 1)
      try:
          run(lambda sent: 2, input={"order": 10})
      except LedgerError as error:
          print(json.dumps(error.error))
    `)
    expect(told).toMatchObject({ code: 'different_input' })
  })

  test('renews its lease while a handler takes longer', async () => {
    const [told] = await said(
      `
      import time
      print(json.dumps(run(lambda sent: time.sleep(1.5))))
    `,
      300,
    )
    expect(told).toMatchObject({ status: 'confirmed', replayed: false })
  })
})

// Our own JSON: the fields a test reads are what it checks.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
async function said(script: string, leaseMs = 60_000): Promise<any[]> {
  const path = aPath()
  await (await openLedger(path, { telemetry: false })).close()
  const body = script.replaceAll(/^ {6}/gm, '')
  const program = `${PRELUDE.replace('LEASE', String(leaseMs))}${body}\nledger.close()`
  const { stdout, stderr, exitCode } = await python(['-c', program, path, ...PROGRAM])
  expect([exitCode, stderr]).toEqual([0, ''])
  return String(stdout)
    .split('\n')
    .map(line => JSON.parse(line))
}
