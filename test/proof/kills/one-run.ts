import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLedger, openLedgerForReading } from '../../../src/ledger.js'
import { type FakeService, startService } from '../../../src/testing/index.js'
import type { Bundle } from '../../support/bundle.js'
import { at } from '../seeded.js'
import { decide } from './decisions.js'
import { idOf, type Job } from './job.js'
import { recovered } from './person.js'
import { type Death, type Ended, ran } from './process.js'
import type { RunCase } from './run-case.js'
import { SERVICES } from './services.js'
import { type Find, inDoubtAtOnce, type Seen, settledRightly, stillThere } from './truth.js'

/** What one run came to. */
export interface RunFound {
  readonly kills: number
  /** at the named place, not somewhere else */
  readonly wasHit: boolean
  readonly operations: number
  readonly effects: number
  readonly inDoubt: number
  readonly duplicatesAllowed: number
  /** every law that does not hold; empty is what the proof wants */
  readonly finds: readonly Find[]
}

/** Where a new ledger is to be: a path or a URL. */
export type LedgerPlace = (folder: string) => string | Promise<string>

const inFile: LedgerPlace = folder => join(folder, 'ledger.db')

/** Kills, recovers, and compares with what truly happened outside. */
export async function runCase(program: Bundle, one: RunCase, place: LedgerPlace = inFile): Promise<RunFound> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-kill-'))
  const service = await startService({ mode: at(SERVICES, one.service).mode })
  try {
    return await inFolder({ folder, service, program, one, path: await place(folder) })
  } finally {
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Staged {
  readonly folder: string
  readonly path: string
  readonly service: FakeService
  readonly program: Bundle
  readonly one: RunCase
}

async function inFolder(staged: Staged): Promise<RunFound> {
  const { path, service, program, one } = staged
  const ids = Array.from({ length: one.operations }, (_, n) => idOf(n + 1))
  const subject = at(ids, one.dyingAt)
  const { service: place, inSteps, aheadMs } = one
  const job: Job = { does: 'write', path, url: service.url, service: place, ids, inSteps, aheadMs }
  const made = one.isMaking
    ? await ran(program, { ...job, does: 'make' }, { dyingAt: one.place.point })
    : null

  const isDyingWriting = made === null && one.decision === null
  service.setFaults(one.trouble.rules(troubledCalls(one)))
  const wrote = await ran(program, job, isDyingWriting ? death(one, service) : { dyingAt: null })
  const behind = { ...job, aheadMs: -aheadMs }
  const again =
    one.secondPlace === null ? null : await ran(program, behind, { dyingAt: one.secondPlace.point })
  const ends = [made, wrote, again].filter(end => end !== null)
  const finds = await looked({ path, service, ids, said: ends.flatMap(({ said }) => said) })

  const decided = await decidedOn(staged, job)
  service.setFaults(one.isTroubledAgain ? one.trouble.rules([1]) : [])
  const kind = at(SERVICES, one.service)
  const untilArrived = () => allArrived(service)
  const { inDoubt, allowed } = await recovered(
    { path, service, kind, ids, isGambler: one.isGambler },
    untilArrived,
  )
  await untilArrived()
  if (one.decision === 'allow_retry') allowed.set(subject, (allowed.get(subject) ?? 0) + 1)
  finds.push(
    ...(await settledRightly({
      path,
      service,
      ids,
      allowed,
      cancelled: one.decision === 'cancel' ? subject : null,
    })),
  )
  return {
    kills: [...ends, decided].filter(end => end?.wasKilled === true).length,
    wasHit: (decided ?? made ?? wrote).wasKilled,
    operations: ids.length,
    effects: service.effects().length,
    inDoubt,
    duplicatesAllowed: [...allowed.values()].reduce((sum, each) => sum + each, 0),
    finds,
  }
}

/** A person decides on the operation that the agent was at, and their process is killed; they decide the same again. */
async function decidedOn({ service, program, one }: Staged, job: Job): Promise<Ended | null> {
  if (one.decision === null) return null
  const id = at(job.ids, one.dyingAt)
  await allArrived(service)
  const wasDone = service.effects().some(({ body }) => Reflect.get(Object(body), 'of') === id)
  const decision = { kind: one.decision, id, wasDone }
  const ended = await ran(program, { ...job, does: 'decide', decision }, { dyingAt: one.place.point })
  const ledger = await openLedger(job.path)
  await decide(ledger, decision)
  await ledger.close()
  return ended
}

/** The ledger as it lies there after the kills, read without touching it. */
async function looked({ path, ...seen }: Omit<Seen, 'reading'> & { readonly path: string }): Promise<Find[]> {
  const reading = await openLedgerForReading(path).catch(() => null)
  if (reading === null) {
    if (!seen.said.includes('open')) return []
    return [{ law: 'what was acknowledged is there', detail: 'the ledger cannot be opened' }]
  }
  try {
    return [...(await stillThere({ ...seen, reading })), ...(await inDoubtAtOnce({ ...seen, reading }))]
  } finally {
    await reading.close()
  }
}

/** The call of the operation that the process dies at, and every other one before it. */
function troubledCalls({ dyingAt, place }: RunCase): readonly number[] {
  const last = place.afterAnswer ? dyingAt : dyingAt + 1
  return Array.from({ length: last }, (_, n) => n + 1).filter(call => (last - call) % 2 === 0)
}

/** How the process that writes is ended: by itself at a named place, or from outside. */
function death({ place, dyingAt, trouble, afterMs }: RunCase, service: FakeService): Death {
  if (place.point !== null) return { dyingAt: `${place.point}:${dyingAt + 1}` }
  const calls = [dyingAt + 1]
  switch (place.name) {
    case 'request in the air':
      service.setFaults([
        { action: 'create', calls, fault: { kind: 'delay', stage: 'request' } },
        ...trouble.rules(calls),
      ])
      return { dyingAt: null, meanwhile: kill => void whenSo(() => callsOf(service) > dyingAt, kill) }
    case 'effect done, no answer yet':
      service.setFaults([{ action: 'create', calls, fault: { kind: 'delay', stage: 'response' } }])
      return { dyingAt: null, meanwhile: kill => void whenSo(() => service.effects().length > dyingAt, kill) }
    default:
      return { dyingAt: null, meanwhile: kill => void sleep(afterMs).then(kill) }
  }
}

function callsOf(service: FakeService): number {
  return service.calls().filter(({ action }) => action === 'create').length
}

async function whenSo(isSo: () => boolean, then: () => void): Promise<void> {
  // a process that ended otherwise is waited for no longer than a handler may take
  for (let waited = 0; !isSo() && waited < 2_000; waited++) await sleep(1)
  then()
}

/**
 * Nothing is in the air any more: what a dead process left in a socket was read, what was held is let go and worked off.
 * Each turn of the service takes a connection, a request or a body further.
 */
async function allArrived(service: FakeService): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    service.release()
    await sleep(1)
  }
}
