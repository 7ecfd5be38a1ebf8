import { resolve } from 'node:path'
import { isUrl } from '../../config/ledger-key.js'
import type { CheckpointDocument } from '../../core/checkpoint.js'
import { asJson } from '../../core/documents/parts.js'
import { isLedgerError, LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { shownUrl } from '../../core/shown-url.js'
import type { CheckpointOptions, CheckpointRead } from '../../ledger/looking/checkpoint.js'
import { checkpointPage } from '../../report/page/checkpoint-page.js'
import { pageText } from '../../report/text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { refuseStdin } from '../from.js'
import { printDocument } from '../output/document.js'
import { pageStyle } from '../page-style.js'
import { flag, optionalArgument, someText, value } from '../parameters.js'

const FIELDS = [
  'source',
  'language',
  'saver',
  'threads',
  'left_out',
] as const satisfies readonly (keyof CheckpointDocument)[]

export const checkpoint = command({
  name: 'checkpoint',
  chapter: 'Take over',
  summary: 'read a framework’s checkpoint: what runs next, what is saved, what a resume would do again',
  details: [
    'The content says which system it is, and it is printed what it was known by; --source names it where it does not.',
    'The file is opened to be read and left byte for byte as it was. A server is asked in one read-only transaction. Where a ledger is in use and a task of it points there, its operations tell what would happen twice; else, and with --from, what the store’s own records tell of outside writes.',
    'Where a system keeps records and no checkpoints, each of its tasks is shown with what is in doubt; what a resume would run is not known then.',
    'The password of a server may come from PGPASSWORD or ~/.pgpass instead of the address. schema= and table= in the address name the saver’s own, where they are not the usual ones.',
  ],
  args: {
    path: optionalArgument(
      'the checkpoint store: for LangGraph the database file of its SqliteSaver, or the postgresql:// address of its PostgresSaver; for others the file or folder they write',
    ),
  },
  options: {
    thread: value('thread', 'only this thread', someText),
    from: value('path', 'the same as the path, and no ledger is asked', someText),
    source: value('name', 'the system, where its content does not say', someText),
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

export async function run(
  { path, thread, from, source, follow }: Given<typeof checkpoint>,
  deps: Deps,
): Promise<number> {
  const named = whichPath(path, from)
  refuseStdin(named, 'checkpoint')
  const options = {
    ...(thread === undefined ? {} : { threadId: thread }),
    ...(source === undefined ? {} : { source }),
    follow: follow ?? false,
  }
  const file = isUrl(named) ? named : resolve(deps.io.cwd, named)
  const uri = shownUrl(named)
  const { document, why, ledger } = await readCheckpoint(file, { options, isAlone: from !== undefined }, deps)
  await deps.say(words`${deps.show(uri)} ${deps.show(why)}: read as ${deps.show(document.source)}`)
  const text = () => pageText(checkpointPage(document, { uri, why }), pageStyle(deps))
  await printDocument({ schema: 'checkpoint@1', ledger, body: asJson(document), fields: FIELDS, text }, deps)
  if (document.threads.length === 0) await deps.say(nothingStored(deps))
  if (document.left_out > 0)
    await deps.say(words`${document.left_out} more threads are stored: name one with --thread`)
  return 0
}

function whichPath(path: string | undefined, from: string | undefined): string {
  if (path !== undefined && from !== undefined)
    throw new LedgerError('usage', 'the path is given twice, once with --from', {
      path: '--from',
      hint: 'Leave one of them out.',
    })
  const named = path ?? from
  if (named !== undefined) return named
  throw new LedgerError('usage', 'nothing to read was named', {
    hint: 'Give a path or an address: agent-ledger checkpoint <path>',
  })
}

// An empty store is no proof that nothing ran.
function nothingStored({ show }: Deps) {
  return words`no thread is stored. Before its first checkpoint nothing of a run is, and with durability "exit" nothing at all of a run that was killed: what it did outside stands in the ledger alone, ${show(ledgerCommand('tasks', []))}`
}

interface Read extends CheckpointRead {
  /** null: none is in use */
  readonly ledger: string | null
}

interface Wanted {
  readonly options: CheckpointOptions
  /** no ledger is asked */
  readonly isAlone: boolean
}

/**
 * With the operations of the ledger in use where its tasks point there, else with those that the store's own records tell
 * of. A checkpoint can be read where no ledger is; that one was named and is not there is an error all the same.
 */
async function readCheckpoint(file: string, { options, isAlone }: Wanted, deps: Deps): Promise<Read> {
  if (isAlone) return alone(file, options, deps)
  try {
    const joined = await deps.withLedgerForReading(async reading => ({
      ...(await reading.checkpoint(file, options)),
      ledger: reading.location,
    }))
    if (joined.joined > 0 || joined.document.threads.length === 0) return joined
    await deps.say(words`no task of ${deps.show(joined.ledger)} points there`)
  } catch (error) {
    const isNamed = deps.global.ledger !== undefined || (deps.io.env.AGENT_LEDGER ?? '') !== ''
    if (!isLedgerError(error) || error.code !== 'ledger_missing' || isNamed) throw error
    await deps.say(words`no ledger is in use`)
  }
  return alone(file, options, deps)
}

async function alone(file: string, options: CheckpointOptions, deps: Deps): Promise<Read> {
  const { readCheckpointAlone } = await import('../../ledger/read-checkpoint.js')
  const { withoutRecords, ...read } = await readCheckpointAlone(file, {
    ...options,
    ...(deps.global.asOf === undefined ? {} : { asOf: deps.now }),
  })
  if (withoutRecords !== null)
    await deps.say(words`what it did outside was not read: ${deps.show(withoutRecords)}`)
  else if (read.document.threads.length > 0)
    await deps.say(
      words`what a resume would do twice is told by its own records alone: a write that is not in them is not known`,
    )
  return { ...read, ledger: null }
}
