import { TRANSITIONS } from '../../src/core/transitions/table.js'
import type { Transition } from '../../src/core/transitions/transition.js'
import { table } from './with-block.js'

/** The moves between two different statuses, as a Mermaid diagram. */
export function stateDiagram(): string {
  const arrows = new Map<string, Set<string>>()
  for (const { event, from, to } of TRANSITIONS) {
    for (const start of from.filter(status => status !== to)) {
      const arrow = `${start === 'none' ? '[*]' : start} --> ${to}`
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(event))
    }
  }
  const lines = [...arrows].map(([arrow, events]) => `  ${arrow}: ${[...events].join(', ')}`)
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

/** Every row of the table: what moves, whither, what it says, and by id what must hold. */
export function moveTable(): string {
  const rows = TRANSITIONS.filter(isFirstOfItsKind).map(move => [
    `\`${move.event}\``,
    startsOf(move).join(', '),
    move.from[0] === move.to && move.from.length === 1 ? 'as it is' : move.to,
    move.means,
    ids(move.when),
    ids(move.guards),
  ])
  return table(['event', 'from', 'to', 'says', 'this row when', 'refused unless'], rows)
}

/** What each rule named in the table of moves asks for. */
export function ruleTable(): string {
  const rules = TRANSITIONS.flatMap(({ when = [], guards = [] }) => [...when, ...guards])
  const titles = new Map(rules.map(({ id, title }) => [id, title]))
  return table(
    ['rule', 'holds when'],
    [...titles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, title]) => [`\`${id}\``, title]),
  )
}

// Rows that stay where they are and differ in nothing else are shown as one.
function isFirstOfItsKind(move: Transition): boolean {
  return TRANSITIONS.find(other => isSameKind(move, other)) === move
}

function startsOf(move: Transition): string[] {
  const starts = TRANSITIONS.filter(other => isSameKind(move, other)).flatMap(({ from }) => from)
  return starts.map(status => (status === 'none' ? 'nothing' : status))
}

function isSameKind(a: Transition, b: Transition): boolean {
  const key = ({ event, from, to, means, when, guards }: Transition) =>
    JSON.stringify([
      event,
      from.length === 1 && from[0] === to ? 'stays' : [from, to],
      means,
      ids(when),
      ids(guards),
    ])
  return key(a) === key(b)
}

function ids(guards: Transition['when']): string {
  return (guards ?? []).map(({ id }) => `\`${id}\``).join(' ')
}
