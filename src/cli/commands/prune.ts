import { resolve } from 'node:path'
import { counted } from '../../core/counted.js'
import { PRUNE_FIELDS, type PruneBody } from '../../core/documents/prune.js'
import { LedgerError } from '../../core/errors.js'
import { isoTime } from '../../core/iso-time.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { Ledger } from '../../ledger.js'
import { command, type Given } from '../command.js'
import { confirm } from '../confirm.js'
import type { Deps } from '../deps.js'
import { pastMoment } from '../moments.js'
import { printDocument } from '../output/document.js'
import { withProgress } from '../output/progress.js'
import { flag, someText, time, value } from '../parameters.js'

export const prune = command({
  name: 'prune',
  chapter: 'Keep',
  summary: 'archive operations that are over to a file, check it, and remove them from the ledger',
  details: [
    'The archive is written and synced to the disk, read back and checked, and only then rows go, a batch in each commit. Killed at any point, the same line again goes on.',
    'What is open, in doubt or needs a look stays, with its task, and so does all of a task that is not closed; so do both sides of a compensation and what a service still knows by its key. Of what goes, id, key, input digest and event hashes stay for ever: none of it can be sent again unseen, and `verify` and seals still fit.',
    'The archive holds values as they are, secrets too: keep it as safe as the ledger. `agent-ledger archive <file>` checks it; list, show, report and status read it with --from.',
  ],
  args: {},
  options: {
    settledBefore: value('time', 'a time, or how long ago: 2026-01-31T12:00:00Z, 90d', time),
    output: value(
      'file',
      'the archive; one that is there is gone on with; default: beside a ledger that is a file',
      someText,
    ),
    dryRun: flag('say how many would go and what stays, and write nothing'),
  },
  examples: [
    {
      line: 'agent-ledger prune --settled-before 90d --dry-run',
      does: 'what would go, and why the rest stays',
    },
    {
      line: 'agent-ledger prune --settled-before 90d --output 2026-q3.jsonl --yes',
      does: 'archive it and remove it',
    },
    { line: 'agent-ledger list --all --from 2026-q3.jsonl', does: 'read the archive' },
  ],
  documents: ['prune@1'],
  fields: PRUNE_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof prune>, deps: Deps): Promise<number> {
  const { settledBefore: asked, output, dryRun } = given
  if (asked === undefined)
    throw new LedgerError('usage', '--settled-before is missing', {
      path: '--settled-before',
      hint: 'Say how old what goes must be: agent-ledger prune --settled-before 90d --dry-run',
    })
  const settledBefore = pastMoment(asked, deps.now)
  // Also on a replica, which takes no writes.
  if (dryRun) return deps.withLedgerForReading(async ledger => sayOnly(ledger, { settledBefore, deps }))
  return deps.withLedger(async ledger => {
    const { existsSync } = await import('node:fs')
    const archive = archivePath(output, ledger, deps)
    const isThere = existsSync(archive)
    const would = isThere ? null : await ledger.prunable({ settledBefore })
    if (would?.operations === 0) return sayOnly(ledger, { settledBefore, deps })
    const { show } = deps
    await confirm(
      {
        decision:
          would === null
            ? words`Go on with ${show(archive)}: remove from the ledger what it holds`
            : words`Archive ${counted(would.operations, 'operation')} to ${show(archive)} and remove them from the ledger`,
      },
      deps,
    )
    const pruned = await withProgress('operations', deps, progress =>
      ledger.prune({
        settledBefore,
        archive,
        signal: deps.signal,
        onProgress: ({ operations }) => progress.at(operations),
      }),
    )
    const body: PruneBody = {
      outcome: 'pruned',
      settled_before: isoTime(settledBefore),
      archive,
      archived: pruned.archived,
      removed: pruned.removed,
      removed_before: pruned.removed_before,
      left: pruned.left,
      kept: pruned.kept,
    }
    await printPruned(body, ledger, deps)
    return 0
  })
}

/** What would go and what stays; nothing is written. */
async function sayOnly(
  ledger: Pick<Ledger, 'location' | 'prunable'>,
  { settledBefore, deps }: { readonly settledBefore: number; readonly deps: Deps },
): Promise<number> {
  const { operations: archived, kept } = await ledger.prunable({ settledBefore })
  const outcome = archived === 0 ? 'nothing' : 'would_prune'
  await printPruned(
    { ...NOTHING, outcome, settled_before: isoTime(settledBefore), archived, kept },
    ledger,
    deps,
  )
  return 0
}

const NOTHING = {
  archive: null,
  removed: { operations: 0, events: 0 },
  removed_before: 0,
  left: [],
} as const

/** @throws LedgerError usage where the ledger is no file and nothing was named */
function archivePath(output: string | undefined, { location }: Ledger, { io, now }: Deps): string {
  if (output !== undefined) return resolve(io.cwd, output)
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(location))
    return `${location}.archive-${isoTime(now).replaceAll(/[-:]|\.\d+/g, '')}.jsonl`
  throw new LedgerError('usage', '--output is missing', {
    path: '--output',
    hint: 'Name the file the records go to: the ledger is on a server.',
  })
}

async function printPruned(body: PruneBody, ledger: Pick<Ledger, 'location'>, deps: Deps): Promise<void> {
  const text = () => said(body, deps)
  await printDocument({ schema: 'prune@1', ledger: ledger.location, body, fields: PRUNE_FIELDS, text }, deps)
}

function said(body: PruneBody, { show }: Deps): Safe {
  const { outcome, settled_before, archive, archived, removed, removed_before, left, kept } = body
  const stays = kept.map(({ title, operations }) => words`  ${operations} stay: ${show(title)}`)
  if (outcome === 'nothing')
    return join([words`nothing settled before ${show(settled_before)} may go`, ...stays], '\n')
  if (outcome === 'would_prune')
    return join(
      [
        words`${counted(archived, 'operation')} settled before ${show(settled_before)} would go; nothing was written`,
        ...stays,
      ],
      '\n',
    )
  const earlier = removed_before === 0 ? words`` : words`, ${removed_before} were removed before`
  return join(
    [
      words`${counted(removed.operations, 'operation')} with ${counted(removed.events, 'event')} ${removed.operations === 1 ? words`is` : words`are`} in ${show(archive ?? '')} and no longer in the ledger${earlier}`,
      ...left.map(({ operation_id, why }) => words`  ${show(operation_id)} stays here too: ${show(why)}`),
      ...stays,
    ],
    '\n',
  )
}
