import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { NOON } from '../../core/builders.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'
import { open } from './opened.js'

// Small cases drawn from public reports of people who run agents and workflows; ids are invented.

describe('settled by hand', () => {
  it('O1: "I did it myself, go on": one command, and the error stays in its history', async () => {
    const { cli, rejected, operation } = await open()
    await rejected({ operation_id: 'op-170', task_id: 'run-1' })
    const argv = ['resolve', 'op-170', '--as', 'confirmed', '--evidence', 'ticket:OPS-12']
    const { code } = await cli([...argv, '--reason', 'created in console, vm-88', '--yes'])
    expect(code).toBe(0)
    expect(await operation('op-170')).toMatchObject({
      status: 'confirmed',
      settled_by: 'person',
      by_hand: { by: 'flag:ana' },
    })
    expect((await cli(['report', 'run-1'])).out).toContain('by hand (ana (flag))')
    const { out } = await cli(['show', 'op-170'])
    expect(out).toContain('quota exceeded')
    expect(out).toContain('ticket OPS-12')
  })

  it('O2: is told apart from what a worker confirmed, in every view, and can be asked for', async () => {
    const { cli, as, confirmed, lost } = await open()
    await confirmed({ operation_id: 'op-171', task_id: 'run-1', input: 1, idempotency_key: 'k-1' })
    await lost({ operation_id: 'op-172', task_id: 'run-1', input: 2, idempotency_key: 'k-2' })
    await as('flag:lee').resolve('op-172', { as: 'confirmed', evidence: ['e'], reason: 'r' })
    expect((await cli(['list', '--all'])).out).toMatch(/op-172.*by hand \(lee\)/)
    expect((await cli(['list', '--all'])).out).not.toMatch(/op-171.*by hand/)
    const rows = (await cli(['list', '--all', '--sort', 'id', '--jsonl', '--fields', 'operation_id,by_hand']))
      .out
    expect(
      rows
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).by_hand),
    ).toEqual([null, { by: 'flag:lee' }])
    expect((await cli(['report', 'run-1'])).out).toContain('by hand (lee (flag))')
    expect((await cli(['list', '--by-hand', '--jsonl', '--fields', 'operation_id'])).out).toBe(
      '{"operation_id":"op-172"}\n',
    )
    expect((await cli(['log', '--actor', 'lee', '--jsonl', '--fields', 'type'])).out).toBe(
      '{"type":"resolve_confirmed"}\n',
    )
  })

  it('O5: a plan of the five of one task holds five, and none without a selector', async () => {
    const { cli, lost } = await open()
    for (let i = 1; i <= 18; i++)
      await lost({
        operation_id: `op-${i}`,
        task_id: i <= 5 ? 'r1' : 'r2',
        input: i,
        idempotency_key: `k-${i}`,
      })
    const how = ['--as', 'not-executed', '--evidence', 'e', '--reason', 'r']
    expect((await cli(['plan', 'resolve', ...how])).code).toBe(2)
    expect((await cli(['plan', 'resolve', '--task', 'r1', ...how, '--expect', '4'])).code).toBe(5)
    const { code, out } = await cli(['plan', 'resolve', '--task', 'r1', ...how, '--expect', '5'])
    expect([code, out.trim().split('\n').length]).toEqual([0, 1 + 5 + 1])
  })

  it('O8: is forced knowingly: refused without evidence, then accepted, marked, and found by the gate', async () => {
    const { cli, lost, operation } = await open()
    await lost({ operation_id: 'op-176', task_id: 'run-1' })
    const as = ['resolve', 'op-176', '--as', 'not-executed', '--reason', 'accepting the risk', '--yes']
    const refused = await cli(as)
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--evidence is missing')])
    expect((await cli([...as, '--without-evidence'])).code).toBe(0)
    expect((await operation('op-176'))?.flags).toMatchObject({ without_evidence: true })
    for (const format of ['text', 'markdown', 'html'])
      expect((await cli(['report', 'run-1', '--format', format])).out).toContain('without evidence')
    expect((await cli(['export'])).out).toMatch(/"op-176".*"without_evidence":true/)
    expect((await cli(['check', '--fail-on', 'unverified'])).out).toContain('no evidence was given')
  })
})

describe('text of others', () => {
  it('Q2: keys inside command lines and addresses are masked, the rest of the line is kept', async () => {
    const { cli, inFlight, ask } = await open()
    const said = "export SESSION_API_KEY='abc123' && curl 'https://x.test/d?apikey=def456&s=1'"
    const { operation } = await inFlight({
      operation_id: 'op-190',
      task_id: 'run-1',
      input: { command: said },
    })
    const held = { attempt: 1, fence: operation.lease_fence }
    const error = { rule: 'timeout', message: `timed out: ${said}`, at: NOON, attempt: 1 }
    await ask('op-190', { type: 'lose', ...held, error })
    const kept =
      /export SESSION_API_KEY='\[masked api_key\]' && curl 'https:\/\/x\.test\/d\?apikey=\[masked api_key\]&s=1'/
    for (const view of [['show', 'op-190'], ['report', 'run-1'], ['list'], ['export']])
      expect((await cli(view)).out).toMatch(kept)
    const resolve = ['resolve', 'op-190', '--as', 'confirmed', '--evidence', said, '--reason', said, '--yes']
    await cli(resolve)
    const views = [
      ['show', 'op-190'],
      ['show', 'op-190', '--json'],
      ['report', 'run-1'],
      ['report', 'run-1', '--format', 'html'],
      ['report', 'run-1', '--format', 'markdown'],
      ['list', '--all', '--jsonl'],
      ['status'],
      ['log'],
      ['log', '--jsonl'],
      ['export'],
      ['check', '--fail-on', 'unverified', '--format', 'sarif'],
      ['plan', 'reopen', 'op-190', '--reason', said],
    ]
    for (const view of views) {
      const { out } = await cli(view)
      expect([view, out]).not.toEqual([view, expect.stringMatching(/abc123|def456/)])
    }
  })

  it('Q6: letters that turn the line around are shown as escapes, Arabic stays readable', async () => {
    const { cli, lost, store, clock } = await open()
    await lost({ operation_id: 'inv\u202Exslx.exe', task_id: 'run-1', input: 1, idempotency_key: 'k-1' })
    await lost({ operation_id: 'فاتورة 7', task_id: 'run-1', input: 2, idempotency_key: 'k-2' })
    for (const [operation_id, value] of [
      ['inv\u202Exslx.exe', 'inv\u202Exslx.exe'],
      ['فاتورة 7', 'a\u009b31mb'],
    ] as const)
      await store.addEvidence({
        operation_id,
        evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body: null }],
        external_ids: [{ kind: 'file', value }],
        by: { actor: 'agent', clock },
      })
    for (const view of [
      ['report', 'run-1'],
      ['show', 'فاتورة 7'],
    ])
      expect((await cli(view)).out).toContain('a<U+009B>31mb')
    const wide = (await cli(['list'], { terminal: 120 })).out
      .split('\n')
      .filter(line => line.includes('tickets.create'))
    expect(wide).toHaveLength(2)
    expect(
      new Set(wide.map(line => stringWidth(line.slice(0, line.indexOf('tickets.create'))))),
    ).toHaveProperty('size', 1)
    for (const view of [['list'], ['report', 'run-1'], ['check'], ['check', '--format', 'github']]) {
      const { out } = await cli(view)
      expect(out).not.toMatch(/[\u202E\u009b]/)
      expect(out).toContain('inv<U+202E>xslx.exe')
      expect(out).toContain('فاتورة 7')
    }
    const plan = await cli(['plan', 'abandon', '--unknown', '--reason', 'r'])
    expect(plan.out).toContain('inv\\u202exslx.exe')
  })
})

describe('ids', () => {
  it.each([
    'a.b.Svc/Act(product,query,year:2024 month:4 day:10)',
    'parent:Portal:A1',
    "x_'some|value'",
    '100%',
    'a/../b',
    '..',
    '--yes',
  ])('%s works in every command, and in a plan', async id => {
    const { path, lost, operation } = await open()
    await lost({ operation_id: id, task_id: id })
    // the id comes last, after `--`
    const cli = ([verb = '', ...rest]: readonly string[], given: Parameters<typeof runCli>[1] = {}) =>
      runCli([verb, '--ledger', path, '--by', 'ana', ...rest], { now: Date.now(), ...given })
    const folder = aDirectory()
    for (const view of [
      ['show', '--', id],
      ['report', '--', id],
      ['log', '--operation', '--', id],
    ])
      expect([view[0], (await cli(view)).code]).toEqual([view[0], 0])
    const how = ['--as', 'confirmed', '--evidence', 'e', '--reason', 'r', '--output', 'p.jsonl']
    expect((await cli(['plan', 'resolve', ...how, '--', id], { cwd: folder })).code).toBe(0)
    expect(readdirSync(folder)).toEqual(['p.jsonl'])
    const { code } = await cli(['apply', join(folder, 'p.jsonl'), '--yes'])
    expect([code, (await operation(id))?.status]).toEqual([0, 'confirmed'])
  })

  it('that look the same are found, or told apart', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
    const { cli, lost } = await open()
    await lost({ operation_id: composed, task_id: 'run-1', input: 1, idempotency_key: 'k-1' })
    const found = await cli(['show', decomposed, '--json', '--fields', 'operation_id'])
    expect(JSON.parse(found.out).operation_id).toBe(composed)
    await lost({ operation_id: decomposed, task_id: 'run-1', input: 2, idempotency_key: 'k-2' })
    const exact = await cli(['show', decomposed, '--json', '--fields', 'operation_id'])
    expect(JSON.parse(exact.out).operation_id).toBe(decomposed)
    expect(exact.err).toContain('looks the same')
  })
})

describe('times', () => {
  it('carry their zone in text, one choice for all, and are UTC in JSON', async () => {
    const { cli, lost } = await open()
    await lost({ operation_id: 'op-1', task_id: 'run-1' })
    await cli(['abandon', 'op-1', '--reason', 'r', '--yes'])
    const zone = ['--tz', 'Asia/Shanghai']
    for (const view of [
      ['show', 'op-1'],
      ['log', 'op-1'],
    ])
      expect((await cli([...view, ...zone])).out).toMatch(/\d\d:\d\d:\d\d.*\+08:00/)
    const { out } = await cli(['log', 'op-1', '--jsonl', '--fields', 'at', ...zone])
    for (const line of out.trim().split('\n')) expect(JSON.parse(line).at).toMatch(/Z$/)
    expect((await cli(['log', '--tz', 'Mars/Olympus'])).code).toBe(2)
  })
})
