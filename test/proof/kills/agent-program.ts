import { writeSync } from 'node:fs'
import { isLedgerError, type Ledger, openLedger } from '../../../src/index.js'
import { crashPoint } from '../../../src/testing/index.js'
import { decide } from './decisions.js'
import { callOf, type Job, serviceOf, TIMEOUT_MS } from './job.js'
import { writeOutside } from './outside.js'
import { watchCommits, watchMaking } from './passing.js'
import { watchPostgres } from './passing-postgres.js'

// A process that works with a ledger as an agent or a person does, and dies where it is told to. It says on stdout
// what it was told to be durable, a line each.

const job: Job = JSON.parse(process.argv[2] ?? '')
let doing = 'opening'

/** A server that was killed recovers; on a busy machine that may take long. */
const RECOVERY_MS = 60_000

function say(...words: readonly string[]): void {
  writeSync(1, `${words.join(' ')}\n`)
}

async function write(ledger: Ledger, id: string): Promise<void> {
  const service = serviceOf(job)
  const outside = { url: job.url, mode: service.mode.kind, id, pass: crashPoint }
  doing = 'intent'
  const { status } = await ledger.run(callOf(service, id), async context => {
    doing = 'call'
    crashPoint('sent')
    try {
      return await writeOutside(outside, context)
    } finally {
      doing = 'outcome'
    }
  })
  crashPoint('told')
  say('told', id, status)
}

/** What was not known to be written was not sent: another process, or a person, goes on with it. */
async function share(ledger: Ledger): Promise<void> {
  for (const id of job.ids)
    await write(ledger, id).catch(error => {
      if (!isLedgerError(error)) throw error
      say('failed', id, error.code)
    })
}

/** The same, verb by verb. */
async function writeInSteps(ledger: Ledger, id: string): Promise<void> {
  const service = serviceOf(job)
  doing = 'prepare'
  await ledger.prepare(callOf(service, id))
  say('told', id, 'prepared')
  crashPoint('prepared')
  doing = 'intent'
  const sent = await ledger.send(id)
  if (!sent.sent) return say('told', id, sent.outcome.status)
  doing = 'call'
  crashPoint('sent')
  const { sending } = sent
  const external_ids: { kind: string; value: string }[] = []
  const context = {
    idempotencyKey: sending.idempotency_key,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    externalId: async (kind: string, value: string | number | bigint) => {
      external_ids.push({ kind, value: String(value) })
    },
  }
  const outside = { url: job.url, mode: service.mode.kind, id, pass: crashPoint }
  try {
    const result = await writeOutside(outside, context)
    doing = 'outcome'
    const { status } = await ledger.confirm(sending, { result, external_ids })
    crashPoint('told')
    say('told', id, status)
  } catch (error) {
    if (isLedgerError(error)) throw error
    doing = 'outcome'
    const { status } = await ledger.lose(sending, { reason: String(error), external_ids })
    crashPoint('told')
    say('told', id, status)
  }
}

async function main(): Promise<void> {
  if (job.does === 'make') watchMaking(crashPoint)
  const doingNow = () => (job.does === 'make' ? 'making' : doing)
  watchCommits(doingNow, crashPoint)
  watchPostgres(doingNow, crashPoint)
  setClockAhead(job.aheadMs ?? 0)
  const ledger = await openLedger(job.path, job.does === 'share' ? { waitMs: RECOVERY_MS } : {})
  say('open')
  if (job.does === 'decide' && job.decision !== undefined) {
    doing = 'decision'
    await decide(ledger, job.decision)
    say('decided')
  }
  if (job.does === 'write')
    for (const id of job.ids) await (job.inSteps ? writeInSteps(ledger, id) : write(ledger, id))
  if (job.does === 'share') await share(ledger)
  await ledger.close()
}

/** The wall clock of another machine: nothing but `Date` tells it, as nothing but the kernel would there. */
function setClockAhead(ms: number): void {
  if (ms === 0) return
  const now = Date.now
  Date.now = () => now() + ms
}

void main()
