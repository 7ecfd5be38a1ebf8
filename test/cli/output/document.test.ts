import { describe, expect, it } from 'vitest'
import { command, entry } from '../../../src/cli/command.js'
import type { Deps } from '../../../src/cli/deps.js'
import { printDocument } from '../../../src/cli/output/document.js'
import { words } from '../../../src/core/safe-text.js'
import { NOON, runCli } from '../fake-io.js'

describe('a document', () => {
  const showing = [
    entry(
      command({
        name: 'show',
        chapter: 'Look',
        summary: 'one',
        args: {},
        options: {},
        fields: ['a', 'b'],
        examples: [{ line: 'agent-ledger show', does: 'one' }],
      }),
      {
        run: async (_: unknown, deps: Deps) => {
          const text = () => words`a is ${deps.times.exact(NOON)}, ${deps.times.relative(NOON - 4_000_000)}`
          await printDocument(
            { schema: 'show@1', ledger: '/l.db', body: { a: 1, b: 'x' }, fields: ['a', 'b'], text },
            deps,
          )
          return 0
        },
      },
    ),
  ]

  it('is text for people, with times in the zone asked for', async () => {
    expect((await runCli(['show'], { entries: showing })).out).toBe(
      'a is 2026-03-01T12:00:00.000Z, 1h 6m ago\n',
    )
    expect((await runCli(['show', '--tz', 'Asia/Kolkata'], { entries: showing })).out).toContain(
      '2026-03-01T17:30:00.000+05:30',
    )
  })

  it('is JSON with --json, on one line with --jsonl, with the fields chosen', async () => {
    const head = { schema: 'agent-ledger/show@1', ledger: '/l.db', as_of: '2026-03-01T12:00:00.000Z' }
    expect(JSON.parse((await runCli(['show', '--json'], { entries: showing })).out)).toEqual({
      ...head,
      a: 1,
      b: 'x',
    })
    const line = (await runCli(['show', '--jsonl', '--fields', 'b'], { entries: showing })).out
    expect(line).toBe(`${JSON.stringify({ ...head, b: 'x' })}\n`)
  })
})
