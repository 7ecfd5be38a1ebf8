import { existsSync, renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reconcileDocument } from '../../src/core/documents/reconcile-schema.js'
import { aServer, json } from '../probes/support/server.js'
import { aProbedPlace, TOKEN } from './a-probed-place.js'

/** The file of a ledger with what SQLite keeps beside it; what is not there stays so. */
function moved(path: string, from: string, to: string): void {
  for (const end of ['', '-wal', '-shm'])
    if (existsSync(`${path}${end}${from}`)) renameSync(`${path}${end}${from}`, `${path}${end}${to}`)
}

const httpProbe = (url: string, headers = '') => `    probe:
      kind: http
      grade: C
      url: ${url}/tickets
      parent: ${url}/
      match: { key: key }
      id: { kind: ticket, value: id }
${headers}`

describe('agent-ledger reconcile', () => {
  it('settles what a service knows, says the rest, and exits 10 while some are in doubt', async () => {
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items)(request, response))
    const { cli, keys } = await aProbedPlace(httpProbe(url), ['op-1', 'op-2'])
    items.push({ id: 'T-1', key: keys['op-1'] })
    const { code, out, err } = await cli(['reconcile', '--all'])
    expect(code).toBe(10)
    expect(out).toContain('op-1: confirmed: ticket T-1 was found by its key or id')
    expect(out).toMatch(
      /op-2: still in doubt: it is not there, by 1 of 2 complete reads: look again\n\s+next useful look/,
    )
    expect(err).toContain('2 operations: 1 confirmed, 1 still in doubt')
    const shown = await cli(['show', 'op-2'])
    expect(shown.out).toContain('agent-ledger reconcile op-2')
  })

  it('prints one document a line, exits 0 when all is settled and 6 when some could not be asked', async () => {
    let status = 500
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items, status)(request, response))
    const { cli, keys } = await aProbedPlace(httpProbe(url))
    const failed = await cli(['reconcile', '--all', '--jsonl'])
    expect(failed.code).toBe(6)
    expect(reconcileDocument.parse(JSON.parse(failed.out))).toMatchObject({
      outcome: 'probe_failed',
      status: 'unknown',
    })
    status = 200
    items.push({ id: 'T-1', key: keys['op-1'] })
    const done = await cli(['reconcile', 'op-1', '--jsonl'])
    expect(done.code).toBe(0)
    expect(reconcileDocument.parse(JSON.parse(done.out))).toMatchObject({ outcome: 'confirmed' })
    expect((await cli(['reconcile', '--all'])).err).toContain('nothing is in doubt')
  })

  it('that left it to a person is what show, list and report say, instead of asking once more', async () => {
    const { url } = await aServer(json([{ id: 'T-9', title: 'Disk full' }]))
    const { cli } = await aProbedPlace(
      httpProbe(url, '').replace(
        'match: { key: key }',
        'match: { key: key, attributes: { title: Disk full } }',
      ),
    )
    expect((await cli(['reconcile', 'op-1'])).out).toContain('still in doubt: ticket T-9 looks like it')
    const { out } = await cli(['show', 'op-1'])
    expect(out).toContain(
      'next: a person decides: the service was asked, and could not settle it: ticket T-9',
    )
    expect(out).not.toContain('next: ask the service')
    const { next_action } = JSON.parse((await cli(['show', 'op-1', '--json'])).out)
    expect(next_action).toMatchObject({ next_action: 'ask_person' })
    const listed = JSON.parse((await cli(['list', '--unknown', '--json'])).out)
    expect(listed.operations[0].next_action).toEqual(next_action)
    const report = JSON.parse((await cli(['report', '--json'])).out)
    expect(report.unknown[0].next_action).toEqual(next_action)
    expect(report.next_steps[0].command).toBe('agent-ledger show op-1')
  })

  it('prints the requests of a dry run and sends none', async () => {
    const { url, requests } = await aServer(json([]))
    const { cli } = await aProbedPlace(httpProbe(url))
    const { code, out } = await cli(['reconcile', '--all', '--dry-run'])
    expect(code).toBe(0)
    expect(out).toContain(`GET ${url}/tickets`)
    expect(requests).toEqual([])
  })

  it.each([
    [[], 'nothing to ask about was named'],
    [['--tool', 'x'], 'nothing to ask about was named'],
    [['op-1', '--all'], 'exclude each other'],
    [['--all', '--rate', 'fast'], 'a rate such as 10/s'],
    [['--all', '--jobs', '101'], 'at most 100 are asked about at the same time'],
    [['--all', '--as-of', '2026-01-01'], 'as-of'],
  ])('refuses %j', async (argv, why) => {
    const { cli } = await aProbedPlace('')
    const { code, err } = await cli(['reconcile', ...argv])
    expect(code).toBe(2)
    expect(err).toContain(why)
  })

  it('of an id that is not there exits 4', async () => {
    const { cli } = await aProbedPlace('')
    expect((await cli(['reconcile', 'op-l'])).code).toBe(4)
  })

  it('goes on with --watch until all is settled', async () => {
    const items: object[] = []
    let looks = 0
    const place: { keys?: Record<string, string> } = {}
    const { url } = await aServer((request, response) => {
      looks += 1
      if (looks > 2) items.push({ id: 'T-1', key: place.keys?.['op-1'] })
      json(
        looks > 2 ? items : {},
        looks > 2 ? 200 : 429,
        looks > 2 ? {} : { 'retry-after': '0' },
      )(request, response)
    })
    const { cli, keys } = await aProbedPlace(httpProbe(url))
    place.keys = keys
    const { code, out } = await cli(['reconcile', '--all', '--watch'])
    expect(code).toBe(0)
    expect(out).toContain('op-1: confirmed')
  })

  it('with --watch waits for a ledger that was moved away, and goes on when it is back', async () => {
    const place: { path?: string; key?: string | undefined } = {}
    let looks = 0
    const { url } = await aServer((request, response) => {
      looks += 1
      if (looks === 1) {
        moved(place.path ?? '', '', '.away')
        setTimeout(() => moved(place.path ?? '', '.away', ''), 300)
      }
      json([{ id: 'T-1', key: place.key }])(request, response)
    })
    const { cli, keys, ledger } = await aProbedPlace(httpProbe(url))
    place.path = ledger.path
    place.key = keys['op-1']
    const { code, out, err } = await cli(['reconcile', '--all', '--watch'])
    expect(err).toContain('waiting for it: ')
    expect(err).toContain('is there again')
    expect(out).toContain('op-1: confirmed')
    expect(code).toBe(0)
    expect((await ledger.store.operation('op-1'))?.operation.status).toBe('confirmed')
  })

  it('without --watch ends where the ledger is gone', async () => {
    const place: { path?: string } = {}
    const { url } = await aServer((request, response) => {
      moved(place.path ?? '', '', '.away')
      json([])(request, response)
    })
    const { cli, ledger } = await aProbedPlace(
      httpProbe(url).replace('      parent: ', '      settle: 1s\n      parent: '),
    )
    place.path = ledger.path
    expect((await cli(['reconcile', '--all'])).code).toBe(3)
  })

  it('tells with --watch what is new, and no more of what it told already', async () => {
    const said = ['1/5', '1/5', '3/5', '3/5', '3/5', '5/5']
    let looks = 0
    const { url } = await aServer((request, response) => {
      const ready = said[Math.min(looks, said.length - 1)]
      looks += 1
      json({ status: ready === '5/5' ? 'deployed' : 'progressing', ready })(request, response)
    })
    const { cli } = await aProbedPlace(`    probe:
      kind: http
      grade: B
      url: ${url}/releases/{operation_id}
      remote: { state: status, says: ready, working: [progressing], completed: [deployed] }
`)
    // A clock ahead of the next useful look, so that each round follows at once.
    const now = Date.now() + 86_400_000
    const { code, out, err } = await cli(['reconcile', 'op-1', '--watch', '--now', '--jsonl'], { now })
    expect(code).toBe(0)
    const told = out
      .trim()
      .split('\n')
      .map(line => reconcileDocument.parse(JSON.parse(line)).reason)
    expect(told).toEqual([
      'still running remotely (progressing: 1/5): look again',
      'still running remotely (progressing: 3/5): look again',
      'its task says deployed: 5/5',
    ])
    expect(looks).toBe(said.length)
    expect(err.match(/looking again in/g)).toHaveLength(said.length - 1)
  })

  it('says what is wrong with each bad answer, stays in doubt, and lets the token out nowhere', async () => {
    const { url } = await aServer((request, response) => {
      response.setHeader('content-type', 'text/html').end(`<html>${request.headers.authorization}`)
    })
    const { cli, ledger } = await aProbedPlace(
      httpProbe(url, "      headers: { authorization: 'Bearer {env.TOKEN}' }\n"),
    )
    for (const argv of [['--dry-run'], [], ['--jsonl']]) {
      const { out, err } = await cli(['reconcile', '--all', '--trust-config', ...argv])
      expect(out + err).not.toContain(TOKEN)
    }
    const shown = await cli(['show', 'op-1', '--json'])
    expect(shown.out).toContain('a web page instead of JSON')
    expect(shown.out).not.toContain(TOKEN)
    expect(JSON.stringify(await ledger.store.operation('op-1'))).not.toContain(TOKEN)
    expect((await ledger.store.operation('op-1'))?.operation.status).toBe('unknown')
  })
})
