import * as z from 'zod'
import { databaseProblem, endpointProblem, httpProblems, sqlProblems } from './probe-checks.js'
import { checked, grade, id, match, path, remote, terms, variable, yes } from './probe-parts.js'
import { count, group, list, named, text } from './schema-parts.js'
import { namingProblems } from './service-checks.js'

// How a tool's probe is written. What each key does at run time stands in src/core/probe.ts.

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
    next: z
      .union(
        [
          text('link for the header of that name, or JMESPath of an address'),
          group(
            {
              param: text('the parameter of the address that is set'),
              value: path('its value; false or nothing: this was the last page'),
            },
            'a parameter of the same address',
          ),
        ],
        'link, a JMESPath, or a group of param and value, is wanted',
      )
      .meta({ description: 'where the next page is' })
      .optional(),
    readable: path(
      'true where what holds the object can be read: in the answer of parent, without one in the answer itself',
    ).optional(),
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
    match: match.optional(),
    id: id.optional(),
    remote: remote.optional(),
    result: path('what a resumed run gets, in the row').optional(),
    grade: grade.optional(),
    ...terms,
  },
  'reads a database, read only',
).check(context => {
  for (const { at, message } of sqlProblems(context.value))
    context.issues.push({ code: 'custom', message, path: [...at], input: context.value })
})

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
    before: text('where the ref stood before; elsewhere without the commit, a person decides').optional(),
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

const s3 = group(
  {
    kind: z.literal('s3'),
    bucket: text('the bucket'),
    key: text('the key of the object'),
    region: text('the region it is in'),
    endpoint: checked('of another store with this protocol', endpointProblem).optional(),
    metadata: z
      .string('a text is wanted')
      .regex(/^[a-z0-9-]+$/, 'small letters, digits and - are wanted')
      .meta({ description: "the object's own metadata that holds the operation id or the key" }),
    digest: text('SHA-256 of the content in base64, or its ETag: {input.sha256}').optional(),
    access_key_env: variable('AWS_ACCESS_KEY_ID'),
    secret_key_env: variable('AWS_SECRET_ACCESS_KEY'),
    session_token_env: variable('AWS_SESSION_TOKEN').optional(),
    allow_private: yes('addresses of this machine and of private networks may be asked'),
    grade: grade.optional(),
    ...terms,
  },
  'an object of S3 under its key',
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
      .string(
        'the name of a service is wanted, or a kind: http, command, sql, file, git, npm, s3, module or all',
      )
      .trim()
      .min(1, 'it is empty')
      .meta({ description: 'the name of the service' }),
    with: named(text('its value'), 'the parameters of the contract').optional(),
  },
  'a ready contract of a service',
).check(context => {
  for (const { at, message } of namingProblems(context.value))
    context.issues.push({ code: 'custom', message, path: [...at], input: context.value })
})

const WANTED = 'a kind is wanted: http, command, sql, file, git, npm, s3, module, service or all'

const single = z.discriminatedUnion('kind', [http, command, sql, file, git, npm, s3, module, service], WANTED)

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
  .discriminatedUnion('kind', [http, command, sql, file, git, npm, s3, module, service, all], WANTED)
  .meta({ description: 'how the outside system is asked whether it happened' })

export type ProbeEntry = z.output<typeof probeSchema>
