import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLine, shellWord, value } from '../../src/core/command-line.js'
import { safe } from '../../src/core/safe-text.js'

describe('a line to type', () => {
  it('leaves plain words alone and quotes the rest', () => {
    expect(commandLine('show', value('a.b.Svc/Act(product,query,year:2024 month:4)'))).toBe(
      "agent-ledger show 'a.b.Svc/Act(product,query,year:2024 month:4)'",
    )
    expect(commandLine('show', value('a/../b'))).toBe('agent-ledger show a/../b')
    expect(shellWord("x_'some|value'")).toBe("'x_'\\''some|value'\\'''")
    expect(shellWord('')).toBe("''")
    expect(shellWord('=x')).toBe("'=x'")
  })

  it('puts an id that begins with a dash last, behind a double dash', () => {
    expect(commandLine('resolve', value('-rf'), '--as', 'confirmed')).toBe(
      'agent-ledger resolve --as confirmed -- -rf',
    )
  })

  it('spells what a terminal would not show', () => {
    expect(shellWord('inv\u202Exslx.exe')).toBe("$'inv\\u202exslx.exe'")
    expect(shellWord('فاتورة 7')).toBe("'فاتورة 7'")
  })

  it('shows on a terminal exactly what is pasted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), text => {
        const word = shellWord(text.replaceAll(/\p{M}/gu, ''))
        expect(safe(word)).toBe(word)
      }),
    )
  })

  it('is read back by bash as the same words', () => {
    const texts = fc.sample(fc.string({ unit: 'binary', minLength: 1 }), { numRuns: 300, seed: 7 })
    const ids = ["x_'some|value'", '100%', '..', 'a\\b', '$HOME `id`', 'two\u2028lines', 'é', '!x', ...texts]
      .map(id => id.toWellFormed().replaceAll(/\p{Cc}/gu, ''))
      .filter(id => id !== '')
    const script = ids.map(id => `printf '%s\\0' ${shellWord(id)}`).join('\n')
    const out = execFileSync('bash', ['-s'], { input: script, env: { LC_ALL: 'C.UTF-8' } })
    expect(out.toString('utf8').split('\0').slice(0, -1)).toEqual(ids)
  })
})
