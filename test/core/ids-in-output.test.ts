import { describe, expect, it } from 'vitest'
import { idsInOutput } from '../../src/core/ids-in-output.js'

const id = (kind: string, value: string) => ({ kind, value })

describe('the ids that a command prints', () => {
  it('are found by a path in JSON, and by a pattern in any text', () => {
    expect(idsInOutput([{ kind: 'run', path: 'runs.0.id' }], '{"runs":[{"id":7}]}')).toEqual([id('run', '7')])
    const lines = 'made run 7\nmade run 8\n'
    expect(idsInOutput([{ kind: 'run', pattern: 'run (\\d+)' }], lines)).toEqual([
      id('run', '7'),
      id('run', '8'),
    ])
    expect(idsInOutput([{ kind: 'run', pattern: 'run \\d+' }], lines)[0]).toEqual(id('run', 'run 7'))
    expect(idsInOutput([{ kind: 'run', path: 'id', pattern: '(\\d)$' }], '{"id":"a"}\n1')).toEqual([
      id('run', '1'),
    ])
  })

  it('are named once each, by kind and value, in the order of the places', () => {
    const places = [
      { kind: 'b', pattern: 'x\\d' },
      { kind: 'a', pattern: 'x\\d' },
    ]
    expect(idsInOutput(places, 'x1 x2 x1')).toEqual([
      id('b', 'x1'),
      id('b', 'x2'),
      id('a', 'x1'),
      id('a', 'x2'),
    ])
  })

  it('have the scope of their place', () => {
    expect(idsInOutput([{ kind: 'run', path: 'id', scope: 'eu' }], '{"id":1}')).toEqual([
      { ...id('run', '1'), scope: 'eu' },
    ])
  })

  it('are none of a place for errors, of a pattern that is none, and of what is no JSON', () => {
    expect(idsInOutput([{ kind: 'run', path: 'id', in: 'error' }], '{"id":1}')).toEqual([])
    expect(idsInOutput([{ kind: 'run', pattern: '(' }], 'x')).toEqual([])
    expect(idsInOutput([{ kind: 'run', path: 'id' }], 'id: 1')).toEqual([])
    expect(idsInOutput([{ kind: 'run' }], '{"undefined":1}')).toEqual([])
  })

  it('are looked for in bounds: 65,536 characters by pattern, 100 ids', () => {
    const pattern = { kind: 'run', pattern: 'r(\\d+)' }
    expect(idsInOutput([pattern], `${' '.repeat(65_534)}r1 r2`)).toEqual([id('run', '1')])
    const many = Array.from({ length: 101 }, (_, n) => `r${n}`).join(' ')
    expect(idsInOutput([pattern], many)).toHaveLength(100)
  })
})
