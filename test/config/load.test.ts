import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { amountOf, NO_CONFIG } from '../../src/config/config.js'
import { loadConfig, parseConfig } from '../../src/config/load.js'
import { isLedgerError, type LedgerError } from '../../src/core/errors.js'

const folders: string[] = []

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'config-'))
  folders.push(made)
  return made
}

afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

function refusal(run: () => unknown): LedgerError {
  try {
    run()
  } catch (error) {
    if (isLedgerError(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a configuration', () => {
  it('is read with durations in milliseconds, paths from its own folder and nothing invented', () => {
    const text = `
ledger: runs/ledger.db
identity: ana@example.com
redact: [customer_iban]
lease: 2m
stall:
  heartbeat_lost: 5m
  phases:
    build: { attempt_overdue: 2h }
tools:
  tickets.create:
    effect: irreversible
    repeat: { kind: idempotency_key, retention: 24h, scope: account }
    timeout: 30s
    retry:
      max_attempts: 2
      base: 1s
      cap: 1m
      max_elapsed: 1h
      quota: { retries: 10, per: 1m, destination: tickets.example }
    risk: { amount: order.total }
    arrival: 15m
    settle: 2m
    patience: 1d
    digest: { ignore: [requested_at] }
    exit_codes: { zero: state_holds, refused: [64] }
    ids: [{ kind: ticket, pattern: 'T-\\d+' }, { kind: url, path: data.url }]
    look_here: { url: 'https://tickets.example/{operation_id}' }
    stall: { attempt_overdue: 90s }
  mail.send: { arrival: unbounded, repeat: { kind: none } }
`
    expect(parseConfig(text, '/etc/agents/agent-ledger.yaml')).toEqual({
      path: '/etc/agents/agent-ledger.yaml',
      ledger: '/etc/agents/runs/ledger.db',
      identity: 'ana@example.com',
      redact: ['customer_iban'],
      lease_ms: 120_000,
      stall: { defaults: { heartbeat_lost: 300_000 }, phases: { build: { attempt_overdue: 7_200_000 } } },
      tools: {
        'tickets.create': {
          effect: 'irreversible',
          repeat: { kind: 'idempotency_key', retention_ms: 86_400_000, scope: 'account' },
          timeout_ms: 30_000,
          max_attempts: 2,
          amount: 'order.total',
          digest_ignore: ['requested_at'],
          exit_codes: { zero: 'state_holds', refused: [64] },
          contract: {
            arrival_bound_ms: 900_000,
            settle_ms: 120_000,
            patience_ms: 86_400_000,
            retry: {
              base_ms: 1_000,
              cap_ms: 60_000,
              max_elapsed_ms: 3_600_000,
              quota: { retries: 10, per_ms: 60_000, destination: 'tickets.example' },
            },
            ids: [
              { kind: 'ticket', pattern: 'T-\\d+' },
              { kind: 'url', path: 'data.url' },
            ],
            look_here: { url: 'https://tickets.example/{operation_id}' },
            stall: { attempt_overdue: 90_000 },
          },
        },
        'mail.send': { repeat: { kind: 'none' }, contract: { arrival_bound_ms: 'unbounded' } },
      },
    })
  })

  it('may be empty, and may be JSON', () => {
    expect(parseConfig('', '/a/agent-ledger.yaml')).toEqual({ ...NO_CONFIG, path: '/a/agent-ledger.yaml' })
    expect(parseConfig('{"ledger": "/x.db"}', '/a/agent-ledger.json').ledger).toBe('/x.db')
  })

  it('names a key without a published retention as never safe to repeat', () => {
    const { tools } = parseConfig('tools: { t: { repeat: { kind: idempotency_key } } }', '/a.yaml')
    expect(tools.t?.repeat).toEqual({ kind: 'idempotency_key', retention_ms: null })
  })

  it('knows no tool that every object has', () => {
    expect(parseConfig('tools: { t: {} }', '/a.yaml').tools.constructor).toBeUndefined()
  })

  it('is refused with exit codes that no command ends with, and patterns that are none', () => {
    const text = `tools:
  publish:
    exit_codes: { refused: [0, 256], done: [1.5], zero: maybe }
    ids: [{ kind: url, pattern: '(' }]
`
    expect(refusal(() => parseConfig(text, '/a.yaml')).facts).toEqual({
      'line 3, column 29': 'tools.publish.exit_codes.refused.0: an exit code from 1 to 255 is wanted',
      'line 3, column 32': 'tools.publish.exit_codes.refused.1: an exit code from 1 to 255 is wanted',
      'line 3, column 45': 'tools.publish.exit_codes.done.0: an exit code is wanted',
      'line 3, column 57': 'tools.publish.exit_codes.zero: done_by_this_run or state_holds is wanted',
      'line 4, column 33': 'tools.publish.ids.0.pattern: it is no regular expression',
    })
  })

  it('is refused with all mistakes at once, each with its line', () => {
    const text = `ledgr: x
lease: 5
stall: { heartbeat_lost: 2 minutes }
tools:
  pay:
    effct: irreversible
    repeat: { kind: nope }
    timeout: 0s
  ship:
    repeat: { kind: conditional }
    retry: { max_attempts: 0.5 }
    arrival: soon
redact: name
`
    const error = refusal(() => parseConfig(text, '/a/agent-ledger.yaml'))
    expect(error.code).toBe('invalid_config')
    expect(error.message).toBe('/a/agent-ledger.yaml has 10 mistakes')
    expect(error.facts).toEqual({
      'line 1, column 1': 'ledgr: no such key (did you mean ledger?)',
      'line 2, column 8': 'lease: a duration such as 90s, 10m, 2h, 3d or 1h30m is wanted',
      'line 3, column 26': 'stall.heartbeat_lost: a duration such as 90s, 10m, 2h, 3d or 1h30m is wanted',
      'line 6, column 5': 'tools.pay.effct: no such key (did you mean effect?)',
      'line 7, column 21':
        'tools.pay.repeat.kind: idempotency_key, idempotent, conditional or none is wanted',
      'line 8, column 14': 'tools.pay.timeout: it is too short: at least 1 ms',
      'line 10, column 5': 'tools.ship.repeat.names is missing: permanent or reusable is wanted',
      'line 11, column 28': 'tools.ship.retry.max_attempts: a whole number is wanted',
      'line 12, column 14': 'tools.ship.arrival: a duration such as 15m, or unbounded, is wanted',
      'line 13, column 9': 'redact: a list of texts is wanted',
    })
  })

  it.each([
    ['a key given twice', 'lease: 5s\nlease: 6s\n', 'line 2, column 1'],
    ['a list that is not closed', 'redact: [a,\n', 'line 2, column 1'],
    ['a tag nobody knows', 'ledger: !run rm\n', 'line 1, column 9'],
    [
      'a name that JavaScript keeps for itself',
      'tools:\n  __proto__: { effect: read }\n',
      'line 2, column 3',
    ],
    ['a second document', 'lease: 5s\n---\nlease: 6s\n', 'line 2, column 1'],
  ])('is refused for %s, with its line', (_, text, where) => {
    const error = refusal(() => parseConfig(text, '/a.yaml'))
    expect(error.code).toBe('invalid_config')
    expect(Object.keys(error.facts ?? {})).toContain(where)
  })

  it.each([
    [
      'a key given twice',
      'lease: 5s\nlease: 6s\n',
      'this key stands in the same group before: keep one of them',
    ],
    ['a tab', 'tools:\n\tx: {}\n', 'a tab: YAML is indented with spaces'],
  ])('says what to do about %s', (_, text, says) => {
    expect(Object.values(refusal(() => parseConfig(text, '/a.yaml')).facts ?? {})).toContain(says)
  })

  it('with a key of a newer version says that there may be one', () => {
    const { hint, facts } = refusal(() => parseConfig('carousel: 5\n', '/a.yaml'))
    expect(facts).toEqual({ 'line 1, column 1': 'carousel: no such key' })
    expect(hint).toContain('A key of a newer agent-ledger is not known to this one')
  })

  it('is refused when aliases would unfold to millions of nodes', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let i = 1; i < 9; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      )
    const { code, hint } = refusal(() => parseConfig(lines.join('\n'), '/a.yaml'))
    expect(code).toBe('invalid_config')
    expect(hint).toContain('Write out what the aliases')
  })
})

describe('finding a configuration', () => {
  it('takes the nearest one upward, and none is no error', () => {
    const top = folder()
    mkdirSync(join(top, 'a/b'), { recursive: true })
    writeFileSync(join(top, 'agent-ledger.yaml'), 'identity: top\n')
    expect(loadConfig({ config: undefined, cwd: join(top, 'a/b') }).identity).toBe('top')
    writeFileSync(join(top, 'a/agent-ledger.json'), '{"identity": "near"}')
    expect(loadConfig({ config: undefined, cwd: join(top, 'a/b') }).identity).toBe('near')
  })

  it('refuses a folder with two, and one named that is not there', () => {
    const top = folder()
    writeFileSync(join(top, 'agent-ledger.yaml'), '')
    writeFileSync(join(top, 'agent-ledger.json'), '{}')
    expect(refusal(() => loadConfig({ config: undefined, cwd: top })).message).toContain('two configurations')
    expect(refusal(() => loadConfig({ config: 'nowhere.yaml', cwd: top }))).toMatchObject({
      code: 'invalid_config',
      path: join(top, 'nowhere.yaml'),
    })
  })

  it('refuses what is no readable text file, without waiting for a pipe', () => {
    const top = folder()
    const paths = { pipe: join(top, 'pipe'), binary: join(top, 'binary'), large: join(top, 'large') }
    execFileSync('mkfifo', [paths.pipe])
    writeFileSync(paths.binary, Buffer.from([0x61, 0xff, 0xfe]))
    writeFileSync(paths.large, '#'.repeat(1_048_577))
    for (const [config, says] of [
      [top, 'it is a folder'],
      [paths.pipe, 'it is no regular file'],
      [paths.binary, 'it is not UTF-8 text'],
      [paths.large, 'at most 1048576 are read'],
    ] as const) {
      const error = refusal(() => loadConfig({ config, cwd: top }))
      expect(error).toMatchObject({ code: 'invalid_config', path: config })
      expect(error.message).toContain(says)
    }
  })
})

describe('the amount at stake', () => {
  it('is a number, or one found in the input, and otherwise unknown', () => {
    expect(amountOf({ amount: 12 }, null)).toBe(12)
    expect(amountOf({ amount: 'order.total' }, { order: { total: 4200 } })).toBe(4200)
    expect(amountOf({ amount: 'order.total' }, { order: { total: '42.50' } })).toBe(42.5)
    expect(amountOf({ amount: 'order.total' }, { order: [] })).toBeNull()
    expect(amountOf({ amount: 'constructor' }, {})).toBeNull()
    expect(amountOf({}, { amount: 1 })).toBeNull()
  })
})
