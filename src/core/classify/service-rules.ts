import { valueAt } from '../field.js'
import type { Contract } from '../operation.js'
import type { ErrorFacts } from './facts.js'
import { isBodyBroken } from './http-rules.js'
import type { CallEnd } from './rule.js'
import { listOf, type ServiceRule } from './service-rule.js'

/** The first of the service's own rules that fits what came, if any does. */
export function serviceRuleFor(
  { classify = [] }: Pick<Contract, 'classify'>,
  facts: ErrorFacts,
  given: unknown,
): ServiceRule | null {
  const seen = seenIn(facts, given)
  return classify.find(({ when }) => fits(when, seen)) ?? null
}

/** May one of them fit that says otherwise than `end`, and nobody can tell because the body was not read? */
export function isUndecided(
  { classify = [] }: Pick<Contract, 'classify'>,
  facts: ErrorFacts,
  end: CallEnd,
): boolean {
  const seen = seenIn(facts, null)
  return isUnread(facts) && classify.some(rule => rule.end !== end && fits({ ...rule.when, body: {} }, seen))
}

function isUnread(facts: ErrorFacts): boolean {
  const answer = [...causesOf(facts)].find(({ response }) => response !== null)?.response ?? null
  if (answer === null || answer.body !== null) return false
  return answer.isUnread === true || isBodyBroken(facts)
}

/** The same for a value that a handler returned: a body without an answer around it. */
export function serviceRuleForResult(
  { classify = [] }: Pick<Contract, 'classify'>,
  result: unknown,
): ServiceRule | null {
  const seen = { status: null, code: null, grpc: null, headers: {}, body: result }
  return classify.find(({ when }) => fits(when, seen)) ?? null
}

interface Seen {
  readonly status: number | null
  readonly code: string | null
  readonly grpc: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What an error and its causes say together; the outermost counts. Of several errors at once none is looked into. */
function seenIn(facts: ErrorFacts, given: unknown): Seen {
  const chain = [...causesOf(facts)]
  const answer = chain.find(({ response }) => response !== null)?.response ?? null
  const grpc = chain.find(one => one.grpc !== null)?.grpc ?? null
  return {
    status: answer?.status ?? null,
    code: chain.find(({ code }) => code !== null)?.code ?? null,
    grpc: grpc?.code ?? null,
    headers: { ...grpc?.metadata, ...answer?.headers },
    // clients of GraphQL and others put what they read on the error itself
    body: answer?.body ?? given,
  }
}

function* causesOf(facts: ErrorFacts): Generator<ErrorFacts> {
  yield facts
  if (facts.cause !== null) yield* causesOf(facts.cause)
}

function fits({ status, code, grpc, header = {}, body = {} }: ServiceRule['when'], seen: Seen): boolean {
  return (
    isAmong(status, seen.status) &&
    isAmong(code, seen.code) &&
    isAmong(grpc, seen.grpc) &&
    Object.entries(header).every(([name, value]) => seen.headers[name.toLowerCase()] === value) &&
    Object.entries(body).every(([path, value]) => valueAt(seen.body, path) === value)
  )
}

function isAmong<T extends string | number>(wanted: T | readonly T[] | undefined, seen: T | null): boolean {
  return wanted === undefined || (seen !== null && listOf(wanted).includes(seen))
}
