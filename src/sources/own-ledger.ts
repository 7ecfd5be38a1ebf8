import { existsSync } from 'node:fs'
import { looksLikeSqlite, readHead } from './sqlite-file/header.js'
import { requireNotOpenHere } from './sqlite-file/holders.js'
import { lookAt, whyNotPlainFile } from './sqlite-file/look.js'

/** "ALDG", as the ledger's own store marks its files. */
export const OWN_APPLICATION_ID = 0x414c4447

/** Is it a ledger of this program, by the mark in its header? */
export function isOwnLedger(path: string): boolean {
  if (!existsSync(path)) return false
  const looked = lookAt(path)
  if (whyNotPlainFile(looked) !== undefined) return false
  requireNotOpenHere(looked)
  const head = readHead(looked.path)
  return looksLikeSqlite(head) && head.length >= 72 && head.readUInt32BE(68) === OWN_APPLICATION_ID
}
