import { createHash } from 'node:crypto'

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
  readonly body_digest: Buffer
  readonly prev: Buffer
}

/**
 * SHA-256 over the RFC 8785 form of the link with its version. The ledger, the subject and the number inside
 * keep a link from being moved to another place. Members stand in the order RFC 8785 wants, and strings are
 * well-formed, so JSON.stringify writes the canonical form (a test compares the two).
 */
export function linkHash(link: Link): Buffer {
  return hashOf(
    JSON.stringify({
      actor: link.actor,
      at: link.at,
      body_digest: shown(link.body_digest),
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
  return createHash('sha256').update(text, 'utf8').digest()
}

export function shown(hash: Buffer): string {
  return `sha256:${hash.toString('hex')}`
}
