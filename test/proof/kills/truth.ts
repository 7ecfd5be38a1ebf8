import type { OperationStatus } from '../../../src/index.js'
import { type LedgerForReading, openLedgerForReading } from '../../../src/ledger.js'
import type { Effect, FakeService } from '../../../src/testing/index.js'

/** A law that a run broke. */
export interface Find {
  readonly law: Law
  readonly detail: string
}

export const LAWS = [
  'no duplicate that nobody allowed',
  'nothing lost',
  'not executed means that it did not happen',
  'confirmed means that it happened',
  'no byte leaves before it is announced',
  'what was acknowledged is there',
  'what may have happened is in doubt at once',
  'nothing stays in doubt',
  'nobody alive is called dead',
  'the ledger verifies',
] as const
export type Law = (typeof LAWS)[number]

export interface Seen {
  readonly reading: LedgerForReading
  readonly service: FakeService
  readonly ids: readonly string[]
  readonly said: readonly string[]
}

/** What a process said to be durable before it died, found again. */
export async function stillThere({ reading, said }: Seen): Promise<Find[]> {
  const statuses = await statusesIn(reading)
  return said.flatMap(line => {
    const [word, id = '', status] = line.split(' ')
    if (word !== 'told') return []
    const now = statuses.get(id)?.status
    const isKept = status === 'confirmed' || status === 'not_executed' ? now === status : now !== undefined
    return isKept
      ? []
      : [{ law: 'what was acknowledged is there', detail: `${line}, and now ${now}` } as const]
  })
}

/** Right after the kill, before anybody did anything: what the ledger says is so, and what is not settled is shown. */
export async function inDoubtAtOnce({ reading, service, ids }: Seen): Promise<Find[]> {
  const statuses = await statusesIn(reading)
  const doubted = new Set((await reading.list({ show: 'unknown' })).operations.map(row => row.operation_id))
  return ids.flatMap((id): Find[] => {
    const status = statuses.get(id)?.status
    const isDone = effectsOf(service, id).length > 0
    if (isDone && status !== 'confirmed' && !doubted.has(id))
      return [{ law: 'what may have happened is in doubt at once', detail: `${id} is ${status}` }]
    return wrongly(id, status, isDone)
  })
}

interface Ended {
  readonly path: string
  readonly service: FakeService
  readonly ids: readonly string[]
  /** by operation: how many second sendings a person allowed although the first may have been done */
  readonly allowed: ReadonlyMap<string, number>
  /** a person asked to cancel one, so that it may be left not executed */
  readonly cancelled: string | null
}

/** When all is settled and nothing is in the air: the ledger against the service's own log. */
export async function settledRightly({ path, service, ids, allowed, cancelled }: Ended): Promise<Find[]> {
  const reading = await openLedgerForReading(path)
  const statuses = await statusesIn(reading)
  const { findings } = await reading.verify()
  await reading.close()
  const finds: Find[] = findings.map(found => ({ law: 'the ledger verifies', detail: JSON.stringify(found) }))
  for (const id of ids) {
    const row = statuses.get(id)
    // one call may do its work twice when a proxy delivers it twice: that is one sending
    const sendings = new Set(effectsOf(service, id).map(({ call }) => call)).size
    const calls = service.calls().filter(call => call.action === 'create' && call.n > 0)
    if (
      row === undefined ||
      row.status === 'prepared' ||
      row.status === 'in_flight' ||
      row.status === 'unknown'
    )
      finds.push({ law: 'nothing stays in doubt', detail: `${id} is ${row?.status}` })
    if (sendings === 0 && id !== cancelled)
      finds.push({ law: 'nothing lost', detail: `${id} is ${row?.status}, and nothing happened` })
    if (sendings > 1 + (allowed.get(id) ?? 0))
      finds.push({ law: 'no duplicate that nobody allowed', detail: `${id} was done ${sendings} times` })
    if (calls.length > 0 && sendings > (row?.attempts ?? 0))
      finds.push({
        law: 'no byte leaves before it is announced',
        detail: `${id}: ${sendings} of ${row?.attempts}`,
      })
    finds.push(...wrongly(id, row?.status, sendings > 0))
  }
  return finds
}

function wrongly(id: string, status: OperationStatus | undefined, isDone: boolean): Find[] {
  if (status === 'confirmed' && !isDone)
    return [{ law: 'confirmed means that it happened', detail: `${id} did not` }]
  if ((status === 'not_executed' || status === 'cancelled') && isDone)
    return [{ law: 'not executed means that it did not happen', detail: `${id} is ${status} and did` }]
  if (status === undefined && isDone)
    return [{ law: 'no byte leaves before it is announced', detail: `${id} is not in the ledger` }]
  return []
}

async function statusesIn(reading: LedgerForReading) {
  const { operations } = await reading.list({ show: 'all' })
  return new Map(operations.map(({ operation_id, status, attempts }) => [operation_id, { status, attempts }]))
}

function effectsOf(service: FakeService, id: string): Effect[] {
  return service.effects().filter(({ body }) => Reflect.get(Object(body), 'of') === id)
}
