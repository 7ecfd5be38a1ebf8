import * as z from 'zod'
import { GRADES } from '../core/observation.js'
import { expressionProblem, markerProblem } from './probe-checks.js'
import { duration, group, list, named, text } from './schema-parts.js'

// What probes of several kinds are written with.

/** A text that a further rule holds for. */
export function checked(describes: string, problem: (text: string) => string | undefined) {
  return text(describes).check(context => {
    const message = problem(context.value)
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value })
  })
}

export const path = (describes: string) => checked(`JMESPath: ${describes}`, expressionProblem)

export const grade = z
  .enum(GRADES, 'A, B, C or D is wanted')
  .meta({ description: 'what its answers are worth, see docs/reconcile.md' })

export const yes = (describes: string) =>
  z
    .literal(true, 'true is wanted; leave it out where it is not so')
    .meta({ description: describes })
    .optional()

export const terms = {
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

export const variable = (name: string) =>
  z
    .string('the name of an environment variable is wanted')
    .regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable is wanted')
    .meta({ description: `the environment variable that holds it: ${name}` })

export const place = z
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

export const match = group(
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
    by: group(
      { path: path('who made it'), equals: text('who that must be: acme-bot') },
      'what carries our mark and was made by somebody else is a candidate; a person decides',
    ).optional(),
    named_by: z
      .enum(['key', 'operation_id'], 'key or operation_id is wanted')
      .meta({ description: 'the object is asked for by a name made of it: being there is being ours' })
      .optional(),
  },
  'what makes an object that of this operation',
)

export const id = group(
  {
    kind: text('what the id is of: ticket, charge'),
    value: path('the id'),
    url: path('the link for a person').optional(),
  },
  'how what is found is named in the ledger',
)

export const states = (means: string) => list(`words of the service that mean: ${means}`).optional()

export const remote = group(
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
    not_found: path('true where the service has no record of it').optional(),
  },
  'a task of the service, asked by its id',
)
