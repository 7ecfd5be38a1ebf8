import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { OUTCOME_RULES } from '../../../src/sources/temporal/rules/index.js'
import { event, history, operationsIn, recordsOf } from './build-history.js'
import { CASES } from './rule-cases.js'

const folder = mkdtempSync(join(tmpdir(), 'temporal-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('what a history says of a call', () => {
  it.each(CASES.map((given, n) => ({ n, given, name: given[0] })))('$name ($n)', async ({ n, given }) => {
    const [rule, status, parts, described, options] = given
    const documents = [{ events: history(parts) }, ...(described === undefined ? [] : [described])]
    const [operation, ...others] = operationsIn(
      await recordsOf(join(folder, `${n}.json`), documents, options),
    )
    expect(others).toEqual([])
    expect({ rule: operation?.rule, status: operation?.status }).toEqual({ rule: `temporal.${rule}`, status })
    expect(operation?.attempts.map(({ end }) => end)).toEqual(
      status === 'prepared' ? [] : [...earlier(operation?.attempts.length ?? 0), ENDS[status]],
    )
  })

  it('has a case for every rule, and says why for each', () => {
    const rules = [...new Set(Object.values(OUTCOME_RULES).flat())]
    expect(rules.map(({ id }) => id).sort()).toEqual(
      [...new Set(CASES.map(([id]) => `temporal.${id}`))].sort(),
    )
    for (const { title, reason } of rules) expect([title === '', /\.$/.test(reason)]).toEqual([false, true])
  })

  it('takes an end without its beginning for what it says, under a name of its own', async () => {
    const events = [event(8, 'ACTIVITY_TASK_COMPLETED', { scheduledEventId: '5', startedEventId: '6' })]
    const [operation] = operationsIn(await recordsOf(join(folder, 'headless.json'), [{ events }]))
    expect(operation).toMatchObject({ tool: 'unknown activity', status: 'confirmed', input: null })
  })
})

const ENDS: Readonly<Record<string, string | null>> = {
  confirmed: 'applied',
  not_executed: 'not_applied',
  unknown: 'ambiguous',
  in_flight: null,
}

function earlier(count: number): string[] {
  return Array.from({ length: Math.max(0, count - 1) }, () => 'ambiguous')
}
