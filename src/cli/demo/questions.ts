import { LedgerError } from '../../core/errors.js'

// What the story asks of other programs, read field by field: these are answers from outside.

/** The id of the one operation in a `list@1` document. */
export function onlyOperation(document: string): string {
  const listed = field(parsed(document), 'operations')
  const operations = Array.isArray(listed) ? listed : []
  if (operations.length === 1) return text(operations[0], 'operation_id')
  throw new LedgerError('internal', `one operation in doubt was expected, ${operations.length} are listed`)
}

/** The URL under which a person can look, in a `show@1` document. */
export function placeToLook(document: string): string {
  return text(field(parsed(document), 'look_here'), 'url')
}

export interface Ticket {
  readonly id: string
  readonly url: string
}

/** Tickets of the service as it answers `GET <url>`. */
export async function ticketsAt(url: string): Promise<{ readonly body: string; readonly tickets: Ticket[] }> {
  const body = await answer(url)
  const items = field(parsed(body), 'items')
  const tickets = (Array.isArray(items) ? items : []).map(item => ({
    id: text(item, 'id'),
    url: text(item, 'url'),
  }))
  return { body, tickets }
}

/** How many objects the service made, and how many requests to make one arrived. */
export async function countsOf(
  service: string,
): Promise<{ readonly tickets: number; readonly requests: number }> {
  const [effects, calls] = [
    parsed(await answer(`${service}/_effects`)),
    parsed(await answer(`${service}/_calls`)),
  ]
  if (!Array.isArray(effects) || !Array.isArray(calls))
    throw new LedgerError('internal', 'the service lists nothing')
  const requests = calls.filter(call => field(call, 'action') === 'create')
  return { tickets: effects.length, requests: requests.length }
}

async function answer(url: string): Promise<string> {
  const response = await fetch(url)
  return response.text()
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function text(value: unknown, name: string): string {
  const found = field(value, name)
  if (typeof found !== 'string') throw new LedgerError('internal', `${name} is missing in an answer`)
  return found
}
