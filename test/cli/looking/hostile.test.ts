import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { NOON, runCli } from '../fake-io.js'

const ATTACKS = [
  '\u001b[2J\u001b[1;1HRESOLVED',
  '\u001b]52;c;ZXZpbA==\u0007',
  'a\u009b31mb\u0085c',
  'inv\u202Exslx.exe\u2066',
  'one\r\ntwo\ttabbed\u2028three',
  '\u0008\u007f\u200b\ufeff\u{e0041}',
  '=cmd|calc <script>`x`',
  '部署 👩‍💻 e\u0301\u0301\u0301\u0301\u0301\u0301',
]
const hostile = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }).map(text => text.toWellFormed().replaceAll('\0', '')),
)

// Emoji keep their joiners; line feeds and, through a pipe, tabs are ours.
const CONTROL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const EMOJI =
  /\p{Extended_Pictographic}(?:\u{200d}\p{Extended_Pictographic}|[\u{fe0e}\u{fe0f}\p{Emoji_Modifier}])*/gu

/** A ledger in which every text that comes from outside is the one given. */
async function attacked(text: string) {
  const { store, clock, as, path, ...ledger } = await aLedger(NOON)
  const id =
    text
      .replaceAll(/\p{Cc}/gu, '')
      .slice(0, 40)
      .toWellFormed() || 'x'
  const by = { actor: text, clock }
  const task = {
    task_id: id,
    goal: text,
    agent: text,
    workspace: text,
    links: [text],
    labels: { [text]: text },
    thread: { source: text, uri: text, thread_id: text },
  }
  await store.changeTask({ task_id: id, request: { type: 'open', task }, by, isOwnerGone: () => false })
  const intent = { task_id: id, tool: text, phase: text, step: text, target: text, input: { [text]: text } }
  const look_here = { url: text, check: text }
  await ledger.lost({ ...intent, operation_id: `${id}-lost`.slice(-60), contract: { look_here } })
  await ledger.prepared({ ...intent, operation_id: `${id}-twin`.slice(-60), provenance: 'imported' })
  await ledger.confirmed({ ...intent, operation_id: `${id}-done`.slice(-60), input: 2, links: [text] })
  await store.addNote({ task_id: id, kind: 'finding', body: { [text]: text } }, by)
  await store.record('refused', { task_id: id }, { why: text, rule: text, reason: text }, by)
  await as(text).claim(`${id}-lost`.slice(-60), { until: NOON + 60_000 })
  await store.close()
  const lost = `${id}-lost`.slice(-60)
  return {
    path,
    lines: [['status'], ['list', '--all'], ['tasks'], ['log'], ['check'], ['report'], ['show', '--', lost]],
  }
}

describe('what hostile text does to a terminal', () => {
  it('is nothing: no control character is printed for any field by any command that shows them', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async text => {
        const { path, lines } = await attacked(text)
        for (const [name = '', ...rest] of lines) {
          for (const terminal of [undefined, 100]) {
            const argv = [name, '--ledger', path, '--as-of', '2026-03-01T13:00:00Z', '--no-color', ...rest]
            const { out, err } = await runCli(argv, terminal === undefined ? {} : { terminal })
            expect(`${out}${err}`.replaceAll(EMOJI, ''), name).not.toMatch(CONTROL)
          }
        }
      }),
      { numRuns: 8, examples: ATTACKS.map(text => [text]) },
    )
  })

  it('leaves documents whole: a program reads back what was written', async () => {
    const text = ATTACKS.join(' ')
    const { path } = await attacked(text)
    const { out } = await runCli(['list', '--all', '--json', '--ledger', path])
    expect(out.replaceAll(EMOJI, '')).not.toMatch(CONTROL)
    expect(JSON.parse(out).operations[0].tool).toBe(text)
  })
})
