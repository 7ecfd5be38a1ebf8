import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/core/digest.js'
import {
  cleanId,
  cleanJson,
  cleanText,
  cleanTextOrNull,
  cleanTime,
} from '../../../src/core/importing/clean.js'

describe('an id of another system', () => {
  it('stays as it is where it can', () => {
    expect(cleanId('temporal:a/b c:ü')).toBe('temporal:a/b c:ü')
    expect(cleanId('x'.repeat(512))).toBe('x'.repeat(512))
    expect(cleanId('ü'.repeat(256))).toBe('ü'.repeat(256))
  })

  it('has its control characters written out', () => {
    expect(cleanId('a\nb\u0007c\u007fd\u009fe')).toBe('a%0ab%07c%7fd%9fe')
    expect(cleanId('a\u0000b\ud800')).toBe('a\ufffdb\ufffd')
  })

  it('is cut where it is too long, and told apart by the digest of the whole', () => {
    const long = 'x'.repeat(513)
    expect(cleanId(long)).toBe(`${'x'.repeat(400)}#${sha256(long).slice(7, 39)}`)
    const wide = '😀'.repeat(129)
    expect(cleanId(wide)).toBe(`${'😀'.repeat(100)}#${sha256(wide).slice(7, 39)}`)
    expect(cleanId(`${long}y`)).not.toBe(cleanId(`${long}z`))
  })

  it('is made where there is none', () => {
    expect(cleanId('')).toBe(`empty-${sha256('').slice(7, 23)}`)
  })
})

describe('text, times and values', () => {
  it('text is well formed and without NUL', () => {
    expect(cleanText('a\u0000\ud800b\u0000')).toBe('a\ufffd\ufffdb\ufffd')
    expect(cleanTextOrNull('a\u0000')).toBe('a\ufffd')
    expect([cleanTextOrNull(null), cleanTextOrNull(undefined)]).toEqual([null, null])
  })

  it.each([
    [1.4, 1],
    [0, 0],
    [8.64e15, 8.64e15],
    [8.64e15 + 2, null],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [null, null],
    [undefined, null],
  ])('the time %s is %s', (given, at) => {
    expect(cleanTime(given)).toBe(at)
  })

  it('values keep their shape, with clean names and texts', () => {
    const value = { 'a\u0000': ['\ud800', 1, null, true, { b: 'x\u0000' }] }
    expect(cleanJson(value)).toEqual({ 'a\ufffd': ['\ufffd', 1, null, true, { b: 'x\ufffd' }] })
    const clean = { a: ['ü', '\\u0000'] }
    expect(cleanJson(clean)).toEqual(clean)
    expect(cleanJson(undefined as never)).toBeNull()
    expect(cleanJson('\udfff')).toBe('\ufffd')
  })

  it('what is nested too deeply is left out, with its digest', () => {
    const text = `${'['.repeat(501)}${']'.repeat(501)}`
    expect(cleanJson(JSON.parse(text))).toEqual({
      left_out: 'it is nested more than 500 levels deep',
      digest: sha256(text),
    })
  })
})
