import * as z from 'zod'
import { GRADES } from '../core/observation.js'
import { databaseProblem, expressionProblem, httpProblems, markerProblem } from './probe-checks.js'
import { count, duration, group, list, named, text } from './schema-parts.js'

// How a tool's probe is written. What each key does at run time stands in src/core/probe.ts.

/** A text that a further rule holds for. */
function checked(describes: string, problem: (text: string) => string | undefined) {
  return text(describes).check(context => {
    const message = problem(context.value)
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value })
  })
}

const path = (describes: string) => checked(`JMESPath: ${describes}`, expressionProblem)

const grade = z
  .enum(GRADES, 'A, B, C or D is wanted')
  .meta({ description: 'what its answers are worth, see docs/reconcile.md' })

const yes = (describes: string) =>
  z
    .literal(true, 'true is wanted; leave it out where it is not so')
    .meta({ description: describes })
    .optional()

const terms = {
  scope: text('session, account or region that is asked; ids of another one are not asked for').optional(),
  settle: duration(
    'how long its records may lag behind the effect; default: of the tool, by grade',
  ).optional(),
  reads: z
    .int('a whole number is wanted')
    .min(2, 'at least 2 are wanted: one empty answer proves nothing')
    .max(100, 'at most 100 are possible')
    .meta({ description: 'complete answers without a match that absence takes. Default: 2' })
    .optional(),
  spacing: duration('time between two of them. Default: 1m').optional(),
  keeps: duration('how long it keeps its records; after that it concludes nothing').optional(),
  timeout: duration('for one request, or one run of a program. Default: 30s', 1).optional(),
}

const place = z
  .union(
    [
      text('JMESPath: where it stands; the value is compared'),
      group(
        {
          path: path('where it stands'),
          marker: checked('what stands in a longer text: <!-- op:{operation_id} -->', markerProblem),
        },
        'a marker inside a longer text',
      ),
    ],
    'a JMESPath, or a group of path and marker, is wanted',
  )
  .check(context => {
    const message = typeof context.value === 'string' ? expressionProblem(context.value) : undefined
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value })
  })

const match = group(
  {
    key: place.optional(),
    operation_id: place.optional(),
    digest: group(
      {
        path: path('the digest of the object'),
        equals: text('what it must be: {input.integrity}'),
      },
      'what was written, known by its digest',
    ).optional(),
    attributes: named(
      text('what it must be: {input.title}'),
      'values by JMESPath that make it a candidate; a person decides',
    ).optional(),
    named_by: z
      .enum(['key', 'operation_id'], 'key or operation_id is wanted')
      .meta({ description: 'the object is asked for by a name made of it: being there is being ours' })
      .optional(),
  },
  'what makes an object that of this operation',
)

const id = group(
  {
    kind: text('what the id is of: ticket, charge'),
    value: path('the id'),
    url: path('the link for a person').optional(),
  },
  'how what is found is named in the ledger',
)

const states = (means: string) => list(`words of the service that mean: ${means}`).optional()

const remote = group(
  {
    state: path('the state of the task'),
    says: path('what else it says').optional(),
    working: states('it is at work'),
    input_needed: states('it waits for an answer'),
    completed: states('it is done'),
    failed: states('it failed'),
    cancelled: states('it was cancelled'),
    artifact: path('what exists only once it is done').optional(),
    left_nothing: yes('a task that failed or was cancelled leaves nothing behind'),
  },
  'a task of the service, asked by its id',
)

const http = group(
  {
    kind: z.literal('http'),
    grade,
    url: text('the address that is read'),
    parent: text('what holds the object, read first with the same headers').optional(),
    headers: named(
      text('its value; {env.NAME} is taken from the environment and never kept'),
      'headers by name',
    ).optional(),
    hosts: list('further hosts that may be asked').optional(),
    allow_private: yes('addresses of this machine and of private networks may be asked'),
    items: path('the objects in an answer. Default: a list itself, or the one object').optional(),
    match: match.optional(),
    id: id.optional(),
    result: path('what a resumed run gets, in the object').optional(),
    next: text('where the next page is: link for that header, or JMESPath of an address').optional(),
    pages: count('the most pages that are read. Default: 100', 10_000).optional(),
    complete: path('true where the answer is all there is').optional(),
    none_on: z
      .array(
        z.int('a status is wanted').min(400, 'from 400 on').max(499, 'at most 499'),
        'a list of statuses is wanted',
      )
      .meta({ description: 'statuses that say "no such object". Default: 404 for grades A and B' })
      .optional(),
    error: path('true where a 2xx carries an error').optional(),
    statements: group(
      {
        aborted: path('true where it says that every attempt was aborted').optional(),
        never_sent: path('true where it says that nothing arrived or will').optional(),
        refused: path('true where it says that it refused for good').optional(),
      },
      'what the service says for good, of every attempt under this key',
    ).optional(),
    remote: remote.optional(),
    disagrees: z
      .array(
        group({ when: path('true where it is so'), says: text('the facts, in words') }, 'a contradiction'),
        'a list of contradictions is wanted',
      )
      .meta({ description: 'facts of one answer that contradict each other' })
      .optional(),
    point: text('grade D: the address by which a hit is read again, with {found}').optional(),
    max_bytes: count('the largest answer. Default: 16 MiB', 1_073_741_824).optional(),
    ...terms,
  },
  'reads over HTTP, GET only',
).check(context => {
  for (const { at, message } of httpProblems(context.value))
    context.issues.push({ code: 'custom', message, path: [...at], input: context.value })
})

const command = group(
  {
    kind: z.literal('command'),
    run: list('the program and its arguments; no shell').min(1, 'the program is missing'),
    env: list('names of environment variables that it is given').optional(),
    grade: grade.optional(),
    ...terms,
  },
  'a program that answers as JSON; runs only from a trusted configuration',
)

const sql = group(
  {
    kind: z.literal('sql'),
    database: checked('a SQLite file, or {env.NAME} of a PostgreSQL address', databaseProblem),
    query: text('one select; $1, $2, … stand for params'),
    params: list('values of the query, filled in').optional(),
    parent: text('a select that answers a row where the table can be read whole').optional(),
    match,
    id,
    result: path('what a resumed run gets, in the row').optional(),
    grade: grade.optional(),
    ...terms,
  },
  'reads a database, read only',
)

const file = group(
  {
    kind: z.literal('file'),
    path: text('the file, from the folder of the configuration and inside it'),
    digest: text('sha256:<hex> of what was to be written: {input.sha256}'),
    grade: grade.optional(),
    ...terms,
  },
  'a file and the digest of its content',
)

const git = group(
  {
    kind: z.literal('git'),
    remote: text('address or path of the repository'),
    ref: text('the ref that was pushed: refs/heads/main'),
    commit: text('the commit that was pushed: {input.commit}'),
    contains: z
      .boolean('true or false is wanted')
      .meta({ description: 'a later commit that contains it counts too. Default: true' })
      .optional(),
    grade: grade.optional(),
    ...terms,
  },
  'a push: is the commit on the ref?',
)

const npm = group(
  {
    kind: z.literal('npm'),
    package: text('the name of the package'),
    version: text('the version'),
    integrity: text('sha512-… of the packed tarball: {input.integrity}'),
    registry: text('default https://registry.npmjs.org').optional(),
    headers: named(text('its value; {env.NAME} is taken from the environment'), 'headers by name').optional(),
    allow_private: yes('addresses of this machine and of private networks may be asked'),
    grade: grade.optional(),
    ...terms,
  },
  'a version of an npm package, and its integrity',
)

const module = group(
  {
    kind: z.literal('module'),
    path: text('a JavaScript module that exports probe(question)'),
    env: list('names of environment variables that it is given').optional(),
    grade: grade.optional(),
    ...terms,
  },
  'a module of your own; runs only from a trusted configuration',
)

const service = group(
  {
    kind: z.literal('service').optional(),
    service: z
      .string('the name of a service is wanted, or a kind: http, command, sql, file, git, npm, module or all')
      .trim()
      .min(1, 'it is empty')
      .meta({ description: 'the name of the service' }),
    with: named(text('its value'), 'the parameters of the contract').optional(),
  },
  'a ready contract of a service',
)

const WANTED = 'a kind is wanted: http, command, sql, file, git, npm, module, service or all'

const single = z.discriminatedUnion('kind', [http, command, sql, file, git, npm, module, service], WANTED)

const all = group(
  {
    kind: z.literal('all'),
    of: z
      .array(single, 'a list of probes is wanted')
      .min(1, 'no probe is named')
      .max(10, 'at most 10 probes'),
  },
  'several sources, asked and judged together',
)

export const probeSchema = z
  .discriminatedUnion('kind', [http, command, sql, file, git, npm, module, service, all], WANTED)
  .meta({ description: 'how the outside system is asked whether it happened' })

export type ProbeEntry = z.output<typeof probeSchema>
