import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { LedgerError } from '../core/errors.js'
import { archivedOperation, archivedTask, archiveEnd, archiveHead } from '../core/exporting/archive-schema.js'
import type { JsonValue } from '../core/json.js'
import { blankedOf } from './redaction.js'
import type { Archived } from './sql-store/prune.js'
import type { Finding } from './verify/finding.js'
import { checkLinks, type StoredLink } from './verify/links.js'

/** What an archive says of itself, once all of it was read and checked. */
export interface ArchiveChecked {
  readonly ledger_id: string
  /** milliseconds since 1970 UTC */
  readonly made_at: number
  readonly settled_before: number
  readonly operations: number
  readonly events: number
  /** of the whole file: what the event in the ledger's own chain names */
  readonly digest: string
  /** what does not fit, in words, with the line or the operation; empty where all does */
  readonly findings: readonly string[]
}

const MOST_FINDINGS = 100

/**
 * Reads an archive and checks it by itself: its last line and the digest over all before it, and each chain of events and
 * evidence. A line is kept in memory, no more.
 * @throws LedgerError invalid_input for a file that is no archive, ledger_unreadable for one that cannot be read
 */
export async function checkArchive(
  path: string,
  onOperation: (archived: Archived) => void | Promise<void> = () => undefined,
): Promise<ArchiveChecked> {
  const [all, before] = [createHash('sha256'), createHash('sha256')]
  const findings: string[] = []
  const found = (what: string) => {
    if (findings.length < MOST_FINDINGS) findings.push(what)
  }
  let head: { ledger_id: string; exported_at: number; archive: { settled_before: number } } | null = null
  let end: { records: number; archive: { operations: number; events: number; digest: string } } | null = null
  let [line, operations, tasks, events] = [0, 0, 0, 0]
  for await (const text of linesOf(path)) {
    line++
    const value = parsed(text)
    if (head === null) {
      const first = archiveHead.safeParse(value)
      if (!first.success) throw noArchive(path)
      head = first.data
    } else if (end !== null) found(`line ${line} stands after the last one`)
    const last = head !== null && line > 1 ? archiveEnd.safeParse(value) : null
    if (last?.success === true) end = last.data
    else before.update(`${text}\n`)
    all.update(`${text}\n`)
    if (line === 1 || last?.success === true) continue
    const operation = archivedOperation.safeParse(value)
    if (operation.success) {
      operations++
      events += operation.data.archive.events.length
      const ofThis = brokenIn(head.ledger_id, operation.data)
      for (const { message } of ofThis) found(`operation ${operation.data.operation_id}: ${message}`)
      if (ofThis.length === 0) await onOperation(archivedOf(operation.data))
    } else if (archivedTask.safeParse(value).success) tasks++
    else found(`line ${line} is no record of an archive`)
  }
  if (head === null) throw noArchive(path)
  if (end === null) found('the last line is missing: the archive was cut off')
  else {
    if (end.archive.digest !== `sha256:${before.digest('hex')}`)
      found('the lines are not those whose digest the last line holds')
    if (
      end.archive.operations !== operations ||
      end.archive.events !== events ||
      end.records !== operations + tasks
    )
      found(
        `${operations} operations and ${events} events are there, the last line counts ${end.archive.operations} and ${end.archive.events}`,
      )
  }
  return {
    ledger_id: head.ledger_id,
    made_at: head.exported_at,
    settled_before: head.archive.settled_before,
    operations,
    events,
    digest: `sha256:${all.digest('hex')}`,
    findings,
  }
}

/** The operations of an archive that was checked, one after the other. */
export async function* archivedIn(path: string): AsyncGenerator<Archived> {
  for await (const text of linesOf(path)) {
    const operation = archivedOperation.safeParse(parsed(text))
    if (operation.success) yield archivedOf(operation.data)
  }
}

type Line = ReturnType<typeof archivedOperation.parse>

function archivedOf({ operation_id, archive: { events, evidence } }: Line): Archived {
  const [event, last] = [events.at(-1), evidence.at(-1)]
  return {
    operation_id,
    head: `sha256:${event?.hash ?? ''}`,
    evidence_head: last === undefined ? null : `sha256:${last.hash}`,
  }
}

function brokenIn(ledger_id: string, { operation_id, archive, own }: Line): Finding[] {
  const { events, evidence, redactions } = archive
  const chain = (subject: 'operation' | 'evidence', links: Line['archive']['events']) =>
    checkLinks(
      {
        ledger_id,
        subject,
        subject_id: operation_id,
        links: links.map(stored),
        blanked: blankedOf(redactions, subject === 'operation' ? 'event' : 'evidence'),
      },
      {
        changed: subject === 'operation' ? 'event_changed' : 'evidence_changed',
        missing: subject === 'operation' ? 'event_missing' : 'evidence_missing',
        of: { subject: 'operation', id: operation_id },
      },
    )
  const missing: Finding = {
    rule: 'event_missing',
    subject: 'operation',
    id: operation_id,
    n: null,
    message: `${events.length} events, the record counts ${own.version}`,
  }
  return [
    ...chain('operation', events),
    ...chain('evidence', evidence),
    ...(events.length === own.version ? [] : [missing]),
  ]
}

function stored({ hash, event, ...link }: Line['archive']['events'][number]): StoredLink {
  return { ...link, ...(event === undefined ? {} : { event }), hash: Buffer.from(hash, 'hex') }
}

function whyUnreadable(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = createReadStream(path)
  try {
    // A carriage return inside a line is escaped in JSON, so none can end one here.
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield line
  } catch (cause) {
    throw new LedgerError('ledger_unreadable', `${path} ${whyUnreadable(cause)}`, {
      path,
      cause,
      hint: 'Check the path; a relative one starts at the current folder.',
    })
  } finally {
    input.destroy()
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function noArchive(path: string): LedgerError {
  return new LedgerError('invalid_input', `${path} is no archive of agent-ledger`, {
    path,
    hint: 'Name a file that `agent-ledger prune` wrote. An export is read with --from.',
  })
}
