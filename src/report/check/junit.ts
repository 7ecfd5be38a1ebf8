import { CONDITIONS, type FoundItem } from '../../core/documents/check.js'
import { isoTime } from '../../core/iso-time.js'
import type { CheckToTell } from './input.js'

/**
 * JUnit XML as CI services read it: a suite for each condition asked for, a failed case for each finding. Fits both
 * schemas in use: Ant's (attributes and elements in its order, a timestamp without zone) and Jenkins'.
 */
export function checkJunit(told: CheckToTell): string {
  const { check } = told
  const suites = Object.entries(check.counts).map(([condition, count], id) =>
    suite(told, { condition, count, id }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}

interface Suite {
  readonly condition: string
  readonly count: number
  readonly id: number
}

function suite(told: CheckToTell, { condition, count, id }: Suite): string {
  const { check, now, show } = told
  const found = check.found.filter(item => item.condition === condition)
  const title = CONDITIONS.find(one => one.id === condition)?.title ?? condition
  const more = count - found.length
  const cases = [
    ...found.map(item => failed(item, told)),
    ...(more > 0 ? [failure(condition, `${more} more`, 'not named here; agent-ledger list shows them')] : []),
    ...(count === 0
      ? [`    <testcase classname="agent-ledger.${condition}" name="nothing found" time="0"/>\n`]
      : []),
  ]
  const failures = count === 0 ? 0 : cases.length
  const head = {
    id: String(id),
    package: 'agent-ledger',
    name: condition,
    timestamp: isoTime(now).slice(0, 19),
    hostname: 'localhost',
    tests: String(cases.length),
    failures: String(failures),
    errors: '0',
    time: '0',
  }
  return [
    `  <testsuite${attributes(head)}>\n    <properties/>\n`,
    ...cases,
    `    <system-out>${xml(show(`${title}: ${count}`))}</system-out>\n    <system-err/>\n  </testsuite>\n`,
  ].join('')
}

function failed({ condition, operation_id, task_id, reason }: FoundItem, { show }: CheckToTell): string {
  const name = operation_id === null ? `task ${task_id}` : `${operation_id} of ${task_id}`
  return failure(condition, show(name), show(reason))
}

function failure(condition: string, name: string, reason: string): string {
  const head = attributes({ classname: `agent-ledger.${condition}`, name, time: '0' })
  const inner = `<failure${attributes({ message: reason, type: condition })}>${xml(reason)}</failure>`
  return `    <testcase${head}>\n      ${inner}\n    </testcase>\n`
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(value)}"`)
    .join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

// What XML 1.0 cannot hold at all (2.2 Char) has been made visible by `show` already.
function xml(text: string): string {
  return text.replace(/[&<>"']/g, char => ENTITIES[char] ?? '')
}
