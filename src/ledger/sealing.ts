import { existsSync, readFileSync } from 'node:fs'
import { LedgerError } from '../core/errors.js'
import { writeWhole } from '../store/new-whole-file.js'
import { originOf } from '../store/sealing/checkpoint.js'
import { KEY_NAME, newKey, publicKey, signingKey, verifierOf } from '../store/sealing/keys.js'
import { type Anchor, parseAnchors, signedNote } from '../store/sealing/note.js'
import type { Anchors } from '../store/verify.js'
import { byOf, type Session } from './session.js'

export interface SealOptions {
  /** an Ed25519 key as PEM, without a passphrase */
  readonly privateKey: string
  /** who signs, as the signature says; default `agent-ledger` */
  readonly keyName?: string
  /** a file of anchors that gets the checkpoint too; made where there is none */
  readonly output?: string
  /** how long to wait for writers of PostgreSQL that are under way, milliseconds; default 10 s */
  readonly waitMs?: number
}

export interface LedgerSealed {
  /** the checkpoint: `agent-ledger/<ledger id>`, the number of events, the root over them as base64 */
  readonly origin: string
  readonly size: number
  readonly root: string
  /** the signed note, to be kept where whoever can write the ledger cannot */
  readonly note: string
  /** the line that names the public key */
  readonly verifier: string
  /** how many events the seal before was over; 0 for the first */
  readonly before: number
  /** false: nothing was written since the last seal, and this is that one */
  readonly is_new: boolean
}

const DEFAULT_WAIT_MS = 10_000

/** Seals all events so far. @throws LedgerError invalid_input, refused, busy, conflict, ledger_damaged */
export async function sealLedger(session: Session, options: SealOptions): Promise<LedgerSealed> {
  const { privateKey, keyName = KEY_NAME, output, waitMs = DEFAULT_WAIT_MS } = options
  const { store } = session
  const key = signingKey(privateKey, keyName)
  const kept = output === undefined ? '' : await anchorsThere(session, output)
  const sealed = await store.seal({ waitMs, sign: checkpoint => signedNote(checkpoint, key) }, byOf(session))
  const { origin, size, root, note, before, isNew } = sealed
  if (output !== undefined && !kept.includes(note))
    await writeWhole(output, [kept === '' ? '' : `${kept.trimEnd()}\n\n`, note], 'replace')
  return {
    origin,
    size,
    root: root.toString('base64'),
    note,
    verifier: verifierOf(key),
    before,
    is_new: isNew,
  }
}

/** A new key for seals: the private one as PEM, and the line that names the public one. @throws LedgerError invalid_input */
export function makeSealKey(name = KEY_NAME): { readonly privatePem: string; readonly verifier: string } {
  const made = newKey(name)
  signingKey(made.privatePem, name)
  return made
}

/**
 * What a file of anchors holds. @throws LedgerError refused where it does not fit the seals of this ledger: a checkpoint
 * must not go on from a history that an earlier one denies
 */
async function anchorsThere({ store }: Session, path: string): Promise<string> {
  if (!existsSync(path)) return ''
  const text = readFileSync(path, 'utf8')
  const origin = originOf(store.ledgerId)
  const seals = await store.seals()
  const isKnown = ({ size, root }: Anchor) =>
    seals.some(({ said }) => said.size === size && said.root === root.toString('base64'))
  const stranger = parseAnchors(text, path).find(anchor => anchor.origin !== origin || !isKnown(anchor))
  if (stranger === undefined) return text
  throw new LedgerError(
    'refused',
    `${path} holds an anchor of ${stranger.size} events that is no seal of this ledger`,
    {
      path,
      rule: 'anchors_fit',
      hint: `Hold the ledger against it first: agent-ledger verify --anchors ${path}`,
    },
  )
}

/** Anchors as `verify` takes them; `from` is where they come from, for people. @throws LedgerError invalid_input */
export function readAnchors(content: string, key: string | null, from?: string): Anchors {
  return { anchors: parseAnchors(content, from), key: key === null ? null : publicKey(key) }
}
