import { hash } from 'node:crypto'
import { LedgerError } from '../core/errors.js'

/** The subject of a chain: the events of an operation, of a task or of the ledger, or an operation's evidence. */
export type ChainSubject = 'operation' | 'task' | 'ledger' | 'evidence'

/** One link: everything that the hash covers. Digests are the 32 bytes of SHA-256. */
export interface Link {
  readonly ledger_id: string
  readonly subject: ChainSubject
  readonly subject_id: string
  readonly n: number
  readonly type: string
  readonly at: number
  readonly actor: string
  /** of an event only: the rest of its columns */
  readonly event?: EventColumns
  readonly body_digest: Buffer
  readonly prev: Buffer
}

export interface EventColumns {
  readonly about: string | null
  readonly decision_id: string | null
  readonly boot_id: string
  readonly boot_ms: number
}

/**
 * SHA-256 over the RFC 8785 form of the link with its version. The ledger, the subject and the number inside
 * keep a link from being moved to another place. Members stand in the order RFC 8785 wants, and strings are
 * well-formed, so JSON.stringify writes the canonical form (a test compares the two).
 */
export function linkHash({ event, ...link }: Link): Buffer {
  return hashOf(
    JSON.stringify({
      about: event?.about, // left out where undefined
      actor: link.actor,
      at: link.at,
      body_digest: shown(link.body_digest),
      boot_id: event?.boot_id,
      boot_ms: event?.boot_ms,
      decision_id: event?.decision_id,
      ledger_id: link.ledger_id,
      n: link.n,
      prev: shown(link.prev),
      subject: link.subject,
      subject_id: link.subject_id,
      type: link.type,
      v: 1,
    }),
  )
}

/** What the first link of a chain names as its previous one. */
export function genesis(ledger_id: string, subject: ChainSubject, subject_id: string): Buffer {
  return hashOf(JSON.stringify({ ledger_id, subject, subject_id, v: 1 }))
}

/** SHA-256 of the text's UTF-8 bytes. */
export function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer') // one call: two thirds of the time of createHash
}

/** `sha256:<hex>`: how digests are written wherever people and programs read them. */
export function shown(bytes: Buffer): string {
  return `sha256:${bytes.toString('hex')}`
}

/** The bytes of `sha256:<64 hex>`. */
export function bytesOfDigest(text: string): Buffer {
  if (!/^sha256:[0-9a-f]{64}$/.test(text)) {
    throw new LedgerError('invalid_input', `"${text.slice(0, 80)}" is no digest: sha256:<64 hex> is wanted`)
  }
  return Buffer.from(text.slice('sha256:'.length), 'hex')
}
