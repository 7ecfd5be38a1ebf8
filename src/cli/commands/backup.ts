import { resolve } from 'node:path'
import { counted } from '../../core/counted.js'
import { BACKUP_FIELDS, type BackupBody } from '../../core/documents/backup.js'
import { LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { withProgress } from '../output/progress.js'
import { someText, value } from '../parameters.js'

export const backup = command({
  name: 'backup',
  chapter: 'Keep',
  summary: 'a safe copy of the ledger, checked whole, while agents may go on writing',
  details: [
    'The copy is made by the database itself, then each chain, row and page of it is checked, and only then does it appear under its name: a file that only you can read (0600). Nothing is replaced, and an interrupted backup leaves nothing under the name.',
    'Opened to be written, a copy is a new incarnation: what was prepared waits for a person there, since the original may have sent it meanwhile.',
  ],
  args: {},
  options: { output: value('file', 'where the copy goes; must not be there', someText) },
  examples: [
    { line: 'agent-ledger backup --output ledger-2026-11-30.db', does: 'copy it, and say what was checked' },
  ],
  documents: ['backup@1'],
  fields: BACKUP_FIELDS,
})

export async function run({ output }: Given<typeof backup>, deps: Deps): Promise<number> {
  if (output === undefined)
    throw new LedgerError('usage', '--output is missing', {
      path: '--output',
      hint: 'Name the file the copy goes to: agent-ledger backup --output copy.db',
    })
  const location = await deps.withLedgerForReading(async ledger => ledger.location)
  const { backup: copy } = await import('../../ledger/backing-up.js')
  const target = resolve(deps.io.cwd, output)
  const { ledger_id, checked } = await withProgress('pages', deps, progress =>
    copy(location, { output: target, signal: deps.signal, onProgress: progress.at }),
  )
  const body: BackupBody = { output: target, ledger_id, checked }
  const { operations, tasks, events } = checked
  await printDocument(
    {
      schema: 'backup@1',
      ledger: location,
      body,
      fields: BACKUP_FIELDS,
      text: () =>
        words`${deps.show(target)}: a copy with ${counted(operations, 'operation')}, ${counted(tasks, 'task')} and ${counted(events, 'event')}; all fits`,
    },
    deps,
  )
  return 0
}
