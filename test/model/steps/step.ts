import { type LedgerGraph, REFUSED } from '../ledger-graph.js'
import { LEDGER_MOVES } from '../ledger-moves.js'
import type { Setup } from '../setup.js'
import { PROBE, probe, withProbe } from '../world.js'

/** Where the search stands. */
export interface Here {
  node: number
  world: number
  /** the ledger's facts, its status and its attempts; the attempts that took effect */
  facts: number
  status: number
  attempts: number
  done: number
  emit: (node: number, world: number, label: number) => void
}

export interface Model {
  readonly graph: LedgerGraph
  readonly setup: Setup
}

/** A part of everything that can happen next. */
export type Step = (here: Here) => void

/** Steps that leave the ledger as it is; # is the attempt. */
const OUTSIDE = {
  leave: 'the bytes of attempt # leave',
  die: 'the executor of attempt # dies',
  lose: 'the request of attempt # is lost',
  effect: 'the request of attempt # arrives and takes effect',
  replay: 'the request of attempt # arrives: the service knows the key and answers as before',
  taken: 'the request of attempt # arrives: the name is taken',
  refuse: 'the request of attempt # arrives and is refused',
  leaveUnannounced: 'the bytes of attempt # leave before its send is durable, and the process dies',
  forget: 'the service forgets the key',
  seeNothing: 'a probe reads: nothing there',
  see: 'a probe reads: it is there',
  giveUp: 'the probe gives up',
  delete: 'somebody deletes what the operation made',
} as const
type Outside = keyof typeof OUTSIDE
const NAMES = Object.keys(OUTSIDE)

/** What a step is called in the search; for one of an attempt, its number is added. */
export function labelOf(step: Outside): number {
  return LEDGER_MOVES.length + NAMES.indexOf(step) * 4
}

export function sayLabel(label: number): string {
  const move = LEDGER_MOVES[label]
  if (move !== undefined) return `ledger: ${move.says}`
  const rest = label - LEDGER_MOVES.length
  const says = Object.values(OUTSIDE)[Math.floor(rest / 4)] ?? 'something'
  return `outside: ${says.replace('#', String(rest % 4))}`
}

/** An event of the operation: a probe that began before it is stale. False when the ledger refuses it. */
export function event({ graph }: Model, here: Here, move: number, world: number): boolean {
  const next = graph.after(here.node, move)
  if (next === REFUSED) return false
  here.emit(next, staled(world), move)
  return true
}

/** Something in the ledger beside the operation's events. */
export function beside({ graph }: Model, here: Here, move: number): void {
  const next = graph.after(here.node, move)
  if (next !== REFUSED) here.emit(next, here.world, move)
}

export function staled(world: number): number {
  const at = probe(world)
  return at === PROBE.emptyOnce || at === PROBE.emptyTwice ? withProbe(world, PROBE.emptyStale) : world
}
