import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

const seen = ['--as', 'confirmed', '--evidence', 'x', '--reason', 'y']
const why = ['--reason', 'y', '--yes']

async function lost() {
  const ledger = await aLedger(Date.now() - 7_200_000)
  await ledger.lost()
  return ledger
}

type Run = (argv: readonly string[], given?: Parameters<typeof runCli>[1]) => Promise<number>

/** How each code of the commands that decide and keep is reached; 129 and 143 need a process (terminal.test.ts). */
const REACHED: readonly [number, string, (run: Run, path: string) => Promise<number>][] = [
  [0, 'done', run => run(['resolve', 'ticket-1', ...seen, '--yes'])],
  [2, 'usage: an unknown option', run => run(['resolve', 'ticket-1', '--sure'])],
  [2, 'it needs --yes and there is no terminal', run => run(['resolve', 'ticket-1', ...seen])],
  [2, 'it needs evidence', run => run(['resolve', 'ticket-1', '--as', 'confirmed', ...why])],
  [3, 'no ledger', run => run(['abandon', 'ticket-1', ...why], { env: { AGENT_LEDGER: '/nowhere.db' } })],
  [4, 'no such operation', run => run(['abandon', 'ticket-9', ...why])],
  [4, 'no such task', run => run(['takeover', 'task-9', ...why])],
  [5, 'it changed since', run => run(['abandon', 'ticket-1', '--expect-version', '2', ...why])],
  [
    5,
    'somebody holds it',
    async run => {
      await run(['takeover', 'task-1', ...why])
      return run(['takeover', 'task-1', ...why])
    },
  ],
  [
    6,
    'some of many were not done',
    run => {
      const cwd = aDirectory()
      const text = ['ticket-1', 'ticket-9'].map(operation_id => JSON.stringify({ operation_id })).join('\n')
      writeFileSync(join(cwd, 'd.jsonl'), text)
      return run(['resolve', '--file', 'd.jsonl', ...seen, '--yes'], { cwd })
    },
  ],
  [7, 'a rule refuses', run => run(['reopen', 'ticket-1', ...why])],
  [
    8,
    'locked past --wait',
    async (run, path) => {
      const database = new Database(path)
      database.exec('begin immediate')
      const code = await run(['abandon', 'ticket-1', '--wait', '50ms', ...why])
      database.close()
      return code
    },
  ],
  [
    12,
    'verify found something',
    async (run, path) => {
      const database = new Database(path)
      database.exec("update ledger_operation set retry_reason = 'x'")
      database.close()
      return run(['verify'])
    },
  ],
  [130, 'declined', run => run(['abandon', 'ticket-1', '--reason', 'y'], { answers: ['no'] })],
]

it.each(REACHED)('%i: %s', async (code, _, reach) => {
  const { path } = await lost()
  const run: Run = async (argv, given = {}) => {
    const env = { AGENT_LEDGER: path, ...given.env }
    return (await runCli([...argv, '--by', 'ana'], { now: Date.now(), ...given, env })).code
  }
  expect(await reach(run, path)).toBe(code)
})
