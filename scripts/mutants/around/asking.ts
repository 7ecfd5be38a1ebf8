import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const GET = 'src/probes/http/get.ts'
const ADDRESS = 'src/probes/http/address.ts'
const PAGES = 'src/probes/http/pages.ts'
const READ = 'src/probes/http/read.ts'
const REFUSAL = 'src/probes/http/asking.ts'
const HITS = 'src/probes/http/hits.ts'
const TOLD = 'src/probes/http/told.ts'
const PROBES = 'src/probes/index.ts'

const http = (title: string) => test('test/probes/http.test.ts', title)
const trouble = (title: string) => test('test/probes/http-trouble.test.ts', title)

/** The rules of the probes that ask over HTTP, and of what counts as an answer to any. */
export const ASKING_MUTANTS: readonly Mutant[] = [
  {
    id: 'paging-ended-early',
    without: 'a list is read to its end',
    file: PAGES,
    find: '    url = page.next\n',
    replace: '    url = null\n',
    killedBy: http('reads pages to the end, by the Link header and by JMESPath'),
  },
  {
    id: 'paging-without-end',
    without: 'a list that is longer than its bound is not whole',
    file: PAGES,
    find: 'cut: `there are more than',
    replace: 'cut: null && `there are more than',
    killedBy: http('is partial where pages go on for ever'),
  },
  {
    id: 'paging-in-a-circle',
    without: 'pages that lead in a circle are no whole list',
    file: PAGES,
    find: 'cut: `its pages lead in a circle',
    replace: 'cut: null && `its pages lead in a circle',
    killedBy: http('is partial where pages go on in a circle'),
  },
  {
    id: 'undeclared-next-page',
    without: 'a next page that nobody declared how to read makes a list unread',
    file: PAGES,
    find: 'return nextInLink(answer) === null ? null : unread()',
    replace: 'return null',
    killedBy: http('is no answer where it has a next page that nobody declared how to read'),
  },
  {
    id: 'cut-by-its-word',
    without: 'a service that says its answer is not whole is believed',
    file: PAGES,
    find: 'const isCut = probe.complete !== undefined && !isTrue(find(document, probe.complete))',
    replace: 'const isCut = false',
    killedBy: http('is partial where the service says that its answer is not whole'),
  },
  {
    id: 'error-body-is-answer',
    without: 'a 200 with a declared error in its body is no answer',
    file: PAGES,
    find: 'if (isTrue(error.value)) return',
    replace: 'if (false) return',
    killedBy: trouble('does not take a 200 with an error body where it is declared for an empty list'),
  },
  {
    id: 'object-is-empty-list',
    without: 'an object where a list was is no empty list',
    file: PAGES,
    find: 'if (isList || found === undefined',
    replace: 'if (found === undefined',
    killedBy: trouble('does not take a 200 with an object where a list was for an empty list'),
  },
  {
    id: 'part-of-an-answer',
    without: '206 and 207 are no whole answer',
    file: PAGES,
    find: 'if (answer.status === 206 || answer.status === 207)',
    replace: 'if (answer.status === 205)',
    killedBy: http('does not take 206 for a whole answer'),
  },
  {
    id: 'allowed-hosts-skipped',
    without: 'only hosts that the configuration names are asked',
    file: GET,
    find: 'return hosts.has(url.host) ? null :',
    replace: 'return hosts.size > 0 ? null :',
    killedBy: trouble('is to no host that a value of the record names'),
  },
  {
    id: 'next-page-elsewhere',
    without: 'a next page is asked for at named hosts only',
    file: REFUSAL,
    find: "if (problem !== null) return failed('host_not_named', problem)\n  const answer",
    replace: 'const answer',
    killedBy: trouble('is to no other host by a next page'),
  },
  {
    id: 'redirect-followed',
    without: 'a redirect to a host that is not named is refused',
    file: GET,
    find: "if (problem !== null) return failed('host_not_named', `it redirects elsewhere",
    replace: "if (problem === '') return failed('host_not_named', `it redirects elsewhere",
    killedBy: trouble(
      'is to no other host by a redirect, and without the credential to another origin that is named',
    ),
  },
  {
    id: 'credential-to-other-origin',
    without: 'what was meant for one origin is not handed to another',
    file: GET,
    find: 'if (next.origin !== url.origin) headers = {}\n',
    replace: '',
    killedBy: trouble(
      'is to no other host by a redirect, and without the credential to another origin that is named',
    ),
  },
  {
    id: 'size-limit-skipped',
    without: 'an answer is read up to its bound',
    file: GET,
    find: 'if (bytes > maxBytes) return end',
    replace: 'if (bytes < 0) return end',
    killedBy: trouble('cuts an answer without an end at its bound'),
  },
  {
    id: 'cut-answer-is-whole',
    without: 'an answer that was cut off is none',
    file: GET,
    find: "  response.on('error', () => end(failed('unreachable', 'the answer was cut off')))\n  response.on('aborted', () => end(failed('unreachable', 'the answer was cut off')))\n",
    replace:
      "  const cut = () => end({ url, status: response.statusCode ?? 0, headers: {}, body: '[]', bytes, digest: '' })\n  response.on('error', cut)\n  response.on('aborted', cut)\n",
    killedBy: trouble(
      'is told apart from an empty answer when the connection is cut, and when nobody is there',
    ),
  },
  {
    id: 'waits-for-ever',
    without: 'a silent service ends with its time',
    file: GET,
    find: '      timeoutMs,\n    )\n    request.on',
    replace: '      600_000,\n    )\n    request.on',
    killedBy: trouble('ends with its time where the service is silent'),
  },
  {
    id: 'retries-unbounded',
    without: 'a read is tried again a bounded number of times',
    file: GET,
    find: 'const RETRIES = 2\n',
    replace: 'const RETRIES = 9\n',
    killedBy: trouble('is tried three times and no more while the service stays busy'),
  },
  {
    id: 'retries-none',
    without: 'a read of a busy service is tried again',
    file: GET,
    find: 'return [429, 502, 503, 504].includes(answer.status)',
    replace: 'return false',
    killedBy: trouble('tries a read again where the service was busy for a moment'),
  },
  {
    id: 'metadata-address-asked',
    without: 'link-local addresses and metadata services are never asked',
    file: ADDRESS,
    find: 'if (NEVER.check(plain, family))',
    replace: "if (plain === '')",
    killedBy: trouble('is not 169.254.169.254 through 169.254.169.254, unless it is allowed'),
  },
  {
    id: 'name-that-leads-inside',
    without: 'a name that leads to a private address is refused when it is looked up',
    file: GET,
    find: "if (typeof problem === 'string' || first === undefined)",
    replace: 'if (first === undefined)',
    killedBy: trouble(
      'is checked each time the name is looked up: one that leads elsewhere a moment later is refused',
    ),
  },
  {
    id: 'unreadable-parent-is-readable',
    without: 'what cannot be read proves no absence of what is in it',
    file: READ,
    find: " ? refusal : 'unreadable'\n",
    replace: " ? refusal : 'readable'\n",
    killedBy: http('does not take 404 for nothing where what holds it answers 404'),
  },
  {
    id: 'limited-is-forbidden',
    without: '403 with a wait is a rate limit, with its time',
    file: REFUSAL,
    find: 'status === 429 || (status === 403 &&',
    replace: 'status === 429 || (status === 402 &&',
    killedBy: trouble('says of 403 that it is rate_limited'),
  },
  {
    id: 'search-hit-not-read',
    without: 'a hit of a search whose record is gone contradicts',
    file: HITS,
    find: 'disagreements.push(`the search names',
    replace: 'void (`the search names',
    killedBy: http(
      'reads a hit of a search again by its id: what is there counts like a list, what is not contradicts',
    ),
  },
  {
    id: 'undeclared-word-is-working',
    without: 'a state that nobody declared is not guessed',
    file: TOLD,
    find: 'if (word === undefined || state === undefined)\n    return failed(',
    replace:
      "if (state === undefined) return { state: 'completed', says: word ?? '' }\n  if (word === undefined)\n    return failed(",
    killedBy: http('reads the state of a task, and does not guess a word that nobody declared'),
  },
  {
    id: 'statement-by-any-value',
    without: 'only a plain true is a statement',
    file: TOLD,
    find: 'find(document, path) === true) statements',
    replace: 'isTrue(find(document, path))) statements',
    killedBy: http('takes a statement for one only where it is plainly true'),
  },
  {
    id: 'probe-secret-kept',
    without: 'a credential that comes back is masked in what is kept',
    file: PROBES,
    find: 'withoutSecrets(brought, secretsOf(probe, world), world.mask)',
    replace: 'brought',
    killedBy: trouble('that the service sends back is in nothing that is kept'),
  },
  {
    id: 'reads-below-two',
    without: 'no declaration makes one look enough for an absence',
    file: PROBES,
    find: 'Math.max(DEFAULT_READS, probe.reads ?? DEFAULT_READS)',
    replace: 'probe.reads ?? DEFAULT_READS',
    killedBy: test('test/probes/terms.test.ts', 'is looked at twice at least, whatever is declared'),
  },
  {
    id: 'probe-fault-is-silence',
    without: 'a probe that failed did not find nothing',
    file: PROBES,
    find: "      completeness: 'failed',\n      code: 'cannot_ask',\n      why,\n      retry_after_ms: null,\n",
    replace:
      "      completeness: 'complete',\n      matches: [],\n      parent: 'readable',\n      statements: [],\n      remote: null,\n      disagreements: [],\n",
    killedBy: test('test/probes/terms.test.ts', 'that throws is a look that failed, with its reason'),
  },
]
