import type { JsonValue } from '../../core/json.js'
import { parseForeignJson } from '../../core/parse-json.js'
import type { HttpProbe } from '../../core/probe.js'
import { find, isTrue, search, textOf } from '../expression.js'
import { type Ask, kindOf, refusalOf, requestOne } from './asking.js'
import { failed, type Got, isGot, type NotGot } from './get.js'

const DEFAULT_PAGES = 100

/** Every object of an answer and of those that follow it, or why they could not be read. */
export type Pages =
  | {
      readonly objects: readonly JsonValue[]
      readonly documents: readonly JsonValue[]
      /** why these are not all there are; null: they are */
      readonly cut: string | null
    }
  /** the service says that there is no such object */
  | { readonly none: number }
  | NotGot

/** Reads to the end, or to a bound: what is longer than that is never taken for whole. */
export async function readPages(first: string, probe: HttpProbe, ask: Ask): Promise<Pages> {
  const objects: JsonValue[] = []
  const documents: JsonValue[] = []
  const known = new Set<string>()
  const most = probe.pages ?? DEFAULT_PAGES
  let url: string | null = first
  let bytes = 0
  while (url !== null) {
    if (known.has(url)) return { objects, documents, cut: `its pages lead in a circle after ${known.size}` }
    if (known.size >= most) return { objects, documents, cut: `there are more than ${most} pages` }
    known.add(url)
    const left = ask.base.maxBytes - bytes
    const answer = await requestOne(url, { ...ask, base: { ...ask.base, maxBytes: left } })
    if (!isGot(answer)) return answer
    bytes += answer.bytes
    const isFirst = known.size === 1
    if (isFirst && saysNone(answer, probe)) return { none: answer.status }
    const page = pageIn(answer, probe, ask.base.now())
    if ('code' in page) return page
    objects.push(...page.objects)
    documents.push(page.document)
    if (page.isCut) return { objects, documents, cut: 'the service says that its answer is not complete' }
    url = page.next
  }
  return { objects, documents, cut: null }
}

function saysNone({ status }: Got, { none_on, grade }: HttpProbe): boolean {
  const statuses = none_on ?? (grade === 'A' || grade === 'B' ? [404] : [])
  return statuses.includes(status)
}

interface Page {
  readonly objects: readonly JsonValue[]
  readonly document: JsonValue
  readonly next: string | null
  readonly isCut: boolean
}

function pageIn(answer: Got, probe: HttpProbe, now: number): Page | NotGot {
  if (answer.status < 200 || answer.status > 299) return refusalOf(answer, now)
  // 206 and 207 say themselves that they are not one whole answer.
  if (answer.status === 206 || answer.status === 207)
    return failed('not_understood', `${answer.status} from ${answer.url.host}: not one whole answer`)
  const document = parseForeignJson(probe.post === undefined ? answer.body : eventData(answer))
  if (document === undefined)
    return failed('not_understood', `${answer.status} from ${answer.url.host} with ${kindOf(answer)}`)
  if (probe.error !== undefined) {
    const error = search(document, probe.error)
    if ('problem' in error) return failed('not_understood', `${probe.error}: ${error.problem}`)
    if (isTrue(error.value)) return failed('not_understood', `${answer.status} with an error in its body`)
  }
  const objects = objectsIn(document, probe)
  if ('code' in objects) return objects
  const next = nextOf(answer, document, probe)
  if (next !== null && typeof next !== 'string') return next
  const isCut = probe.complete !== undefined && !isTrue(find(document, probe.complete))
  return { objects: objects.list, document, next, isCut }
}

/** The objects of one document. */
export function objectsIn(
  document: JsonValue,
  probe: HttpProbe,
): { readonly list: readonly JsonValue[] } | NotGot {
  if (probe.match === undefined) return { list: [document] }
  const isList = probe.grade === 'C' || probe.grade === 'D'
  const found = probe.items === undefined ? document : find(document, probe.items)
  if (isArray(found)) return { list: found }
  // An error in another shape, or a service that changed, must not pass for an empty list.
  if (isList || found === undefined || typeof found !== 'object' || found === null)
    return failed('not_understood', `there is no list at ${probe.items ?? 'the top'} of its answer`)
  return { list: [found] }
}

/** An answer to a POST may come as an event stream with the one message in it: MCP, Streamable HTTP. */
function eventData({ headers, body }: Got): string {
  if (headers['content-type']?.startsWith('text/event-stream') !== true) return body
  const messages = body
    .split(/\r?\n\r?\n/)
    .map(event => [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n'))
  // Notices may come before it; the answer alone has a result or an error.
  const answers = messages.filter(text => /"(?:result|error)"\s*:/.test(text))
  return answers.length === 1 ? (answers[0] ?? '') : ''
}

function nextOf(answer: Got, document: JsonValue, { next }: HttpProbe): string | null | NotGot {
  if (next === undefined) return nextInLink(answer) === null ? null : unread()
  if (next === 'link') return nextInLink(answer)
  const path = typeof next === 'string' ? next : next.value
  const found = search(document, path)
  if ('problem' in found) return failed('not_understood', `${path}: ${found.problem}`)
  const place = textOf(found.value)
  if (place === undefined || !isTrue(found.value) || place === 'false') return null
  if (typeof next !== 'string') return withParam(answer.url, next.param, place)
  return URL.canParse(place, answer.url.href) ? new URL(place, answer.url).href : unread()
}

function withParam(url: URL, name: string, value: string): string {
  const next = new URL(url)
  next.searchParams.set(name, value)
  return next.href
}

/** The service says that there is more, and nobody declared how to read it. */
function unread(): NotGot {
  return failed('not_understood', 'the answer has a next page that the probe does not know how to read')
}

/** RFC 8288, the relation `next`. */
function nextInLink({ headers, url }: Got): string | null {
  for (const part of (headers.link ?? '').split(/,(?=\s*<)/)) {
    const [, place, rest] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? []
    const isNext = rest !== undefined && /;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(rest)
    if (isNext && place !== undefined && URL.canParse(place, url.href)) return new URL(place, url).href
  }
  return null
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
