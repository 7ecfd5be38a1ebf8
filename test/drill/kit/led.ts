import type { Played } from './play.js'

/** A person knows these from the first page of the help; of what they are about they know nothing. */
const KNOWN = new Set(['', 'status', 'list', 'show', 'report', 'tasks', 'help'])

/** What a service of the drill calls an object: ASSET-1. */
const OBJECT = /\b[A-Z]{2,}-\d+\b/g

/**
 * Lines that no output before them named: whoever sees only what is printed would not have typed them. A line is named
 * where its verb stands in an earlier output as a command, and what it is about stands there too, with every object of a
 * service that it cites.
 */
export function unled(played: readonly Played[]): string[] {
  return played.flatMap(({ line }, i) => {
    const before = played
      .slice(0, i)
      .map(({ printed }) => printed)
      .join('\n')
    const [program, verb = '', ...rest] = line.split(' ')
    if (program !== 'agent-ledger') return before.includes(line) ? [] : [line]
    const about = rest.find(word => !word.startsWith('-'))
    const isNamed = KNOWN.has(verb) || before.includes(`agent-ledger ${verb}`)
    const cited = line.match(OBJECT) ?? []
    return isNamed && [about ?? '', ...cited].every(word => before.includes(word)) ? [] : [line]
  })
}
