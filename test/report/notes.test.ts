import { expect, it } from 'vitest'
import type { JsonValue } from '../../src/core/json.js'
import { noteEntry } from '../../src/report/page/note.js'
import { pageText } from '../../src/report/text.js'
import { NOON } from '../core/builders.js'
import { PLAIN } from './style.js'

function shown(kind: string, body: JsonValue): string {
  const at = new Date(NOON).toISOString()
  const entry = noteEntry({ note_id: 1, kind, operation_id: null, body, at, actor: 'ana' })
  const text = pageText({ title: [], sections: [{ heading: 'Notes', entries: [entry] }] }, PLAIN)
  return text.split('ana: ').at(-1)?.trimEnd() ?? ''
}

it.each<[string, JsonValue, string]>([
  [
    'finding',
    { evidence: 'request 17', finding: 'a body is dropped' },
    '"a body is dropped"; evidence "request 17"',
  ],
  ['open', { open: 'db-4' }, '"db-4"'],
  [
    'hypothesis',
    { evidence: 'df', hypothesis: 'a full disk', result: 'excluded' },
    '"a full disk"; evidence "df"; result "excluded"',
  ],
  ['workspace', { workspace: '/srv', diff: null }, '"/srv"'],
  ['summary', { summary: 'the gateway', model: 'm-1' }, '"the gateway"; model "m-1"'],
  ['finding', { what: 'stuck', times: 4 }, 'what "stuck"; times "4"'],
  ['remark', 'as it was typed', '"as it was typed"'],
])('a note of kind %s reads as what it says, and what belongs to it', (kind, body, expected) => {
  expect(shown(kind, body)).toBe(expected)
})
