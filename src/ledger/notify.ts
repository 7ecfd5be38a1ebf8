import type { RunOutcome } from '../core/run-outcome.js'
import type { Notice } from '../core/stall/notice.js'
import type { Executor } from '../execute/executor.js'
import type { Executing } from './executing.js'
import type { Fetching } from './fetching.js'
import type { Watched } from './watch.js'
import { WATCH_TASK } from './watch-look.js'

/** Who is told of a notice, and of a suspension. */
export interface NotifyOptions {
  /** a command line for the shell; the notice is in its environment as `AGENT_LEDGER_NOTICE`, JSON */
  readonly exec?: string
  /** it gets the notice as JSON, with an `Idempotency-Key` that is the same at every attempt */
  readonly webhook?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

export type NotifyingLedger = Pick<Executing, 'exec' | 'task'> & Pick<Fetching, 'fetch'>

/** Notices stay open for days: that one of them was told stands in its row, and in the operation that told it. */
const MOST_TOLD = 20

/** Tells what is open and was not told yet: each telling is an operation of its own, so that it happens once. */
export async function* notifyOpen(
  executor: Executor,
  ledger: NotifyingLedger,
  notify: NotifyOptions,
): AsyncGenerator<Watched> {
  await resumeTelling(executor, ledger)
  for (const notice of await executor.store.openNotices()) {
    const ids = waysOf(notify).map(way => ({ way, id: idOf(notice, way) }))
    const left = ids.filter(({ id }) => !notice.told.includes(id))
    if (left.length === 0) continue
    const told: string[] = []
    for (const { way, id } of left) {
      const outcome = await tell(ledger, { id, way, notice, notify })
      // In doubt counts as told: a person sees it in the list, and a second telling would be no better known.
      if (outcome.status !== 'waiting' && outcome.status !== 'in_progress') told.push(id)
      if (outcome.status !== 'confirmed' && outcome.status !== 'waiting')
        yield {
          event: 'not_told',
          task_id: notice.task_id,
          reason: `${way} of ${notice.rule} is ${outcome.status}`,
        }
    }
    if (told.length > 0)
      await executor.store.putNotice({ ...notice, told: [...notice.told, ...told].slice(-MOST_TOLD) })
  }
}

/** A receiver that was down longer than its notice was sent again must not silence the next one. */
async function resumeTelling({ store }: Executor, ledger: NotifyingLedger): Promise<void> {
  if ((await store.task(WATCH_TASK))?.status !== 'budget_exhausted') return
  const task = await ledger.task(WATCH_TASK)
  await task.setStatus('running', 'what could not be told stands by itself: others are told on')
}

type Way = 'exec' | 'webhook'

function waysOf(notify: NotifyOptions): Way[] {
  return (['exec', 'webhook'] as const).filter(way => notify[way] !== undefined)
}

function idOf({ subject, subject_id, rule, stage, evidence }: Notice, way: Way): string {
  // An id may have 512 bytes, and so may the one it speaks of.
  const about = Buffer.byteLength(subject_id) > 300 ? evidence : subject_id
  return `watch/${stage}/${subject}/${about}/${rule}/${evidence.slice(7, 23)}/${way}`
}

const COMMAND_MS = 30_000
/** Meanwhile nothing is looked at. */
const ANSWER_MS = 10_000
const DAY_MS = 86_400_000
/** A receiver may be down for a night: it is asked again for as long as it is expected to know the key. */
const PATIENCE = {
  maxAttempts: 1_000,
  retry: { base_ms: 5_000, cap_ms: 300_000, max_elapsed_ms: DAY_MS },
} as const

async function tell(
  ledger: NotifyingLedger,
  { id, way, notice, notify }: { id: string; way: Way; notice: Notice; notify: NotifyOptions },
): Promise<RunOutcome<unknown>> {
  const input = {
    subject: notice.subject,
    subject_id: notice.subject_id,
    task_id: notice.task_id,
    rule: notice.rule,
    reason: notice.reason,
    stage: notice.stage,
    noticed_at: new Date(notice.noticed_at).toISOString(),
    grace_until: notice.grace_until === null ? null : new Date(notice.grace_until).toISOString(),
  }
  const call = {
    id,
    task: WATCH_TASK,
    tool: `watch.${way}`,
    effect: 'mitigable',
    timeoutMs: way === 'webhook' ? ANSWER_MS : COMMAND_MS,
    waitForRetryMs: 0,
    input,
  } as const
  if (way === 'webhook') {
    const repeat = { kind: 'idempotency_key', retention_ms: DAY_MS } as const
    return ledger.fetch({ ...call, ...PATIENCE, repeat }, { url: notify.webhook ?? '', json: input })
  }
  const { outcome } = await ledger.exec(call, {
    argv: ['/bin/sh', '-c', notify.exec ?? ''],
    env: { ...notify.env, AGENT_LEDGER_NOTICE: JSON.stringify(input) },
    cwd: notify.cwd ?? '/',
    onTerminal: false,
    stopping: new AbortController().signal,
    graceMs: 5_000,
    onSignal: () => () => {},
    // What it prints is its own affair: our stdout carries documents.
    taps: () => ({ stdout: async () => true, stderr: async () => true }),
  })
  return outcome
}
