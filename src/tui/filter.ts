import { parseDuration } from '../core/duration.js'
import type { Row } from './row.js'

/** Words of a filter that ask about one thing: `state:unknown`. */
export const FILTER_NAMES = [
  'state',
  'risk',
  'tool',
  'task',
  'cause',
  'by',
] as const satisfies readonly (keyof Row)[]

/**
 * What a filter lets through: every word must hold. A word is sought in the whole row; `state:`, `risk:`, `tool:`,
 * `task:`, `cause:`, `by:` ask about one thing, `age:>1h` about the age, `marked:` about marks; `!` before a word is
 * its opposite.
 */
export function filterOf(text: string): (row: Row, isMarked: boolean) => boolean {
  const tests = text
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '' && word !== '!')
    .map(testOf)
  return (row, isMarked) => tests.every(test => test(row, isMarked))
}

type Test = (row: Row, isMarked: boolean) => boolean

function testOf(word: string): Test {
  if (word.startsWith('!')) {
    const inner = testOf(word.slice(1))
    return (row, isMarked) => !inner(row, isMarked)
  }
  const [, name = '', asked = ''] = /^([a-z]+):(.*)$/.exec(word) ?? []
  const known = FILTER_NAMES.find(one => one === name)
  if (known !== undefined)
    return row => {
      const fact = row[known] ?? ''
      return asked === '' ? fact !== '' : fact.toLowerCase().includes(asked)
    }
  if (name === 'marked') return (_, isMarked) => isMarked
  if (name === 'age') {
    const span = parseDuration(asked.replace(/^[<>]/, ''))
    if (span !== undefined) return ({ ageMs }) => (asked.startsWith('<') ? ageMs < span : ageMs >= span)
  }
  return row => wholeOf(row).includes(word)
}

// Made when a filter asks: kept with each of many rows it would be most of what they take.
function wholeOf({ id, taskId, tool, state, why }: Row): string {
  return `${id} ${taskId} ${tool} ${state} ${why}`.toLowerCase()
}
