import { hash } from 'node:crypto'
import { sha256 } from '../core/digest.js'
import { LedgerError } from '../core/errors.js'

/** The subject of a chain: the events of an operation, of a task or of the ledger, or an operation's evidence. */
export type ChainSubject = 'operation' | 'task' | 'ledger' | 'evidence'

/** One link: everything that the hash covers. */
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
  /** the stored text of the body, which goes in by its digest, so that an erased one leaves the chain whole */
  readonly body: string
  /** of a body that was blanked: the digest of what it was */
  readonly body_digest?: string
  /** null for the first */
  readonly prev: Buffer | null
}

export interface EventColumns {
  readonly about: string | null
  readonly decision_id: string | null
  readonly boot_id: string
  readonly boot_ms: number
}

/**
 * SHA-256 over the RFC 8785 form of the link with its version. The ledger, the subject and the number inside
 * keep a link, the first too, from being moved to another place. Members stand in the order RFC 8785 wants, and strings are
 * well-formed, so JSON.stringify writes the canonical form (a test compares the two).
 */
export function linkHash(link: Link): Buffer {
  const { event } = link
  return hash(
    'sha256',
    JSON.stringify({
      about: event?.about, // left out where undefined
      actor: link.actor,
      at: link.at,
      body_digest: link.body_digest ?? sha256(link.body),
      boot_id: event?.boot_id,
      boot_ms: event?.boot_ms,
      decision_id: event?.decision_id,
      ledger_id: link.ledger_id,
      n: link.n,
      prev: link.prev && shown(link.prev),
      subject: link.subject,
      subject_id: link.subject_id,
      type: link.type,
      v: 1,
    }),
    'buffer',
  )
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
