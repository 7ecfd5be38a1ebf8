import { resolve } from 'node:path'
import { counted } from '../../core/counted.js'
import { ARCHIVE_FIELDS, type ArchiveBody } from '../../core/documents/archive.js'
import { isoTime } from '../../core/iso-time.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { FOUND } from '../exit-codes.js'
import { printDocument } from '../output/document.js'
import { argument } from '../parameters.js'

export const archive = command({
  name: 'archive',
  chapter: 'Keep',
  summary: 'check an archive that `prune` wrote, by itself: its digest and every chain in it',
  details: [
    'No ledger is needed. Its operations are read with --from: list, show, report, status, tasks and log take the file.',
    'That the file is the one the ledger speaks of is shown by its digest: `agent-ledger log --type prune` names it.',
  ],
  args: { file: argument('the archive') },
  options: {},
  examples: [
    { line: 'agent-ledger archive 2026-q3.jsonl', does: 'exit 0 when all fits, 12 when something was found' },
    { line: 'agent-ledger show ticket-7 --from 2026-q3.jsonl', does: 'one operation of it' },
  ],
  documents: ['archive@1'],
  fields: ARCHIVE_FIELDS,
})

export async function run({ file }: Given<typeof archive>, deps: Deps): Promise<number> {
  const { checkArchive } = await import('../../ledger/pruning.js')
  const path = resolve(deps.io.cwd, file)
  const { ledger_id, made_at, settled_before, operations, events, digest, findings } =
    await checkArchive(path)
  const body: ArchiveBody = {
    ok: findings.length === 0,
    path,
    ledger_id,
    made_at: isoTime(made_at),
    settled_before: isoTime(settled_before),
    operations,
    events,
    digest,
    findings: [...findings],
  }
  await printDocument(
    { schema: 'archive@1', ledger: null, body, fields: ARCHIVE_FIELDS, text: () => said(body, deps) },
    deps,
  )
  return body.ok ? 0 : FOUND.other
}

function said(body: ArchiveBody, { show, paint }: Deps): Safe {
  const { ok, path, ledger_id, made_at, settled_before, operations, events, digest, findings } = body
  const head = words`${show(path)}: ${counted(operations, 'operation')} with ${counted(events, 'event')} of the ledger ${show(ledger_id)}`
  const more = words`settled before ${show(settled_before)}, archived ${show(made_at)}
digest of the file: ${show(digest)}`
  if (ok) return join([words`${head}: all fits`, more], '\n')
  const found = findings.map(finding => words`  ${paint.alarm(show(finding))}`)
  return join([words`${head}: ${findings.length} found`, ...found, more], '\n')
}
