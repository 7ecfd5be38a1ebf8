import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contractsDocument } from '../../src/core/documents/contracts-schema.js'
import { trustDocument } from '../../src/core/documents/trust-schema.js'
import { aProbedPlace } from './a-probed-place.js'

const commandProbe = (line: string) => `    probe: { kind: command, run: [${line}] }\n`

describe('agent-ledger trust', () => {
  it('lets programs run until the configuration or what it runs is edited', async () => {
    const program = 'process.stdout.write(JSON.stringify({ completeness: "failed", why: "it ran" }))'
    const { cli, cwd, config, trustFile } = await aProbedPlace(commandProbe('node, probe.cjs'))
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
    const { cli } = await aProbedPlace(commandProbe('echo, hi'))
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
    const { cli } = await aProbedPlace(`    service: github.issues
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
    const { cli, trustFile } = await aProbedPlace(commandProbe('echo, hi'))
    await cli(['trust', '--yes'])
    chmodSync(trustFile, 0o666)
    const { code, err } = await cli(['trust', '--status'])
    expect(code).toBe(2)
    expect(err).toContain('others may write it')
  })
})

describe('agent-ledger contracts', () => {
  it('lists tools without an answer first, and fails on them when asked', async () => {
    const { cli } = await aProbedPlace(
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
