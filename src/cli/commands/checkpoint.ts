import { resolve } from 'node:path'
import { isUrl } from '../../config/ledger-key.js'
import type { CheckpointDocument } from '../../core/checkpoint.js'
import { asJson } from '../../core/documents/parts.js'
import { isLedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { shownUrl } from '../../core/shown-url.js'
import type { CheckpointRead } from '../../ledger/looking/checkpoint.js'
import type { LedgerForReading } from '../../ledger/open-for-reading.js'
import { readCheckpointAlone } from '../../ledger/read-checkpoint.js'
import { checkpointPage } from '../../report/page/checkpoint-page.js'
import { pageText } from '../../report/text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { pageStyle } from '../page-style.js'
import { argument, flag, someText, value } from '../parameters.js'

const FIELDS = [
  'source',
  'language',
  'saver',
  'threads',
] as const satisfies readonly (keyof CheckpointDocument)[]

export const checkpoint = command({
  name: 'checkpoint',
  chapter: 'Take over',
  summary: 'read a framework’s checkpoint: what runs next, what is saved, what a resume would do again',
  details: [
    'The file is opened to be read and left byte for byte as it was. A server is asked in one read-only transaction. Where a ledger is in use and a task of it points there, its operations tell what would happen twice.',
    'The password of a server may come from PGPASSWORD or ~/.pgpass instead of the address. schema= and table= in the address name the saver’s own, where they are not the usual ones.',
  ],
  args: {
    path: argument(
      'the checkpoint store: for LangGraph the database file of its SqliteSaver, or the postgresql:// address of its PostgresSaver',
    ),
  },
  options: {
    thread: value('thread', 'only this thread', someText),
    follow: flag('of phases: look at what lies outside the workspace too'),
  },
  examples: [
    { line: 'agent-ledger checkpoint state.db', does: 'every thread in it' },
    { line: 'agent-ledger checkpoint state.db --thread ticket-7 --json', does: 'one thread, for a script' },
    {
      line: 'agent-ledger checkpoint "postgresql://reader@db.internal/agents?schema=graphs" --thread ticket-7',
      does: 'one thread of a PostgresSaver',
    },
  ],
  documents: ['checkpoint@1'],
  fields: FIELDS,
})

export async function run({ path, thread, follow }: Given<typeof checkpoint>, deps: Deps): Promise<number> {
  const options = { ...(thread === undefined ? {} : { threadId: thread }), follow: follow ?? false }
  const file = isUrl(path) ? path : resolve(deps.io.cwd, path)
  const { document, ledger } = await withLedgerIfThere<Read>(deps, {
    with: async reading => ({
      ...(await reading.checkpoint(file, options)),
      ledger: reading.location,
    }),
    without: async () => ({ ...(await readCheckpointAlone(file, options)), ledger: null }),
  })
  const text = () => pageText(checkpointPage(document, shownUrl(path)), pageStyle(deps))
  await printDocument({ schema: 'checkpoint@1', ledger, body: asJson(document), fields: FIELDS, text }, deps)
  if (document.threads.length === 0) await deps.say(nothingStored(deps))
  return 0
}

// An empty store is no proof that nothing ran.
function nothingStored({ show }: Deps) {
  return words`no thread is stored. Before its first checkpoint nothing of a run is, and with durability "exit" nothing at all of a run that was killed: what it did outside stands in the ledger alone, ${show(ledgerCommand('tasks', []))}`
}

interface Read extends CheckpointRead {
  /** null: none is in use */
  readonly ledger: string | null
}

interface Ways<T> {
  readonly with: (ledger: LedgerForReading) => Promise<T>
  readonly without: () => Promise<T>
}

/** A checkpoint can be read where no ledger is; that one was named and is not there is an error all the same. */
async function withLedgerIfThere<T>(deps: Deps, ways: Ways<T>): Promise<T> {
  try {
    return await deps.withLedgerForReading(ways.with)
  } catch (error) {
    const isNamed = deps.global.ledger !== undefined || (deps.io.env.AGENT_LEDGER ?? '') !== ''
    if (!isLedgerError(error) || error.code !== 'ledger_missing' || isNamed) throw error
    await deps.say(words`no ledger is in use: what a resume would do twice is not known`)
    return ways.without()
  }
}
