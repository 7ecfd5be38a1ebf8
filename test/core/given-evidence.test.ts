import { describe, expect, it } from 'vitest'
import {
  evidenceBody,
  evidenceProblem,
  evidenceWords,
  type GivenEvidence,
  storedEvidenceWords,
} from '../../src/core/given-evidence.js'

const DIGEST = `sha256:${'0f'.repeat(32)}`
const FILE = { kind: 'file', path: '/a.log', digest: DIGEST, bytes: 12 } as const
const OUTPUT = { kind: 'output', from: 'stdin', text: 'done', digest: DIGEST, bytes: 4 } as const
const URL = { kind: 'url', url: 'https://t.example/1' } as const
const TICKET = { kind: 'ticket', ticket: 'OPS-1' } as const

describe('what a person gives as evidence', () => {
  it.each<[unknown]>([[URL], [TICKET], [FILE], [OUTPUT], [{ ...OUTPUT, text: '', bytes: 0 }]])(
    'is known by its kind: %j',
    given => {
      expect(evidenceProblem(given)).toBeNull()
    },
  )

  const KINDS = 'has no kind of url, ticket, file, output'
  it.each<[unknown, string]>([
    ['seen', 'is neither text nor {kind, …}'],
    [null, 'is neither text nor {kind, …}'],
    [[URL], 'is neither text nor {kind, …}'],
    [7, 'is neither text nor {kind, …}'],
    [{}, KINDS],
    [{ kind: 'photo' }, KINDS],
    [{ kind: 'constructor' }, KINDS],
    [{ kind: ['url'], url: 'x' }, KINDS],
    [{ ...URL, note: 'x' }, 'note means nothing in evidence of kind url'],
    [{ ...TICKET, url: 'x' }, 'url means nothing in evidence of kind ticket'],
    [{ kind: 'url' }, 'url does not fit'],
    [{ kind: 'url', url: ' ' }, 'url does not fit'],
    [{ kind: 'url', url: 'a\0' }, 'url does not fit'],
    [{ kind: 'url', url: 'a\ud800' }, 'url does not fit'],
    [{ kind: 'ticket', ticket: 7 }, 'ticket does not fit'],
    [{ ...FILE, path: '' }, 'path does not fit'],
    [{ ...FILE, digest: 'sha256:0f' }, 'digest does not fit'],
    [{ ...FILE, digest: `x${DIGEST}` }, 'digest does not fit'],
    [{ ...FILE, digest: `${DIGEST}0` }, 'digest does not fit'],
    [{ ...FILE, digest: `sha256:${'g'.repeat(64)}` }, 'digest does not fit'],
    [{ ...FILE, bytes: -1 }, 'bytes does not fit'],
    [{ ...FILE, bytes: 1.5 }, 'bytes does not fit'],
    [{ ...FILE, bytes: '12' }, 'bytes does not fit'],
    [{ ...OUTPUT, text: undefined }, 'text does not fit'],
    [{ ...OUTPUT, from: '' }, 'from does not fit'],
  ])('is refused with what is wrong: %j', (given, problem) => {
    expect(evidenceProblem(given)).toBe(problem)
  })

  it.each<[GivenEvidence, string]>([
    ['I saw it', 'I saw it'],
    [URL, 'https://t.example/1'],
    [TICKET, 'ticket OPS-1'],
    [FILE, `file /a.log, 12 bytes, ${DIGEST}`],
    [OUTPUT, `output of stdin, 4 bytes, ${DIGEST}: done`],
  ])('is told in one line: %j', (given, line) => {
    expect(evidenceWords(given)).toBe(line)
    expect(storedEvidenceWords(given)).toBe(line)
  })

  it('that is stored and is none of a person is told as none', () => {
    expect([{ id: 'T-1' }, null, 7, [URL]].map(storedEvidenceWords)).toEqual([null, null, null, null])
  })

  it('is stored with its texts masked, and with its kind, digest and numbers as they are', () => {
    const mask = (text: string) => `<${text}>`
    expect(evidenceBody('seen', mask)).toBe('<seen>')
    expect(evidenceBody(OUTPUT, mask)).toEqual({ ...OUTPUT, from: '<stdin>', text: '<done>' })
    expect(evidenceBody(URL, mask)).toEqual({ kind: 'url', url: '<https://t.example/1>' })
  })
})
