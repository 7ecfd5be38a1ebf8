import fc from 'fast-check'
import type { Repeat } from '../../src/core/operation.js'
import { decide } from '../../src/core/transitions/decide.js'
import type { NewEvent } from '../../src/core/transitions/events.js'
import { evolve } from '../../src/core/transitions/evolve.js'
import type { Context, Refusal, Request, State } from '../../src/core/transitions/requests.js'
import { aContext, asked, NOON, stampAt, TICKET } from './builders.js'

/** One thing asked on a walk, and what came of it. */
export interface Step {
  readonly before: State
  readonly request: Request
  readonly context: Context
  /** null when it was refused */
  readonly event: NewEvent | null
  readonly refusal: Refusal | null
  /** `before` where it was refused */
  readonly after: State
}

export interface Walk {
  readonly first: NewEvent
  readonly steps: readonly Step[]
  readonly end: State
}

const REPEATS: readonly (Repeat | null)[] = [
  null,
  { kind: 'none' },
  { kind: 'idempotency_key', retention_ms: 3_600_000 },
  { kind: 'conditional', names: 'permanent' },
]

/** Random ways of one operation: anything asked by anybody, in any order, with the clock running on. */
export const walks: fc.Arbitrary<Walk> = fc
  .tuple(
    fc.constantFrom(...REPEATS),
    fc.array(
      fc.record({ pick: fc.nat(), wait: fc.constantFrom(0, 0, 1, 60_000, 900_000), hold: fc.boolean() }),
      { minLength: 1, maxLength: 40 },
    ),
  )
  .map(([repeat, choices]) => walked(repeat, choices))

function walked(
  repeat: Repeat | null,
  choices: readonly { pick: number; wait: number; hold: boolean }[],
): Walk {
  let at = NOON
  const first = decided(null, asked.prepare({ repeat, max_attempts: 2 }), aContext())
  if (first.event === null) throw new Error('prepare was refused')
  let state = first.after
  const steps: Step[] = []
  for (const { pick, wait, hold } of choices) {
    at += wait
    const requests = candidates(state)
    const request = requests[pick % requests.length]
    if (request === undefined) continue
    const known = hold ? [TICKET] : []
    const context = aContext({ now: stampAt(at), owner_gone: hold, known_external_ids: known })
    const { event, refusal, after } = decided(state, request, context)
    steps.push({ before: state, request, context, event, refusal, after })
    state = after
  }
  return { first: first.event, steps, end: state }
}

function decided(state: State | null, request: Request, context: Context) {
  const result = decide(state, request, context)
  if (!result.ok && state === null) throw new Error(result.refusal.reason)
  if (!result.ok) return { event: null, refusal: result.refusal, after: state as State }
  const { body, large } = result.event
  const after = evolve(state, { operation_id: 'ticket-1', at: context.now.at, body, large })
  return { event: result.event, refusal: null, after }
}

/** Everything that can be asked of it, by executors that hold an attempt, that lost it, and by people. */
export function candidates({ operation, attempts }: State): Request[] {
  const results = attempts.flatMap(({ n, fence }) => {
    const by = { attempt: n, fence }
    return [
      asked.accept(by),
      asked.confirm(by),
      asked.lose(by),
      asked.reject(by),
      asked.rejectInDoubt(by),
      asked.scheduleRetry({ ...by, next_attempt_at: operation.updated_at + 60_000 }),
      asked.late('applied', by),
      asked.late('not_applied', by),
      asked.late('ambiguous', by),
      asked.contradict({ attempt: n }),
    ]
  })
  const { attempt, version, lease_fence } = operation
  return [
    ...results,
    asked.send(),
    asked.send({ fence: lease_fence }),
    asked.match(),
    asked.contradict(),
    asked.orphan(),
    asked.takeover(),
    asked.resend(),
    asked.rerun(),
    asked.withdraw(),
    asked.allowRetry(),
    asked.allowRetry({ accept_duplicate: 'it may be there twice' }),
    asked.absent({ seen_attempts: attempt, seen_version: version }),
    asked.resolveConfirmed(),
    asked.resolveNotExecuted(),
    asked.resolveNotExecuted({ early: true }),
    asked.reopen(),
    asked.cancel(),
    asked.deny(),
    asked.abandon(),
    asked.question(),
  ]
}
