import { describe, expect, it } from 'vitest'
import { LedgerError } from '../../src/core/errors.js'
import { checkDepth, checkValueDepth, DEEPEST_JSON, tooDeep } from '../../src/core/json-depth.js'

const WHY = `it is nested more than ${DEEPEST_JSON} levels deep`
const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('how deep JSON may be nested', () => {
  it.each([lists, objects])('is counted to the level (%#)', nested => {
    expect(tooDeep(nested(DEEPEST_JSON))).toBeNull()
    expect(tooDeep(nested(DEEPEST_JSON + 1))).toBe(WHY)
  })

  it('counts levels, not brackets one after another', () => {
    expect(tooDeep(`[${'[],{},'.repeat(DEEPEST_JSON)}1]`)).toBeNull()
  })

  it('counts no brackets inside texts, whatever quotes they escape', () => {
    const text = JSON.stringify(`\\"${'[{'.repeat(DEEPEST_JSON)}`)
    expect(tooDeep(text)).toBeNull()
    expect(tooDeep(`["\\\\",${lists(DEEPEST_JSON)}]`)).toBe(WHY)
    expect(tooDeep(`["${'['.repeat(DEEPEST_JSON)}",${lists(DEEPEST_JSON - 1)}]`)).toBeNull()
  })
})

describe('what is too deep', () => {
  it('is refused by the name it was given', () => {
    const refused = () => checkDepth(lists(DEEPEST_JSON + 1), 'labels')
    expect(refused).toThrow(new LedgerError('invalid_input', `labels: ${WHY}`))
    expect(() => checkDepth('[]', 'labels')).not.toThrow()
  })

  it('is refused as a value too, and so is what is no JSON', () => {
    const nested = (levels: number): unknown => JSON.parse(lists(levels))
    expect(() => checkValueDepth(nested(DEEPEST_JSON), 'labels')).not.toThrow()
    expect(() => checkValueDepth(nested(DEEPEST_JSON + 1), 'labels')).toThrow(`labels: ${WHY}`)
    expect(() => checkValueDepth(undefined, 'labels')).not.toThrow()
    expect(() => checkValueDepth(1n, 'labels')).toThrow('labels: it cannot be written as JSON')
    expect(codeOf(() => checkValueDepth(1n, 'labels'))).toBe('invalid_input')
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i += 1) deep = [deep]
    expect(() => checkValueDepth(deep, 'labels')).toThrow('labels: it is nested too deeply')
  })
})

function codeOf(failing: () => void): string {
  try {
    failing()
  } catch (error) {
    return error instanceof LedgerError ? error.code : 'another error'
  }
  return 'none'
}
