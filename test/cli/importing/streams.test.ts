import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

// A source is looked at several times, so a stream cannot be one: it is said what to do instead.

const PROGRAM = join(import.meta.dirname, '../../../bin/agent-ledger.js')

it.each([['import /dev/stdin --ledger ledger.db'], ['checkpoint /dev/stdin'], ['list --from /dev/stdin']])(
  '%s in a pipe says that it is a pipe, and to write it to a file',
  async line => {
    const cwd = aDirectory()
    await runCli(['init', '--ledger', join(cwd, 'ledger.db')])
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `echo '{}' | "${process.execPath}" "${PROGRAM}" ${line}`],
      {
        cwd,
        encoding: 'utf8',
      },
    )
    expect(stderr).toContain('/dev/stdin is a pipe, socket or device, not a file')
    expect(stderr).toContain('Write what it gives to a file first')
    expect(status).toBe(3)
  },
)

it.each([[['import', '-']], [['checkpoint', '-']], [['report', '--from', '-']]])(
  '%j is refused, and names what to do',
  async argv => {
    const cwd = aDirectory()
    await runCli(['init'], { cwd })
    const { code, err } = await runCli(argv, { cwd })
    expect([code, err]).toEqual([2, expect.stringContaining('reads files, not stdin')])
    expect(err).toContain('A file of that name is ./-.')
  },
)
