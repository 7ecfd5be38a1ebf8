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
  watchCommits(() => (job.does === 'make' ? 'making' : doing), crashPoint)
  watchPostgres(() => doing, crashPoint)
  const ledger = await openLedger(job.path)
  say('open')
  if (job.does === 'decide' && job.decision !== undefined) {
    doing = 'decision'
    await decide(ledger, job.decision)
    say('decided')
  }
  if (job.does === 'write')
    for (const id of job.ids) await (job.inSteps ? writeInSteps(ledger, id) : write(ledger, id))
  await ledger.close()
}

void main()
