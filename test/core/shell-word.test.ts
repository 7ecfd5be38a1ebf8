import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ledgerCommand, shellWord } from '../../src/core/shell-word.js'

/** What bash makes of the words. */
function asBash(line: string): string[] {
  const program = 'printf "%s\\0" '
  return execFileSync('bash', ['--norc', '-c', `${program}${line}`], {
    encoding: 'utf8',
    env: { LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
    .split('\0')
    .slice(0, -1)
}

describe('a word of a command line', () => {
  it('stands bare where the shell leaves it alone', () => {
    expect(shellWord('task-1/step/tickets.create@2')).toBe('task-1/step/tickets.create@2')
    expect(shellWord('--as=confirmed')).toBe('--as=confirmed')
  })

  it.each([
    'a.b.Svc/Act(product,query,year:2024 month:4 day:10)',
    "x_'some|value'",
    '100%',
    'a/../b',
    '..',
    '$(rm -rf /)',
    '`id`',
    '; echo pwned',
    '~root',
    'A=1',
    'inv\u202Exslx.exe',
    'فاتورة 7',
    '"\\n',
    "it's\u200B\\'",
    '',
    '*',
    '!!',
  ])('comes back from bash as it was: %j', text => {
    expect(asBash(shellWord(text))).toEqual([text])
  })

  it('comes back from bash as it was, whatever it holds', () => {
    const char = fc.oneof(
      fc.constantFrom(...'\'"\\$`!#&*()[]{}<>|;~ \t-=%@'),
      fc.constantFrom('\u202e', '\u200d', '\u0085', '\u{e0041}', '\u{1f600}', 'é', 'ل'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    )
    const words = fc.array(
      fc.array(char, { maxLength: 12 }).map(chars => chars.join('').replaceAll('\0', '')),
      { minLength: 40, maxLength: 60 },
    )
    fc.assert(
      fc.property(words, all => {
        expect(asBash(all.map(shellWord).join(' '))).toEqual(all)
      }),
      { numRuns: 30 },
    )
  })

  it('shows nothing that a terminal would hide', () => {
    expect(shellWord('inv\u202Exslx.exe')).toBe("$'inv\\u202Exslx.exe'")
  })
})

describe('a command to paste', () => {
  it('keeps an id that begins with a dash from being an option', () => {
    expect(ledgerCommand('show', ['--json'], '--yes')).toBe('agent-ledger show --json -- --yes')
    expect(ledgerCommand('reopen', ['--reason', '…'], 'a b')).toBe("agent-ledger reopen --reason '…' 'a b'")
  })
})
