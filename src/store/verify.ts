import type { Engine } from './engine.js'
import { readMeta } from './sql-store/meta.js'
import { operationBundles, taskPage } from './sql-store/verify-reads.js'
import type { Finding } from './verify/finding.js'
import { checkLedger, type LedgerChecked } from './verify/ledger.js'
import { checkOperation } from './verify/operation.js'
import type { Anchors } from './verify/seals.js'
import { checkTask } from './verify/task.js'

export type { Anchors } from './verify/seals.js'

export interface Verified {
  readonly ledger_id: string
  readonly checked: {
    readonly operations: number
    readonly tasks: number
    readonly events: number
    readonly evidence: number
  }
  readonly findings: readonly Finding[]
  readonly archived: LedgerChecked['archived']
  readonly seals: LedgerChecked['seals']
  /** bodies that were blanked, by whom and why: on record, so no fault */
  readonly redacted: LedgerChecked['redacted']
  /** more was found than is listed */
  readonly is_cut: boolean
}

export interface VerifyOptions {
  /** list at most so many findings: a ruined ledger must not fill the memory */
  readonly most?: number
  /** it is a copy of a ledger in PostgreSQL that has not arrived yet: its events lie as they were written there */
  readonly isFromPostgres?: boolean
  /** checkpoints that were kept elsewhere */
  readonly anchors?: Anchors
  readonly onProgress?: (operations: number) => void
}

const PAGE = 200
const MOST_FINDINGS = 1_000

/**
 * Recomputes all that can be recomputed: each link of each chain, the evidence that events name, every row from its
 * events, and what SQLite says of the file. Each page is one snapshot, so a ledger may be written meanwhile. It
 * finds what was changed, removed, reordered or inserted, not who did it: whoever may write the file can write a
 * whole chain anew, and can cut off the last events of a subject with its row set back.
 */
export async function verify(engine: Engine, options: VerifyOptions = {}): Promise<Verified> {
  const { most = MOST_FINDINGS, isFromPostgres = false, anchors = null, onProgress } = options
  const meta = await engine.read(readMeta)
  if (meta === null) throw new Error('a ledger that was opened says which one it is')
  const { ledger_id } = meta
  const findings: Finding[] = (await engine.damages('whole')).map(message => ({
    rule: 'file_damaged',
    subject: 'file',
    id: ledger_id,
    n: null,
    message,
  }))
  const checked = { operations: 0, tasks: 0, events: 0, evidence: 0 }
  for (let after: number | null = 0; after !== null && findings.length < most; ) {
    const from: number = after
    const { bundles, last } = await engine.read(() => operationBundles(from, PAGE))
    for (const bundle of bundles) {
      findings.push(...checkOperation(ledger_id, bundle))
      checked.operations++
      checked.evidence += bundle.evidence.length
    }
    onProgress?.(checked.operations)
    after = last
  }
  for (let after: number | null = 0; after !== null && findings.length < most; ) {
    const from: number = after
    const { tasks, last } = await engine.read(() => taskPage(from, PAGE))
    for (const { task, events } of tasks) findings.push(...checkTask(ledger_id, task, events))
    checked.tasks += tasks.length
    after = last
  }
  const ledger = await checkLedger(engine, meta, { most, isFromPostgres, anchors })
  findings.push(...ledger.findings)
  checked.events = ledger.events
  const { archived, seals, redacted } = ledger
  return {
    ledger_id,
    checked,
    archived,
    seals,
    redacted,
    findings: findings.slice(0, most),
    is_cut: findings.length >= most,
  }
}
