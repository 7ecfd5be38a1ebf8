import { resolve } from 'node:path'
import type { JsonValue } from '../../core/json.js'
import { words } from '../../core/safe-text.js'
import { openWhole, type WholeFile } from '../../ledger/new-file.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { createBuffer } from '../output/buffer.js'
import { printableJson } from '../output/json.js'
import { flag, someText, value } from '../parameters.js'

export const exportCommand = command({
  name: 'export',
  chapter: 'Keep',
  summary: 'the ledger as JSON lines, for another program or another ledger',
  details: [
    'One record a line: tasks, operations with attempts and evidence, notes, phases. `agent-ledger import jsonl` and --from read it back; `agent-ledger schema export` describes a line.',
    'Secrets are masked as in every output; digests stay those of what was sent. With --unmasked the values are written as they are, so that digests can be made again: keep such a file as safe as the ledger.',
    'Approvals and the history of events are not in it: `agent-ledger backup` copies all of a ledger.',
  ],
  args: {},
  options: {
    task: value('task', 'of this task alone', someText, { completes: 'task' }),
    output: value('file', 'write it to a new file that only you can read', someText),
    unmasked: flag('secrets as they are'),
  },
  examples: [
    { line: 'agent-ledger export --output ledger.jsonl', does: 'all of it, to a file of mode 0600' },
    { line: 'agent-ledger export --task run-12 | gzip > run-12.jsonl.gz', does: 'one task, through a pipe' },
  ],
})

/** How often a terminal is told how far it is, in records. */
const STEP = 20_000

export function run({ task, output, unmasked }: Given<typeof exportCommand>, deps: Deps): Promise<number> {
  return deps.withLedgerForReading(async ledger => {
    const lines = ledger.exportLines({
      masked: !unmasked,
      ...(task === undefined ? {} : { taskId: task }),
    })
    const file = output === undefined ? null : openWhole(resolve(deps.io.cwd, output), 'new')
    const out = createBuffer(file === null ? deps.io.stdout : sinkOf(file))
    let count = 0
    try {
      for await (const line of lines) {
        if (deps.signal.aborted) return file === null ? 0 : gaveUp(file)
        // what was read of the ledger is JSON; the types of its records do not say so
        const whole = JSON.parse(JSON.stringify(line)) as JsonValue
        const text = unmasked ? JSON.stringify(whole) : JSON.stringify(deps.redactor.value(whole))
        if (!(await out.write(`${printableJson(text)}\n`))) return 0
        count += 1
        if (deps.io.stderr.isTerminal && count % STEP === 0) void deps.say(words`${count} records`)
      }
      await out.end()
      if (file !== null) {
        file.finish()
        await deps.say(words`${count - 2} records written to ${deps.show(file.path)}`)
      }
      return 0
    } catch (error) {
      file?.discard()
      throw error
    }
  })
}

function sinkOf(file: WholeFile) {
  return {
    write: async (text: string) => {
      file.write(text)
      return true
    },
  }
}

function gaveUp(file: { readonly discard: () => void }): number {
  file.discard()
  return 0
}
