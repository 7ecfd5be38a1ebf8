import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/core/json.js'
import { SECRET_NAMES } from '../../../src/core/redact/names.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import { SECRET_SHAPES } from '../../../src/core/redact/shapes.js'

// Made anew for each question, so that what makes one is a part of what is looked at; the properties ask one many times.
const text = (one: string) => createRedactor().text(one)
const value = (one: JsonValue) => createRedactor().value(one)
const json = (one: JsonValue) => createRedactor().json(one)
const one = createRedactor()

/** The varying part of a made-up secret: letters and digits, nobody's key. */
const BODY = '9f3Kq7Zt2LmX8vWc4RbN6yHd1PsJ5gTa0eUo'
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  'private-key': [
    `-----BEGIN RSA PRIVATE KEY-----\n${BODY}\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${BODY}`,
  ],
  jwt: [`eyJhbGciOiJIUzI1NiJ9.eyJ${BODY}.${BODY}`],
  'github-token': [`ghp_${BODY}`, `ghs_${BODY}`, `github_pat_${BODY}`],
  'gitlab-token': [`glpat-${BODY}`],
  'stripe-key': [`sk_live_${BODY}`, `rk_test_${BODY}`, `whsec_${BODY}`],
  'slack-token': [`xoxb-1234-${BODY}`, `xapp-1-${BODY}`],
  'webhook-url': [
    `https://hooks.slack.com/services/T0000/B0000/${BODY}`,
    `https://discord.com/api/webhooks/1/${BODY}`,
  ],
  'aws-key': ['AKIAIOSFODNN7EXAMPLE', 'ASIAIOSFODNN7EXAMPLE'],
  'google-key': [`AIza${BODY}`, `ya29.${BODY}`, `GOCSPX-${BODY}`],
  'npm-token': [`npm_${BODY}`],
  'anthropic-key': [`sk-ant-api03-${BODY}`],
  'openai-key': [`sk-proj-${BODY}`, `sk-${BODY}`],
  'service-token': [
    `hf_${BODY}`,
    `pypi-AgEI${BODY}${BODY}`,
    `SG.${BODY}.${BODY}`,
    `dckr_pat_${BODY}`,
    `hvs.${BODY}`,
    `lin_api_${BODY}`,
    'dapi0123456789abcdef0123456789abcdef',
    'dop_v1_0123456789abcdef0123456789abcdef01234567',
    `AGE-SECRET-KEY-1${BODY.toUpperCase()}${BODY.toUpperCase()}`,
  ],
  'bearer-token': [`Bearer ${BODY}`],
  'basic-credentials': ['Basic dXNlcjpwYXNzd29yZA=='],
  'url-password': [`postgres://app:${BODY}@db.example.com/ledger`, `https://u:p@ss${BODY}@example.com/`],
  'url-signature': [`https://s3.example.com/a?x=1&X-Amz-Signature=${BODY}&y=2`],
}
const SECRET_PART = /9f3Kq7Zt2L|9F3KQ7ZT2L|IOSFODNN7|dXNlcjpw|0123456789abcdef/

describe('secrets known by their looks', () => {
  it('have an example each', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(SECRET_SHAPES.map(shape => shape.id).sort())
  })

  it.each(
    Object.entries(EXAMPLES).flatMap(([id, examples]) => examples.map(example => [id, example] as const)),
  )('are masked as %s: %s', (id, secret) => {
    for (const whole of [
      secret,
      `said: ${secret}, then`,
      `a\n${secret}`,
      `"${secret}"`,
      `\u001b[33m${secret}\u001b[39m`,
      // JSON writes what stands before these as an escape that ends in a letter.
      `\u001f${secret}`,
      `\ud83d${secret}`,
    ]) {
      expect(text(whole)).toContain(`[masked ${id}]`)
      expect(text(whole)).not.toMatch(SECRET_PART)
      expect(json({ note: whole })).not.toMatch(SECRET_PART)
    }
  })

  it('leave the rest of a URL, so that one sees where it went', () => {
    expect(text(`postgres://app:${BODY}@db.example.com/ledger`)).toBe(
      'postgres://app:[masked url-password]@db.example.com/ledger',
    )
  })
})

describe('values under the name of a secret', () => {
  it.each([
    ['api_key=abc', 'api_key=[masked api_key]'],
    ['DB_PASSWORD="a b" next', 'DB_PASSWORD="[masked password]" next'],
    ["token: 'abc1'", "token: '[masked token]'"],
    ['{"clientSecret":"x","a":1}', '{"clientSecret":"[masked secret]","a":1}'],
    ['{\\"password\\":\\"x y\\"}', '{\\"password\\":\\"[masked password]\\"}'],
    ['curl --api-key abc https://x', 'curl --api-key [masked api_key] https://x'],
    ['Cookie: a=1; b=2\nHost: x', 'Cookie: [masked cookie]\nHost: x'],
    ['X-Api-Key: abc', 'X-Api-Key: [masked api_key]'],
    ['https://x/?access_token=abc&page=2', 'https://x/?access_token=[masked token]&page=2'],
    ['Server=db;User Id=sa;Pwd=abc;', 'Server=db;User Id=sa;Pwd=[masked pwd];'],
  ])('are masked in text: %s', (before, after) => {
    expect(text(before)).toBe(after)
  })

  it.each([
    'the token: expired',
    'idempotency_token=op-17',
    'nextPageToken: "abc"',
    'max_tokens=4096',
    'passwords are hashed',
    'a secret agent',
    'Basic information follows',
    'task-000045 asks for sk-ill',
    'https://example.com/a@b',
    'vault/secret: not found',
    'vault/secret: unknown, 14h old',
    'vault/secret: not_executed, 14h old',
    'reset-password: confirmed: ticket T-7 was found',
    'rotate-api-key: still in doubt: too early to believe an absence',
    'scraper-5/secret: not asked: tickets.create declares no probe',
    'password: incorrect',
    'Authorization: required.',
    'The secret: is it set?',
  ])('leave what only sounds like one: %s', harmless => {
    expect(text(harmless)).toBe(harmless)
  })

  it.each([
    ['password: correcthorse', 'password: [masked password]'],
    ['secret: notary', 'secret: [masked secret]'],
    ['secret: not-a-word', 'secret: [masked secret]'],
    ['secret:not', 'secret:[masked secret]'],
    ['secret = not', 'secret = [masked secret]'],
    ["secret: 'not'", "secret: '[masked secret]'"],
    ['{"secret": "not"}', '{"secret": "[masked secret]"}'],
    ['--secret not', '--secret [masked secret]'],
    ['passphrase: swordfish is not used', 'passphrase: [masked passphrase] is not used'],
    ['Authorization: not hunter', 'Authorization: [masked authorization]'],
    ['api_key: none1', 'api_key: [masked api_key]'],
  ])('are masked however much they sound like a sentence: %s', (before, after) => {
    expect(text(before)).toBe(after)
  })

  it('are masked in values, with the structure kept', () => {
    expect(
      value({
        user: 'ana',
        password: 'x',
        nested: { apiKey: 7, list: [{ 'X-API-Key': 'x', ok: true }] },
        credentials: { id: 'a', tags: ['b', ''], none: null, on: false },
        headers: [{ name: 'Authorization', value: 'x' }, ['Cookie', 'x']],
        argv: ['login', '--password', 'x', '-v'],
      }),
    ).toEqual({
      user: 'ana',
      password: '[masked password]',
      nested: { apiKey: '[masked api_key]', list: [{ 'X-API-Key': '[masked api_key]', ok: true }] },
      credentials: { id: '[masked credentials]', tags: ['[masked credentials]', ''], none: null, on: false },
      headers: [{ name: 'Authorization', value: '[masked authorization]' }, ['Cookie', '[masked cookie]']],
      argv: ['login', '--password', '[masked password]', '-v'],
    })
  })

  it('can be named by the configuration', () => {
    const own = createRedactor(['iban', 'customer.number'])
    expect(own.value({ IBAN: 'DE02', CustomerNumber: 17, name: 'x' })).toEqual({
      IBAN: '[masked iban]',
      CustomerNumber: '[masked customer.number]',
      name: 'x',
    })
    expect(own.text('iban=DE02')).toBe('iban=[masked iban]')
    expect(own.json({ IBAN: 'DE02' })).toBe('{"IBAN":"[masked iban]"}')
  })
})

const secret = fc.constantFrom(...Object.values(EXAMPLES).flat())
const anyJson = fc.letrec<{ value: JsonValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 12),
    fc.string(),
    fc.tuple(fc.string(), secret, fc.string()).map(([a, b, c]) => `${a} ${b} ${c}`),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom(...SECRET_NAMES.map(one => one.name))),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value

describe('masking', () => {
  it('lets no known secret out of any value', () => {
    fc.assert(
      fc.property(anyJson, any => {
        expect(JSON.stringify(one.value(any))).not.toMatch(SECRET_PART)
        expect(one.json(any)).toBe(JSON.stringify(one.value(any)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(anyJson, any => {
        const once = one.value(any)
        expect(one.value(once)).toEqual(once)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps lists as long as they were and objects with as many keys', () => {
    fc.assert(
      fc.property(anyJson, any => {
        expect(shapeOf(one.value(any))).toEqual(shapeOf(any))
      }),
      { numRuns: 1_000 },
    )
  })

  it('ends on a value that contains itself, and on one nested without end', () => {
    const cycle: Record<string, JsonValue> = { password: 'x' }
    cycle.self = cycle
    cycle.secret = cycle
    expect(value(cycle)).toMatchObject({ password: '[masked password]', self: '[contains itself]' })
    let deep: JsonValue = 'x'
    for (let i = 0; i < 20_000; i++) deep = [deep]
    expect(JSON.stringify(value(deep))).toContain('[nested too deeply to show]')
  })

  it('takes megabytes of text made to be slow', () => {
    for (const unit of [
      'eyJ',
      'a_',
      'password ',
      '://',
      'AKIA',
      '-----BEGIN PRIVATE KEY-----',
      '"\\',
      'token:',
      'Basic a',
      '-',
    ]) {
      const long = unit.repeat(Math.ceil(1_000_000 / unit.length))
      expect(text(`${long} password=hunter2`)).not.toContain('hunter2')
    }
  })
})

function shapeOf(any: JsonValue): unknown {
  if (Array.isArray(any)) return any.map(shapeOf)
  return typeof any === 'object' && any !== null ? Object.values(any).map(shapeOf) : 0
}
