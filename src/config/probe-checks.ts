import jmespath from 'jmespath'
import type { NextPage } from '../core/probe.js'

/** What is wrong with a JMESPath; undefined where nothing is. */
export function expressionProblem(expression: string): string | undefined {
  try {
    jmespath.search({}, expression)
    return undefined
  } catch (error) {
    // Whatever it says about an empty object is not about the expression.
    const isBroken = error instanceof Error && /^(?:Parser|Lexer)Error$/.test(error.name)
    const isUnknown = error instanceof Error && error.message.startsWith('Unknown function')
    return isBroken || isUnknown ? `it is no JMESPath: ${error.message}` : undefined
  }
}

export function markerProblem(marker: string): string | undefined {
  return /\{(?:operation_id|idempotency_key)\}/.test(marker)
    ? undefined
    : 'it names neither {operation_id} nor {idempotency_key}: every object would fit'
}

export function databaseProblem(database: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(database)) return undefined
  return 'an address with its password does not belong here: give {env.NAME} of an environment variable'
}

/** What is wrong with the address of a store; undefined where nothing is. */
export function endpointProblem(endpoint: string): string | undefined {
  if (!/^https?:\/\/[^/?#@{}]+\/*$/i.test(endpoint) || !URL.canParse(endpoint))
    return 'an address without a path, such as https://minio.example, is wanted'
  return undefined
}

/** What does not go together in an sql probe. */
export function sqlProblems({
  match,
  id,
  remote,
}: {
  readonly match?: unknown
  readonly id?: unknown
  readonly remote?: unknown
}): Problem[] {
  if (match === undefined && remote === undefined)
    return [{ at: ['match'], message: 'it says of no row what it means: give match or remote' }]
  return match !== undefined && id === undefined
    ? [{ at: ['id'], message: 'what is found has no name: give kind and value' }]
    : []
}

interface HttpEntry {
  readonly grade: string
  readonly url: string
  readonly parent?: string | undefined
  readonly point?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly hosts?: readonly string[] | undefined
  readonly next?: NextPage | undefined
  readonly readable?: string | undefined
  readonly match?: { readonly named_by?: 'key' | 'operation_id' | undefined } | undefined
  readonly id?: unknown
  readonly statements?: unknown
  readonly remote?: unknown
}

export interface Problem {
  readonly at: readonly string[]
  readonly message: string
}

/** What does not go together in an http probe. */
export function httpProblems(probe: HttpEntry): Problem[] {
  const { url, match, id, statements, remote, next, point, grade } = probe
  const problems: Problem[] = []
  const add = (at: string, message: string | undefined) => {
    if (message !== undefined) problems.push({ at: [at], message })
  }
  add('url', addressProblem(url, probe))
  if (probe.parent !== undefined) add('parent', addressProblem(probe.parent, probe))
  if (point !== undefined) add('point', addressProblem(point, probe))
  if (typeof next === 'string' && next !== 'link') add('next', expressionProblem(next))
  for (const [name, value] of Object.entries(probe.headers ?? {}))
    if (headerProblem(name, value) !== undefined) add('headers', headerProblem(name, value))
  if (match === undefined && statements === undefined && remote === undefined)
    add('match', 'it says of no answer what it means: give match, statements or remote')
  if (match !== undefined && id === undefined) add('id', 'what is found has no name: give kind and value')
  const placeholder = match?.named_by === 'key' ? '{idempotency_key}' : '{operation_id}'
  if (match?.named_by !== undefined && !url.includes(placeholder))
    add('match', `named_by: ${match.named_by} wants ${placeholder} in the url`)
  if (match?.named_by !== undefined && grade !== 'A' && grade !== 'B')
    add('match', 'named_by is for a point read: grade A or B')
  if (point !== undefined && !point.includes('{found}')) add('point', '{found} is not in it')
  return problems
}

function addressProblem(url: string, { hosts = [] }: HttpEntry): string | undefined {
  if (/\{env\./.test(url)) return 'values of the environment belong into headers: addresses are kept'
  const [, host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  if (host === undefined || host === '') return 'an address that begins with https:// or http:// is wanted'
  if (host.includes('@')) return 'a name and password do not belong into an address: use headers'
  if (host.includes('{'))
    return hosts.length === 0 ? 'its host is filled in: name those it may be under hosts' : undefined
  return URL.canParse(`http://${host}/`) ? undefined : 'its host is none'
}

// RFC 9110: a name is a token; a value has no control characters.
function headerProblem(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return `${JSON.stringify(name)} is no name of a header`
  return /[\0-\x08\x0a-\x1f\x7f]/.test(value) ? `the value of ${name} has a control character` : undefined
}
