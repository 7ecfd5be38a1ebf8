import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli } from '../cli/fake-io.js'
import { aDirectory } from '../store/support/places.js'

test('the stream in docs/record.md is carried out line by line', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/record.md'), 'utf8')
  const [, lines = ''] = /^```jsonl\n(.*?)^```$/ms.exec(text) ?? []
  const verbs = new Set(
    lines
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).verb),
  )
  for (const verb of ['activity', 'progress', 'phase', 'note', 'drain']) expect(verbs).toContain(verb)
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  const { code, out } = await runCli(['record', '--stream'], { cwd, stdin: lines })
  expect(out).not.toContain('"ok":false')
  expect(out.trim().split('\n')).toHaveLength(lines.trim().split('\n').length)
  expect(code).toBe(0)
  const { out: report } = await runCli(['report', 'alert-4711'], { cwd })
  expect(report).toContain('the gateway drops bodies above 1 MB')
})
