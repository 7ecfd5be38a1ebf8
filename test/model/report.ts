import type { Counterexample, Found } from './search.js'
import { nameOf, type Setup } from './setup.js'

export interface Row {
  readonly setup: Setup
  readonly found: Found
}

/** What was searched, one line a setup, and the sum. */
export function table(rows: readonly Row[]): string {
  const names = rows.map(({ setup }) => nameOf(setup))
  const width = Math.max(0, ...names.map(name => name.length))
  const lines = rows.map(({ found }, i) => `${(names[i] ?? '').padEnd(width)}  ${counts(found)}`)
  return [...lines, `${'all'.padEnd(width)}  ${counts(sum(rows))}`].join('\n')
}

/** A counterexample as one reads it: what broke, and how it came to that, step by step. */
export function story({ law, detail, trace }: Counterexample): string {
  return [
    `broken: ${law}: ${detail}`,
    ...trace.map((step, i) => `${String(i + 1).padStart(3)}. ${step}`),
  ].join('\n')
}

export function sum(rows: readonly Row[]): Pick<Found, 'states' | 'transitions' | 'ledgers' | 'depth'> {
  return {
    states: rows.reduce((total, { found }) => total + found.states, 0),
    transitions: rows.reduce((total, { found }) => total + found.transitions, 0),
    ledgers: rows.reduce((total, { found }) => total + found.ledgers, 0),
    depth: Math.max(0, ...rows.map(({ found }) => found.depth)),
  }
}

function counts({ states, transitions, ledgers, depth }: ReturnType<typeof sum>): string {
  const [many, ways, rows] = [states, transitions, ledgers].map(count => count.toLocaleString('en'))
  return `${many?.padStart(11)} states ${ways?.padStart(12)} transitions ${rows?.padStart(8)} ledgers, depth ${depth}`
}
