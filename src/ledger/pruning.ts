import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { LedgerError } from '../core/errors.js'
import { writeWhole } from '../store/new-whole-file.js'
import type { Chosen } from '../store/prune.js'
import { type ArchiveChecked, archivedIn, checkArchive } from '../store/read-archive.js'
import type { StoreReader } from '../store/reader.js'
import { VERSION } from '../version.js'
import type { LookingSession } from './looking/session.js'
import type { Session } from './session.js'

export interface PruneOptions {
  /** milliseconds since 1970 UTC: what was settled before it may go, if no rule keeps it */
  readonly settledBefore: number
  /** the file that gets the records. One that is there already is gone on with, where it is an archive of this ledger */
  readonly archive: string
  readonly onProgress?: (done: PruneProgress) => void
  readonly signal?: AbortSignal
}

export interface PruneProgress {
  readonly stage: 'archiving' | 'checking' | 'removing'
  readonly operations: number
}

export interface LedgerPruned {
  readonly archive: string
  /** in the archive */
  readonly archived: number
  readonly removed: { readonly operations: number; readonly events: number }
  /** removed by an earlier run with the same archive */
  readonly removed_before: number
  /** in the archive and still here: changed since, or kept by a rule by now */
  readonly left: readonly { readonly operation_id: string; readonly why: string }[]
  /** what never was chosen, by rule; empty where an archive was gone on with */
  readonly kept: Chosen['kept']
}

/** What would be archived, and what stays by which rule; nothing is written. Reads all of history. */
export async function prunable(
  { store, clock }: LookingSession,
  { settledBefore }: Pick<PruneOptions, 'settledBefore'>,
): Promise<Chosen> {
  const pages = store.chosenForArchive({ settledBefore, now: clock().at })
  for (;;) {
    const page = await pages.next()
    if (page.done === true) return page.value
  }
}

/**
 * Archives what is over and removes it from the ledger: the archive is written, synced to the disk, read back and checked
 * before the first row goes. Killed at any point and run again with the same archive it goes on.
 * @throws LedgerError invalid_input, refused, ledger_damaged
 */
export async function prune(session: Session, options: PruneOptions): Promise<LedgerPruned> {
  const { archive, onProgress, signal } = options
  const { store, clock, actor } = session
  const isThere = existsSync(archive)
  const kept = isThere ? [] : (await write(store, options, clock().at)).kept
  onProgress?.({ stage: 'checking', operations: 0 })
  const checked = await soundArchive(archive, store.ledgerId)
  signal?.throwIfAborted()
  const removed = await store.removeArchived({
    actor,
    clock,
    settledBefore: checked.settled_before,
    archive: basename(archive),
    archive_digest: checked.digest,
    operations: archivedIn(archive),
    onProgress: operations => onProgress?.({ stage: 'removing', operations }),
    ...(signal === undefined ? {} : { signal }),
  })
  return {
    archive,
    archived: checked.operations,
    removed: { operations: removed.operations, events: removed.events },
    removed_before: removed.before,
    left: removed.left,
    kept,
  }
}

async function write(
  store: StoreReader,
  { archive, settledBefore, onProgress, signal }: PruneOptions,
  now: number,
): Promise<Chosen> {
  const lines = store.archiveLines({ settledBefore, now, program: `agent-ledger ${VERSION}` })
  let chosen: Chosen = { operations: 0, kept: [] }
  let count = 0
  await writeWhole(
    archive,
    (async function* () {
      for (;;) {
        signal?.throwIfAborted()
        const line = await lines.next()
        if (line.done === true) {
          chosen = line.value
          return
        }
        yield line.value
        onProgress?.({ stage: 'archiving', operations: count++ })
      }
    })(),
    'new',
  )
  return chosen
}

/** @throws LedgerError ledger_damaged, refused for the archive of another ledger */
async function soundArchive(path: string, ledgerId: string): Promise<ArchiveChecked> {
  const checked = await checkArchive(path)
  const [first] = checked.findings
  if (first !== undefined)
    throw new LedgerError('ledger_damaged', `the archive ${path} does not verify: ${first}`, {
      path,
      hint: 'Nothing was removed for it now. Put the file aside and archive to a new one.',
    })
  if (checked.ledger_id === ledgerId) return checked
  throw new LedgerError('refused', `${path} is an archive of another ledger (${checked.ledger_id})`, {
    path,
    rule: 'archive_of_this_ledger',
    hint: 'Name a file that is not there.',
  })
}

export { type ArchiveChecked, checkArchive } from '../store/read-archive.js'
