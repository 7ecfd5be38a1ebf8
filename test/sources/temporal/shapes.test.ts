import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { detectSource } from '../../../src/sources/index.js'
import {
  completed,
  describeAnswer,
  event,
  history,
  operationsIn,
  payloads,
  readRecords,
  recordsOf,
  scheduled,
  started,
  tasksIn,
  timedOut,
  warningsIn,
} from './build-history.js'

const folder = mkdtempSync(join(tmpdir(), 'temporal-shapes-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const fresh = () => join(folder, `${++files}.json`)

const EVENTS = history([
  scheduled(),
  started({ attempt: 2, lastFailure: { message: 'boom', applicationFailureInfo: { type: 'X' } } }),
  completed(),
  scheduled({ activityId: '2' }),
  timedOut('TIMEOUT_TYPE_SCHEDULE_TO_START', { scheduledEventId: '8', retryState: 'RETRY_STATE_TIMEOUT' }),
  ['WORKFLOW_EXECUTION_COMPLETED', { workflowTaskCompletedEventId: '4', result: payloads('done') }],
])

/** The same events in another dress. */
function dressed(
  change: (key: string, value: unknown) => unknown,
  rename: (key: string) => string = key => key,
) {
  const dress = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map(item => dress(item, key))
    if (typeof value !== 'object' || value === null) return change(key, value)
    if (key === 'payloads') return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [rename(name), dress(item, name)]))
  }
  return dress(EVENTS, '') as unknown[] // it is mapped as the list it was
}

const pascal = (value: string) =>
  value.toLowerCase().replaceAll(/(?:^|_)[a-z]/g, part => part.replace('_', '').toUpperCase())
const ENUM = /^(?:EVENT_TYPE|TIMEOUT_TYPE|RETRY_STATE)_/
const NUMBERS: Readonly<Record<string, number>> = {
  WORKFLOW_EXECUTION_STARTED: 1,
  WORKFLOW_TASK_SCHEDULED: 5,
  WORKFLOW_TASK_STARTED: 6,
  WORKFLOW_TASK_COMPLETED: 7,
  ACTIVITY_TASK_SCHEDULED: 10,
  ACTIVITY_TASK_STARTED: 11,
  ACTIVITY_TASK_COMPLETED: 12,
  ACTIVITY_TASK_TIMED_OUT: 14,
  WORKFLOW_EXECUTION_COMPLETED: 2,
  SCHEDULE_TO_START: 2,
  TIMEOUT: 3,
}
const enums = (spell: (bare: string) => unknown) =>
  dressed((_, value) =>
    typeof value === 'string' && ENUM.test(value) ? spell(value.replace(ENUM, '')) : value,
  )
const snake = (key: string) => key.replaceAll(/[A-Z]/g, capital => `_${capital.toLowerCase()}`)

describe('the shapes of histories', () => {
  const PLAIN = { events: EVENTS }
  it.each<[string, readonly unknown[]]>([
    ['a bare array', [EVENTS]],
    ['an array of histories', [[PLAIN]]],
    ['the answer of the service', [{ history: PLAIN, rawHistory: [], nextPageToken: '', archived: false }]],
    ['descending order', [{ events: EVENTS.toReversed() }]],
    ['descending order in a bare array', [EVENTS.toReversed()]],
    [
      'no order at all',
      [{ events: EVENTS.toSorted((a, b) => (Number(a.eventId) % 3) - (Number(b.eventId) % 3)) }],
    ],
    ['one event a line', EVENTS],
    [
      'two pages',
      [
        { history: { events: EVENTS.slice(0, 6) }, nextPageToken: 'x' },
        { history: { events: EVENTS.slice(6) } },
      ],
    ],
    [
      'two pages in descending order',
      [
        { history: { events: EVENTS.toReversed().slice(0, 6) }, nextPageToken: 'x' },
        { history: { events: EVENTS.toReversed().slice(6) } },
      ],
    ],
    ['enums as one word', [{ events: enums(pascal) }]],
    ['enums without their prefix', [{ events: enums(bare => bare) }]],
    ['enums as numbers', [{ events: enums(bare => NUMBERS[bare] ?? bare) }]],
    ['snake case', [{ events: dressed((_, value) => value, snake) }]],
    [
      'event ids as numbers',
      [{ events: dressed((key, value) => (/EventId$|^eventId$/.test(key) ? Number(value) : value)) }],
    ],
    [
      'defaults written out',
      [
        {
          events: EVENTS.map(one => ({
            ...one,
            version: '0',
            workerMayIgnore: false,
            userMetadata: null,
            links: [],
          })),
        },
      ],
    ],
    [
      'no event types, only names of attributes',
      [{ events: EVENTS.map(({ eventType: _, ...rest }) => rest) }],
    ],
  ])('%s gives the same as the plain one', async (_, documents) => {
    const plain = await recordsOf(fresh(), [PLAIN])
    const path = fresh()
    const other = await recordsOf(path, documents)
    const told = (records: typeof plain) =>
      records
        .flatMap(record => (record.record === 'warning' ? [] : [{ ...record, thread: null }]))
        .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
    expect(told(other)).toEqual(told(plain))
    expect(detectSource(path).find(({ source }) => source === 'temporal')?.matches).toBe(true)
  })

  it('takes several histories in one file for several runs', async () => {
    const second = history([scheduled()], { runId: 'run-2', workflowId: 'order-8' })
    for (const documents of [[PLAIN, { events: second }], [...EVENTS, ...second], [[...EVENTS, ...second]]]) {
      const records = await recordsOf(fresh(), documents)
      expect(tasksIn(records).map(({ task_id }) => task_id)).toEqual(['temporal:run-1', 'temporal:run-2'])
      expect(operationsIn(records).map(({ task_id }) => task_id)).toEqual([
        'temporal:run-1',
        'temporal:run-1',
        'temporal:run-2',
      ])
    }
  })

  it('says what is missing, and takes nothing open for not done', async () => {
    const open = history([scheduled()])
    expect(warningsIn(await recordsOf(fresh(), [{ history: { events: open }, nextPageToken: 'x' }]))).toEqual(
      ['truncated'],
    )
    const late = await recordsOf(fresh(), [{ events: EVENTS.slice(3) }])
    expect(warningsIn(late)).toContain('begins_late')
    const gap = await recordsOf(fresh(), [{ events: [...open, event(9, 'TIMER_STARTED')] }])
    expect(warningsIn(gap)).toEqual(['gap_in_events'])
    expect(operationsIn(gap)[0]).toMatchObject({ status: 'unknown', rule: 'temporal.end_not_in_file' })
  })

  it('reads a file that was cut short as far as it goes', async () => {
    const path = fresh()
    writeFileSync(path, JSON.stringify(PLAIN).slice(0, -300))
    const records = await readRecords(path)
    expect(warningsIn(records)).toContain('cut_short')
    expect(operationsIn(records).map(({ rule }) => rule)).toEqual([
      'temporal.completed_after_retries',
      'temporal.end_not_in_file',
    ])
  })

  it('keeps events of unknown types and goes on', async () => {
    const records = await recordsOf(fresh(), [{ events: [...EVENTS, event(11, 'QUANTUM_LEAP_TAKEN')] }])
    expect(warningsIn(records)).toContain('unknown_event_type')
    expect(operationsIn(records)).toHaveLength(2)
  })

  it('joins a describe answer beside it by the id of the activity, and says when it is of another run', async () => {
    const place = join(folder, 'pair')
    mkdirSync(place)
    const events = history([scheduled({ activityId: 'a' }), scheduled({ activityId: 'b' })])
    writeFileSync(join(place, 'history.json'), JSON.stringify({ events }))
    const pending = { activityId: 'b', state: 'Started', attempt: 3, lastStartedTime: '2026-03-10T12:01:00Z' }
    writeFileSync(join(place, 'describe.json'), JSON.stringify(describeAnswer([pending])))
    expect(
      operationsIn(await readRecords(place)).map(({ rule, attempts }) => [rule, attempts.length]),
    ).toEqual([
      ['temporal.no_longer_pending', 1],
      ['temporal.running', 3],
    ])
    const other = describeAnswer([], { execution: { workflowId: 'x', runId: 'run-9' } })
    expect(warningsIn(await recordsOf(fresh(), [{ events }, other]))).toContain('describe_other_run')
  })

  it('refuses what is no history, by name', async () => {
    await expect(recordsOf(fresh(), [{ hello: 1 }])).rejects.toMatchObject({ code: 'ledger_unreadable' })
    await expect(
      recordsOf(fresh(), [{ rawHistory: [{ data: 'AAAA' }], history: { events: [] } }]),
    ).rejects.toThrow('protobuf')
    const cadence = [
      {
        eventId: 1,
        timestamp: 1,
        eventType: 'DecisionTaskScheduled',
        decisionTaskScheduledEventAttributes: {},
      },
    ]
    const path = fresh()
    writeFileSync(path, JSON.stringify(cadence))
    expect(detectSource(path).find(({ source }) => source === 'temporal')).toMatchObject({ matches: false })
  })
})
