import { join } from 'node:path'

/** One for each ledger, whatever URL leads to it. */
export function spoolFolderOf(stateFolder: string, ledgerId: string): string {
  return join(stateFolder, 'receipts', ledgerId)
}
