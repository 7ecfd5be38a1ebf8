import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { CheckDocument, FoundItem } from '../../../src/core/documents/check.js'
import { safe } from '../../../src/core/safe-text.js'
import { CHECK_RENDERERS } from '../../../src/report/check/index.js'

const HOSTILE = [
  '::error::owned\n::set-output name=x::y',
  ']]><script>alert(1)</script><!--',
  '"/><failure/><testcase name="',
  '%0A%25 100%',
  '[click](https://evil.example) {0} \\',
  '\u0000\u0007\u001b[31m\u202e\ud800\uffff&amp;',
]

const item = (over: Partial<FoundItem> = {}): FoundItem => ({
  condition: 'unknown',
  operation_id: 'mail-1',
  task_id: 'news',
  reason: 'socket hang up',
  ...over,
})

function told(found: readonly FoundItem[], over: Partial<CheckDocument> = {}) {
  const count = (condition: string) => found.filter(one => one.condition === condition).length
  const check: CheckDocument = {
    ok: found.length === 0,
    failed_on: [],
    counts: { unknown: count('unknown'), stalled: count('stalled') },
    found,
    left_out: 0,
    ...over,
  }
  const show = (text: string) => safe(text)
  return {
    check,
    ledger: 'ledger.db',
    uri: 'ledger.db',
    now: Date.parse('2026-03-01T12:00:00Z'),
    version: '1.2.3',
    show,
  }
}

const hostile = HOSTILE.flatMap(text => [
  item({ operation_id: text, task_id: text, reason: text }),
  item({ condition: 'stalled', operation_id: null, task_id: text, reason: text }),
])

describe('junit', () => {
  it('has a suite for each condition, with a failed case for each finding and a passed one where nothing was found', () => {
    expect(CHECK_RENDERERS.junit(told([item()]))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite id="0" package="agent-ledger" name="unknown" timestamp="2026-03-01T12:00:00" hostname="localhost" tests="1" failures="1" errors="0" time="0">
    <properties/>
    <testcase classname="agent-ledger.unknown" name="mail-1 of news" time="0">
      <failure message="socket hang up" type="unknown">socket hang up</failure>
    </testcase>
    <system-out>in doubt: nobody can tell whether it took effect: 1</system-out>
    <system-err/>
  </testsuite>
  <testsuite id="1" package="agent-ledger" name="stalled" timestamp="2026-03-01T12:00:00" hostname="localhost" tests="1" failures="0" errors="0" time="0">
    <properties/>
    <testcase classname="agent-ledger.stalled" name="nothing found" time="0"/>
    <system-out>not settled, and standing still: 0</system-out>
    <system-err/>
  </testsuite>
</testsuites>
`)
  })

  it('counts what it does not name as one more failure', () => {
    const xml = CHECK_RENDERERS.junit(told([item()], { counts: { unknown: 7 }, left_out: 6 }))
    expect(xml).toContain('tests="2" failures="2"')
    expect(xml).toContain('name="6 more"')
  })

  it('keeps its structure whatever stands in it', () => {
    const xml = CHECK_RENDERERS.junit(told(hostile))
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\uffff]/)
    const names = [...xml.matchAll(/<\/?([a-z-]+)(?: [a-z]+="[^"<]*")*\/?>/g)].map(([, name]) => name)
    expect(xml.replace(/<\?xml[^>]*\?>|<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>/g, '')).not.toMatch(/[<>]/)
    expect(new Set(names)).toEqual(
      new Set(['testsuites', 'testsuite', 'properties', 'testcase', 'failure', 'system-out', 'system-err']),
    )
    expect(names.filter(name => name === 'failure')).toHaveLength(2 * hostile.length)
  })
})

/**
 * What the two schemas in use ask of the elements that are written, the stricter of both: what an element holds, in
 * this order, and its attributes. Ant's: testcases after properties and before system-out; Jenkins': no other attribute.
 */
const JUNIT: Readonly<Record<string, { holds: RegExp; attributes: readonly string[] }>> = {
  testsuites: { holds: /^(?:testsuite )*$/, attributes: [] },
  testsuite: {
    holds: /^properties (?:testcase )*system-out system-err $/,
    attributes: ['id', 'package', 'name', 'timestamp', 'hostname', 'tests', 'failures', 'errors', 'time'],
  },
  properties: { holds: /^$/, attributes: [] },
  testcase: { holds: /^(?:failure )?$/, attributes: ['classname', 'name', 'time'] },
  failure: { holds: /^$/, attributes: ['message', 'type'] },
  'system-out': { holds: /^$/, attributes: [] },
  'system-err': { holds: /^$/, attributes: [] },
}

/** Checks each element against the table, and returns how many there were of each. */
function checkedJunit(xml: string): Map<string, number> {
  const counts = new Map<string, number>()
  const open: { name: string; held: string }[] = []
  const close = (name: string | undefined, held: string) =>
    expect(`${name}: ${held}`).toMatch(
      new RegExp(`^${name}: ${JUNIT[name ?? '']?.holds.source.slice(1, -1) ?? 'no such element'}$`),
    )
  for (const [, end, name = '', attributes = '', empty] of xml.matchAll(
    /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g,
  )) {
    if (end === '/') {
      const last = open.pop()
      expect(last?.name).toBe(name)
      close(name, last?.held ?? '')
      continue
    }
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const holder = open.at(-1)
    if (holder !== undefined) holder.held += `${name} `
    const names = [...attributes.matchAll(/ ([a-z]+)="[^"]*"/g)].map(([, one]) => one)
    expect(names).toEqual(JUNIT[name]?.attributes)
    if (empty === '/') close(name, '')
    else open.push({ name, held: '' })
  }
  expect(open).toEqual([])
  return counts
}

describe('junit, element by element', () => {
  it.each([
    ['nothing found', told([])],
    ['two findings', told([item(), item({ condition: 'stalled', operation_id: null })])],
    ['more than are named', told([item()], { counts: { unknown: 7 }, left_out: 6 })],
    ['hostile text', told(hostile)],
  ])('is as both schemas ask, with counts that add up: %s', (_, one) => {
    const xml = CHECK_RENDERERS.junit(one)
    const counts = checkedJunit(xml)
    const sum = (name: string) =>
      [...xml.matchAll(new RegExp(` ${name}="(\\d+)"`, 'g'))].reduce((all, [, n]) => all + Number(n), 0)
    expect(sum('tests')).toBe(counts.get('testcase'))
    expect(sum('failures')).toBe(counts.get('failure') ?? 0)
    // xs:dateTime of Ant's schema, which allows no zone
    for (const [, at = ''] of xml.matchAll(/ timestamp="([^"]*)"/g))
      expect(at).toMatch(/^[\d-]{10}T[\d:]{8}$/)
  })
})

// What sarif-v2.1.0-os asks of the objects that are written: their names, what is required, and their ranges.
const message = z.strictObject({ text: z.string().min(1) })
const level = z.enum(['none', 'note', 'warning', 'error'])
const logicalLocation = z.strictObject({
  name: z.string().min(1),
  fullyQualifiedName: z.string().min(1).optional(),
  kind: z.string(),
})
const SARIF = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string().min(1),
          version: z.string(),
          rules: z.array(
            z.strictObject({
              id: z.string(),
              shortDescription: message,
              defaultConfiguration: z.strictObject({ level }),
            }),
          ),
        }),
      }),
      invocations: z.array(
        z.strictObject({ executionSuccessful: z.boolean(), endTimeUtc: z.iso.datetime() }),
      ),
      columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(0),
          level,
          message,
          locations: z.array(
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({ uri: z.string().regex(/^[\x21-\x7e]+$/) }),
                region: z.strictObject({ startLine: z.int().min(1) }),
              }),
              logicalLocations: z.array(logicalLocation).min(1),
            }),
          ),
          partialFingerprints: z.record(z.string(), z.string()),
        }),
      ),
      properties: z.record(z.string(), z.json()),
    }),
  ),
})

describe('sarif', () => {
  it('is a log of version 2.1.0 whose results name their rules', () => {
    const log = SARIF.parse(JSON.parse(CHECK_RENDERERS.sarif(told([item(), item({ condition: 'stalled' })]))))
    const [run] = log.runs
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(['unknown', 'stalled'])
    for (const { ruleId, ruleIndex } of run?.results ?? [])
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
    expect(run?.results[0]?.message.text).toBe('mail-1 of news: socket hang up')
  })

  it('gives the same finding the same fingerprint, and another another', () => {
    const prints = (found: readonly FoundItem[]) =>
      SARIF.parse(JSON.parse(CHECK_RENDERERS.sarif(told(found)))).runs[0]?.results.map(
        ({ partialFingerprints }) => partialFingerprints['agentLedgerFinding/v1'],
      ) ?? []
    const [first] = prints([item()])
    expect(prints([item({ reason: 'another error' })])).toEqual([first])
    expect(prints([item({ operation_id: 'mail-2' })])).not.toEqual([first])
  })

  it('makes no link and no placeholder of what stands in it', () => {
    const log = SARIF.parse(JSON.parse(CHECK_RENDERERS.sarif(told(hostile))))
    for (const { message: told } of log.runs[0]?.results ?? []) {
      expect(told.text).not.toMatch(/(?<!\\)[[\]]/)
      expect(told.text).not.toMatch(/(?<!\{)\{\d+\}(?!\})/)
    }
  })
})

describe('github', () => {
  it('writes one command a finding, and says at the end how it went', () => {
    expect(CHECK_RENDERERS.github(told([item({ operation_id: 'a:b,c' })]))).toBe(
      '::error title=unknown%3A a%3Ab%2Cc of news::a:b,c of news: socket hang up\nagent-ledger check: failed: unknown 1, stalled 0\n',
    )
    expect(CHECK_RENDERERS.github(told([]))).toBe('agent-ledger check: ok: unknown 0, stalled 0\n')
  })

  it('lets no text begin a line or end its own', () => {
    const lines = CHECK_RENDERERS.github(told(hostile)).trimEnd().split('\n')
    expect(lines).toHaveLength(hostile.length + 1)
    for (const line of lines.slice(0, -1)) {
      expect(line).toMatch(/^::(?:error|warning) title=[^:,\r\n]*::[^\r\n]*$/)
      expect(line).not.toMatch(/%(?!25|0A|0D|3A|2C)/)
    }
  })
})
