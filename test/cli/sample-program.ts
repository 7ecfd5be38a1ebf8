// Three commands on the real frame, for the tests that need a process or a terminal of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { command, entry } from '../../src/cli/command.js'
import { confirm } from '../../src/cli/confirm.js'
import type { Deps } from '../../src/cli/deps.js'
import { main } from '../../src/cli/main.js'
import { printRows } from '../../src/cli/output/rows.js'
import { words } from '../../src/core/safe-text.js'
import { commandsOf } from './fake-io.js'

const frame = {
  chapter: 'Look',
  summary: 'a sample',
  args: {},
  options: {},
  examples: [{ line: 'x', does: 'x' }],
} as const

const rows = entry(command({ ...frame, name: 'rows', fields: ['id', 'status'] }), {
  run: async (_: unknown, deps: Deps) => {
    const count = Number(deps.io.env.SAMPLE_ROWS ?? '2')
    const given = (function* () {
      for (let i = 1; i <= count; i++) yield { id: `op-${i}`, status: 'unknown' }
    })()
    const status = (row: { status: string }) => row.status
    await printRows(
      {
        schema: 'rows@1',
        ledger: '/l.db',
        name: 'items',
        rows: given,
        fields: ['id', 'status'],
        columns: [
          { heading: 'id', cell: row => row.id, rank: 0 },
          { heading: 'status', cell: status, rank: 1, paint: (text, _row, paint) => paint.doubt(text) },
        ],
        empty: words`nothing`,
      },
      deps,
    )
    return 0
  },
})

const ask = entry(command({ ...frame, name: 'ask', writes: true }), {
  run: async (_: unknown, deps: Deps) => {
    await confirm({ decision: words`Abandon op-1` }, deps)
    await deps.print(words`abandoned`)
    return 0
  },
})

const wait = entry(command({ ...frame, name: 'wait' }), {
  run: async (_: unknown, deps: Deps) => {
    await deps.print(words`waiting`)
    await sleep(60_000, undefined, { signal: deps.signal }).catch(() => deps.print(words`tidied up`))
    return 0
  },
})

main(commandsOf([rows, ask, wait])).then(code => {
  process.exitCode = code
})
