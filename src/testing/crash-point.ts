/**
 * A named place where a test may end this process. Does nothing unless `AGENT_LEDGER_CRASH_AT` names it: `<name>` at
 * its first passing, `<name>:<n>` at its n-th. Then the process ends by SIGKILL: no handler, no `finally`, no flush.
 */
export function crashPoint(name: string): void {
  const wanted = process.env.AGENT_LEDGER_CRASH_AT
  if (wanted === undefined || wanted === '') return
  const passed = (passings.get(name) ?? 0) + 1
  passings.set(name, passed)
  const [, at, n] = /^(.*?)(?::(\d+))?$/s.exec(wanted) ?? []
  if (at !== name || passed !== Number(n ?? 1)) return
  process.kill(process.pid, 'SIGKILL')
  // The signal may reach another thread first; this one must not go on meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const passings = new Map<string, number>()
