import { chmodSync, existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contractsDocument } from '../../src/core/documents/contracts-schema.js'
import { reconcileDocument } from '../../src/core/documents/reconcile-schema.js'
import { trustDocument } from '../../src/core/documents/trust-schema.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { aServer, json } from '../probes/support/server.js'
import { runCli } from './fake-io.js'

const TOKEN = 'tok_4f9a8b7c6d5e'

/** A ledger with doubts of the last hour, a configuration beside it, and a home of one's own. */
async function aPlace(yaml: string, ids: readonly string[] = ['op-1']) {
  const ledger = await aLedger(Date.now() - 3_600_000)
  const keys: Record<string, string> = {}
  for (const operation_id of ids) {
    const { operation } = await ledger.lost({
      operation_id,
      input: operation_id,
      contract: { probe: { kind: 'declared when it was sent' } },
    })
    keys[operation_id] = operation.idempotency_key
  }
  const cwd = dirname(ledger.path)
  const config = join(cwd, 'agent-ledger.yaml')
  writeFileSync(config, `ledger: ledger.db\ntools:\n  tickets.create:\n    effect: irreversible\n${yaml}`)
  mkdirSync(join(cwd, 'state'))
  const env = {
    TOKEN,
    XDG_STATE_HOME: join(cwd, 'state'),
    PATH: process.env.PATH ?? '',
    AGENT_LEDGER_BY: 'ana',
  }
  const cli = (argv: readonly string[], more: Parameters<typeof runCli>[1] = {}) =>
    runCli(argv, { cwd, env, ...more })
  return { ledger, cwd, config, keys, cli, trustFile: join(cwd, 'state/agent-ledger/trust.json') }
}

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

const commandProbe = (line: string) => `    probe: { kind: command, run: [${line}] }\n`

describe('agent-ledger reconcile', () => {
  it('settles what a service knows, says the rest, and exits 10 while some are in doubt', async () => {
    const items: object[] = []
    const { url } = await aServer((request, response) => json(items)(request, response))
    const { cli, keys } = await aPlace(httpProbe(url), ['op-1', 'op-2'])
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
    const { cli, keys } = await aPlace(httpProbe(url))
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
    const { cli } = await aPlace(
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
    const { cli } = await aPlace(httpProbe(url))
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
    const { cli } = await aPlace('')
    const { code, err } = await cli(['reconcile', ...argv])
    expect(code).toBe(2)
    expect(err).toContain(why)
  })

  it('of an id that is not there exits 4', async () => {
    const { cli } = await aPlace('')
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
    const { cli, keys } = await aPlace(httpProbe(url))
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
    const { cli, keys, ledger } = await aPlace(httpProbe(url))
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
    const { cli, ledger } = await aPlace(
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
    const { cli } = await aPlace(`    probe:
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
    const { cli, ledger } = await aPlace(
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

describe('agent-ledger trust', () => {
  it('lets programs run until the configuration or what it runs is edited', async () => {
    const program = 'process.stdout.write(JSON.stringify({ completeness: "failed", why: "it ran" }))'
    const { cli, cwd, config, trustFile } = await aPlace(commandProbe('node, probe.cjs'))
    writeFileSync(join(cwd, 'probe.cjs'), program)
    const ask = async (...argv: string[]) => (await cli(['reconcile', 'op-1', ...argv])).out
    expect(await ask()).toContain('is not trusted: read it, then run agent-ledger trust')
    expect(await ask('--trust-config')).toContain('it ran')
    const given = await cli(['trust', '--yes'])
    expect(given.err).toContain('tickets.create: node probe.cjs')
    expect(statSync(trustFile).mode & 0o777).toBe(0o600)
    expect(await ask()).toContain('it ran')
    writeFileSync(join(cwd, 'probe.cjs'), `${program}//`)
    expect(await ask()).toContain('was changed since it was trusted')
    await cli(['trust', '--yes'])
    expect(await ask()).toContain('it ran')
    writeFileSync(
      config,
      `# a word\nledger: ledger.db\ntools:\n  tickets.create:\n${commandProbe('node, probe.cjs')}`,
    )
    expect(await ask()).toContain('was changed since it was trusted')
    expect((await cli(['trust', '--status'])).code).toBe(12)
  })

  it('wants a yes, can be taken back, and prints its document', async () => {
    const { cli } = await aPlace(commandProbe('echo, hi'))
    expect((await cli(['trust'])).code).toBe(2)
    const { out } = await cli(['trust', '--yes', '--json'])
    expect(trustDocument.parse(JSON.parse(out))).toMatchObject({
      trusted: true,
      runs: ['tickets.create: echo hi'],
    })
    expect((await cli(['trust', '--status'])).code).toBe(0)
    expect((await cli(['trust', '--revoke'])).out).toContain('not trusted any more')
    expect((await cli(['trust', '--status'])).code).toBe(12)
  })

  it('names every variable that is handed out: by a header, to a program, inside a list, and by a ready contract', async () => {
    const { cli } = await aPlace(`    service: github.issues
    with: { repo: a/b }
  charge: { service: stripe.v1, with: { object: charges, account: acct_1 } }
  look:
    effect: read
    probe:
      kind: all
      of:
        - { kind: command, run: [look.sh], env: [LOOK_TOKEN] }
        - { kind: http, grade: B, url: 'https://t.example/x', match: { key: k }, id: { kind: t, value: id }, headers: { authorization: 'Bearer {env.TOKEN}' } }
`)
    const { out, err } = await cli(['trust', '--yes', '--json'])
    expect(trustDocument.parse(JSON.parse(out))).toMatchObject({
      runs: ['look: look.sh'],
      hands_out: [
        'tickets.create: GITHUB_TOKEN',
        'charge: STRIPE_API_KEY',
        'look: LOOK_TOKEN',
        'look: TOKEN',
      ],
    })
    expect(err).toContain('it is given:')
  })

  it('believes no file that others may write', async () => {
    const { cli, trustFile } = await aPlace(commandProbe('echo, hi'))
    await cli(['trust', '--yes'])
    chmodSync(trustFile, 0o666)
    const { code, err } = await cli(['trust', '--status'])
    expect(code).toBe(2)
    expect(err).toContain('others may write it')
  })
})

describe('agent-ledger contracts', () => {
  it('lists tools without an answer first, and fails on them when asked', async () => {
    const { cli } = await aPlace(
      `${commandProbe('echo')}  pay:\n    effect: irreversible\n    repeat: { kind: idempotency_key, retention: 24h }\n  mail: { effect: irreversible }\n`,
    )
    const { code, out } = await cli(['contracts', '--json', '--fail-on', 'unanswered'])
    expect(code).toBe(12)
    const document = contractsDocument.parse(JSON.parse(out))
    expect(document.tools.map(({ tool, answered }) => [tool, answered])).toEqual([
      ['mail', false],
      ['tickets.create', true],
      ['pay', true],
    ])
    expect(document.tools[1]).toMatchObject({
      seen: true,
      in_doubt: 1,
      probe: ['command'],
      declared: true,
    })
    expect((await cli(['contracts'])).code).toBe(0)
    expect((await cli(['contracts'])).out).toContain(
      'a person has to find out, and nothing says where to look',
    )
  })
})
