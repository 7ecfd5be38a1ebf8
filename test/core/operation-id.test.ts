import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLedgerError } from '../../src/core/errors.js'
import { checkId, looksRandom, MAX_ID_BYTES, operationId } from '../../src/core/operation-id.js'

describe('an operation id made from what is meant', () => {
  it('names task, step, tool, the input by digest, and the ordinal', () => {
    const id = operationId({ task: 'nightly', step: 'open', tool: 'tickets.create', input: { a: 1 }, n: 2 })
    expect(id).toMatch(/^nightly\/open\/tickets\.create\/[0-9a-f]{12}\/2$/)
  })

  it('leaves out what is not given, and keeps what is empty or zero', () => {
    expect(operationId({ task: 't', tool: 'x' })).toBe('t/x')
    expect(operationId({ task: 't', tool: 'x', n: 0 })).toBe('t/x/0')
    expect(operationId({ task: 't', step: '', tool: 'x' })).toBe('t//x')
    expect(operationId({ task: 't', tool: 'x', input: null })).toMatch(/^t\/x\/[0-9a-f]{12}$/)
  })

  it('is the same for the same intent, whatever the order of its input', () => {
    const intent = { task: 't', tool: 'x' }
    expect(operationId({ ...intent, input: { a: 1, b: 2 } })).toBe(
      operationId({ ...intent, input: { b: 2, a: 1 } }),
    )
    expect(operationId({ ...intent, input: { a: 1 } })).not.toBe(operationId({ ...intent, input: { a: 2 } }))
  })

  it('falls back to a digest when the parts do not fit, still one for one intent', () => {
    const long = { task: 'ü'.repeat(300), tool: 'tickets.create' }
    const id = operationId(long)
    expect(id).toMatch(/^[0-9a-f]{12}\/tickets\.create$/)
    expect(operationId(long)).toBe(id)
    expect(operationId({ ...long, n: 1 })).not.toBe(id)
    expect(operationId({ task: 'a'.repeat(MAX_ID_BYTES), tool: 'y'.repeat(100) })).toMatch(
      /^[0-9a-f]{12}\/y{64}$/,
    )
  })

  it('keeps the parts when they fit to the last byte', () => {
    const task = 'a'.repeat(MAX_ID_BYTES - 2)
    expect(operationId({ task, tool: 'x' })).toBe(`${task}/x`)
    expect(operationId({ task: `${task}a`, tool: 'x' })).toMatch(/^[0-9a-f]{12}\/x$/)
  })

  it('never cuts a character of the tool in half', () => {
    const id = operationId({ task: 'a'.repeat(MAX_ID_BYTES), tool: `${'y'.repeat(63)}😀` })
    expect(id.isWellFormed()).toBe(true)
  })

  it('passes its own check, whatever the parts', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(part, part, fc.jsonValue(), (task, tool, input) => {
        const clean = (text: string) => text.replaceAll(/\p{Cc}/gu, '')
        const id = operationId({ task: `t${clean(task)}`, tool: `x${clean(tool)}`, input: input as null })
        expect(checkId(id, 'operation id')).toBe(id)
      }),
    )
  })
})

describe('an id', () => {
  it.each([
    ['a slash, a colon and spaces', 'a/b: c d'],
    ['any script', 'обновление-票据-😀'],
    ['512 bytes', 'a'.repeat(MAX_ID_BYTES)],
    ['512 bytes in two-byte letters', 'ü'.repeat(MAX_ID_BYTES / 2)],
    ['a no-break space just above the controls', 'a\u00a0b'],
    ['a tilde just below DEL', '~'],
  ])('may have %s', (_what, id) => {
    expect(checkId(id, 'operation id')).toBe(id)
  })

  it.each([
    ['nothing', '', 'is empty'],
    ['a NUL', 'a\u0000', 'control'],
    ['a line feed', 'a\nb', 'control'],
    ['an escape', '\u001b[31m', 'control'],
    ['a unit separator', '\u001f', 'control'],
    ['a DEL', 'a\u007f', 'control'],
    ['the last C1 control', 'a\u009f', 'control'],
    ['a lone surrogate', 'a\ud800', 'surrogate'],
    ['513 bytes', 'a'.repeat(MAX_ID_BYTES + 1), '513 bytes'],
    ['513 bytes in 512 letters', `${'a'.repeat(MAX_ID_BYTES - 1)}ü`, '513 bytes'],
  ])('may not have %s', (_what, id, why) => {
    expect(() => checkId(id, 'task id')).toThrow(why)
    expect(() => checkId(id, 'task id')).toThrow('the task id')
  })

  it('is shown in the error at most 80 characters long', () => {
    try {
      checkId('b'.repeat(600), 'operation id')
      expect.unreachable()
    } catch (error) {
      expect(isLedgerError(error) && error.id).toBe('b'.repeat(80))
      expect(isLedgerError(error) && error.hint).toContain('512 bytes')
    }
  })
})

describe('an id that looks made by chance', () => {
  it.each([
    '550e8400-e29b-41d4-a716-446655440000',
    randomUUID(),
    `ticket/${randomUUID()}`,
    'V1StGXR8_Z5jdHi6B-myT',
  ])('is %s', id => {
    expect(looksRandom(id)).toBe(true)
  })

  it.each([
    'nightly/open/tickets.create/0a1b2c3d4e5f/2',
    'ticket-1',
    'release-2026-11-29-build-417',
    '550e8400-e29b-11d4-a716-446655440000',
    'tickets-create-for-monday',
    'TICKETS-CREATE-FOR-MON',
  ])('is not %s', id => {
    expect(looksRandom(id)).toBe(false)
  })
})
