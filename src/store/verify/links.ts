import { sha256 } from '../../core/digest.js'
import { type ChainSubject, type EventColumns, linkHash } from '../chain.js'
import type { Finding, FindingRule } from './finding.js'

/** A link as it is stored, with the exact text that was hashed. */
export interface StoredLink {
  readonly n: number
  readonly type: string
  readonly at: number
  readonly actor: string
  readonly event?: EventColumns
  readonly body: string
  readonly hash: Buffer
}

export interface EventLink extends StoredLink {
  /** its place in the order of all events */
  readonly seq: number
  readonly event: EventColumns
}

export interface ChainToCheck {
  readonly ledger_id: string
  readonly subject: ChainSubject
  readonly subject_id: string
  readonly links: readonly StoredLink[]
  /** the hash before the first link given; left out where that is number 1 */
  readonly prev?: Buffer | null
  readonly first?: number
  /** by number: bodies that were blanked on record */
  readonly blanked?: ReadonlyMap<number, Blanked>
}

/** What the ledger's own chain says of a body that was blanked. */
export interface Blanked {
  /** of the body as it was; null where there was none */
  readonly digest: string
  /** of what is left of it */
  readonly left: string
}

export interface ChainFindings {
  readonly changed: FindingRule
  readonly missing: FindingRule
  readonly of: Pick<Finding, 'subject' | 'id'>
}

/**
 * Events that lie before the one they follow. Whoever writes to a chain waits for whoever wrote to it before, so the order of
 * all events keeps that of each chain, also where commits run side by side; hashes do not cover it. `before` is the place
 * of the event before the first one given.
 */
export function checkPlaces(events: readonly EventLink[], of: ChainFindings['of'], before = 0): Finding[] {
  return events.flatMap(({ n, seq, type }, place): Finding[] => {
    const last = events[place - 1]?.seq ?? before
    if (seq > last) return []
    const message = `number ${n} (${type}) is event ${seq} of all, the one before it is event ${last}`
    return [{ ...of, rule: 'event_misplaced', n, message }]
  })
}

/** Each link against its place, its content and the link before it. Goes on behind a bad link, to name them all. */
export function checkLinks(chain: ChainToCheck, { changed, missing, of }: ChainFindings): Finding[] {
  const { ledger_id, subject, subject_id } = chain
  const findings: Finding[] = []
  let prev = chain.prev ?? null
  let expected = chain.first ?? 1
  for (const { n, type, at, actor, event, body, hash } of chain.links) {
    if (n !== expected) {
      const gap = n - 1 === expected ? `number ${expected} is` : `numbers ${expected} to ${n - 1} are`
      findings.push({ ...of, rule: missing, n: expected, message: `${gap} missing` })
    } else {
      const place = { ledger_id, subject, subject_id, n }
      const was = chain.blanked?.get(n)
      const left = was !== undefined && sha256(body) === was.left ? { body_digest: was.digest } : {}
      const right = linkHash({ ...place, type, at, actor, ...(event ? { event } : {}), body, ...left, prev })
      if (!right.equals(hash))
        findings.push({ ...of, rule: changed, n, message: `number ${n} (${type}) does not fit its hash` })
    }
    prev = hash
    expected = n + 1
  }
  return findings
}
