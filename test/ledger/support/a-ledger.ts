import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { NO_CONFIG } from '../../../src/config/config.js'
import type { NewEvidence } from '../../../src/core/evidence.js'
import type { Intent } from '../../../src/core/operation.js'
import { createRedactor } from '../../../src/core/redact/redact.js'
import type { Request, RequestOf, State } from '../../../src/core/transitions/requests.js'
import { type Deciding, deciding } from '../../../src/ledger/deciding.js'
import type { Session } from '../../../src/ledger/session.js'
import { createStore, openStore } from '../../../src/store/open.js'
import type { Store } from '../../../src/store/store.js'
import { type TestClock, testClock } from '../../../src/testing/test-clock.js'
import { anIntent, asked, NOON, RECEIPT, theirAttempt } from '../../core/builders.js'
import { aDirectory } from '../../store/support/places.js'

/** A real ledger file, a clock that stands still, and shorthands for what happened before the test begins. */
export interface TestLedger {
  readonly path: string
  readonly store: Store
  readonly clock: TestClock
  /** the verbs of a person of this name */
  readonly as: (actor: string) => Deciding
  /** owners that are provably gone */
  readonly gone: Set<string>
  readonly prepared: (over?: Partial<Intent>) => Promise<State>
  readonly inFlight: (over?: Partial<Intent>, lease?: number | null) => Promise<State>
  /** the answer was lost */
  readonly lost: (over?: Partial<Intent>) => Promise<State>
  readonly confirmed: (over?: Partial<Intent>) => Promise<State>
  readonly rejected: (over?: Partial<Intent>) => Promise<State>
  /** as another system's record tells it: done in one attempt, unless `theirs` says otherwise */
  readonly imported: (over?: Partial<Intent>, theirs?: Partial<RequestOf<'import'>>) => Promise<State>
  readonly ask: (operation_id: string, request: Request, evidence?: readonly NewEvidence[]) => Promise<State>
}

export const OWNER = 'host/boot/42/ns/1/abc'

/** `at`: where its clock begins; commands run by the real one. */
export async function aLedger(at = NOON): Promise<TestLedger> {
  const path = join(aDirectory(), 'ledger.db')
  const clock = testClock(at)
  const options = { url: path, clock, program: 'test' }
  await createStore(options)
  const store = await openStore(options)
  onTestFinished(() => store.close())
  const gone = new Set<string>()
  const session = (actor: string): Session => ({
    store,
    clock,
    monotonicMs: () => 0,
    actor,
    owner: OWNER,
    isOwnerGone: owner => gone.has(owner),
    config: NO_CONFIG,
    mask: createRedactor(),
    warn: () => undefined,
  })
  const change = async (
    operation_id: string,
    steps: readonly { request: Request; evidence?: readonly NewEvidence[] }[],
    task_id?: string,
  ) => {
    const { state, refusal } = await store.change({
      operation_id,
      by: { actor: 'agent', clock },
      isOwnerGone: owner => gone.has(owner),
      onRefusal: 'undo',
      plan: () => steps,
      ...(task_id === undefined ? {} : { task_id }),
    })
    if (state === null || refusal !== null)
      throw new Error(`${operation_id}: ${refusal?.rule} ${refusal?.reason}`)
    return state
  }
  const ask: TestLedger['ask'] = (operation_id, request, evidence = []) =>
    change(operation_id, [{ request, evidence }])
  const prepared: TestLedger['prepared'] = (over = {}) => {
    const intent = anIntent(over)
    return change(intent.operation_id, [{ request: { type: 'prepare', intent } }], intent.task_id)
  }
  const inFlight: TestLedger['inFlight'] = async (over = {}, lease_ms = 60_000) => {
    const { operation } = await prepared(over)
    const send: Request = { type: 'send', owner: OWNER, lease_ms, epoch: null, fence: null }
    return ask(operation.operation_id, send)
  }
  const held = ({ operation }: State) => ({ attempt: operation.attempt, fence: operation.lease_fence })
  return {
    path,
    store,
    clock,
    gone,
    as: actor => deciding(session(actor)),
    prepared,
    inFlight,
    lost: async over => {
      const state = await inFlight(over)
      const error = { rule: 'thrown', message: 'socket hang up', at: NOON, attempt: 1 }
      return ask(state.operation.operation_id, { type: 'lose', ...held(state), error })
    },
    confirmed: async over => {
      const state = await inFlight(over)
      const receipt = {
        external_ids: [{ kind: 'ticket', value: 'T-1' }],
        result: { id: 'T-1' },
        result_digest: null,
      }
      const confirm: Request = {
        type: 'confirm',
        by: 'receipt',
        duplicates: false,
        ...receipt,
        ...held(state),
      }
      return ask(state.operation.operation_id, confirm, [RECEIPT])
    },
    rejected: async over => {
      const state = await inFlight(over)
      const error = { rule: 'quota', message: 'quota exceeded', at: NOON, attempt: 1 }
      return ask(state.operation.operation_id, { type: 'reject', ...held(state), error }, [RECEIPT])
    },
    imported: (over, theirs = {}) => {
      const { at } = clock()
      const intent = anIntent({ provenance: 'imported', ...over })
      const times = { sent_at: at, send_by: at + 60_000, latest_arrival: at + 960_000, ended_at: at }
      const request = asked.imported({
        intent,
        attempts: [{ ...theirAttempt(1, 'applied'), ...times }],
        created_at: at,
        settled_at: at,
        ...theirs,
      })
      const record: NewEvidence = { kind: 'record', origin: 'imported', attempt: null, body: 'it says so' }
      return change(intent.operation_id, [{ request, evidence: [record] }], intent.task_id)
    },
    ask,
  }
}
