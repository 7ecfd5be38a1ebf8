import { spawnSync } from 'node:child_process'

/** Ends the run before its first test where a tool is missing: what was not run has not passed. */
export function setup(): void {
  const missing = TOOLS.filter(
    ([command, ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0,
  )
  const [first] = missing
  if (first !== undefined) throw new Error(`not run: ${first[0]} is missing or may not trace here`)
}

const TOOLS = [
  ['strace', '-qq', '-o', '/dev/null', 'true'],
  [process.env.AGENT_LEDGER_CHROMIUM ?? 'chromium', '--version'],
  ['pgbouncer', '--version'],
  ['openssl', 'version'],
] as const
