import * as z from 'zod'
import { idPlacesSchema, serviceRulesSchema } from '../core/classify/service-rule-schema.js'
import { EFFECTS } from '../core/operation.js'
import type { CountedRule, LimitedRule } from '../core/stall/limits.js'
import { SERVICE_CONTRACTS } from '../probes/contracts/index.js'
import { probeSchema } from './probe-schema.js'
import { count, duration, group, list, named, text } from './schema-parts.js'
import { serviceProblems } from './service-checks.js'

// The file as a person writes it.

const LIMIT_WORDS: Readonly<Record<LimitedRule, string>> = {
  heartbeat_lost: 'no sign of life for this long',
  attempt_overdue: 'one attempt has taken this long',
  deadline_passed: 'the deadline has passed by this much',
  retry_overdue: 'a retry is late by this much',
  never_sent: 'prepared for this long, and its executor is gone',
  no_progress: 'it lives, and nothing was achieved for this long',
  evidence_expires: 'the record that can tell is gone in this long',
  polling: 'asked again on purpose: its answer may stay the same for this long',
}

const COUNT_WORDS: Readonly<Record<CountedRule, string>> = {
  loop_same_action_same_result: 'the same call with the same answer, so often in a row',
  loop_same_action_error: 'the same call failed so often in a row',
  loop_monologue: 'so many messages without a call between them',
  loop_alternating: 'so many calls of a loop of two; a longer one has to come round as often',
  loop_context_window: 'its context was condensed so often with nothing between',
}

const times = (rule: CountedRule) =>
  z
    .int('a whole number is wanted')
    .min(2, 'at least 2 is wanted')
    .max(1_000_000, 'at most 1000000 is possible')
    .meta({ description: COUNT_WORDS[rule] })
    .optional()
const limit = (rule: LimitedRule) => duration(LIMIT_WORDS[rule]).optional()
const thresholds = {
  heartbeat_lost: limit('heartbeat_lost'),
  attempt_overdue: limit('attempt_overdue'),
  deadline_passed: limit('deadline_passed'),
  retry_overdue: limit('retry_overdue'),
  never_sent: limit('never_sent'),
  no_progress: limit('no_progress'),
  evidence_expires: limit('evidence_expires'),
  polling: limit('polling'),
  loop_same_action_same_result: times('loop_same_action_same_result'),
  loop_same_action_error: times('loop_same_action_error'),
  loop_monologue: times('loop_monologue'),
  loop_alternating: times('loop_alternating'),
  loop_context_window: times('loop_context_window'),
} satisfies Record<LimitedRule | CountedRule, z.ZodType>

const repeat = z
  .discriminatedUnion(
    'kind',
    [
      group(
        {
          kind: z.literal('idempotency_key'),
          retention: duration(
            'how long the service remembers a key; without it a repeat is never safe',
          ).optional(),
          scope: text('account, endpoint or region inside which the key is known').optional(),
        },
        'the service recognises a repeat by its key',
      ),
      group({ kind: z.literal('idempotent') }, 'setting the same state again changes nothing'),
      group(
        {
          kind: z.literal('conditional'),
          names: z.enum(['permanent', 'reusable'], 'permanent or reusable is wanted').meta({
            description: 'whether a name once taken can become free again',
          }),
        },
        'the service refuses a second arrival: create-if-absent, compare-and-set',
      ),
      group({ kind: z.literal('none') }, 'a repeat is a new request'),
    ],
    'idempotency_key, idempotent, conditional or none is wanted',
  )
  .meta({ description: 'what a repeat of the same request does at this service' })

const exitCode = z
  .int('an exit code is wanted')
  .min(1, 'an exit code from 1 to 255 is wanted')
  .max(255, 'an exit code from 1 to 255 is wanted')

const exitCodes = group(
  {
    zero: z
      .enum(['done_by_this_run', 'state_holds'], 'done_by_this_run or state_holds is wanted')
      .meta({ description: 'what 0 says on a repeat after a doubt; without it, nothing' })
      .optional(),
    done: z
      .array(exitCode, 'a list of exit codes is wanted')
      .meta({ description: 'further codes that mean what 0 means' })
      .optional(),
    refused: z
      .array(exitCode, 'a list of exit codes is wanted')
      .meta({ description: 'codes that mean: refused before anything happened' })
      .optional(),
  },
  'what the exit codes of its command line mean, for exec',
)

const retry = group(
  {
    max_attempts: count('attempts over the whole life of an operation', 1_000).optional(),
    base: duration('the longest wait before the second attempt, doubled for each one after').optional(),
    cap: duration('no wait is longer').optional(),
    max_elapsed: duration('from the first sending on; after it no retry follows by itself').optional(),
    quota: group(
      {
        retries: count('so many retries', 1_000_000),
        per: duration('in each such time', 1),
        destination: text('what shares the quota, such as a host; else the tool alone').optional(),
      },
      'what the destination is spared from, over all processes of the ledger',
    ).optional(),
  },
  'how a refusal of the moment, or a lost answer that is safe to repeat, is tried again',
)

const tool = group(
  {
    service: z
      .string('the name of a ready contract is wanted')
      .trim()
      .min(1, 'it is empty')
      .meta({
        description: 'a ready contract, docs/contracts.md: it gives what is not declared here',
        examples: Object.keys(SERVICE_CONTRACTS),
      })
      .optional(),
    with: named(text('its value'), 'the parameters of the contract').optional(),
    effect: z
      .enum(EFFECTS, `one of ${EFFECTS.join(', ')} is wanted`)
      .meta({ description: 'what undoing would take' })
      .optional(),
    repeat: repeat.optional(),
    timeout: duration('how long one call may take', 1).optional(),
    retry: retry.optional(),
    risk: group(
      {
        amount: z
          .union(
            [z.number(), z.string().trim().min(1)],
            'a number, or the path of one in the input, is wanted',
          )
          .meta({
            description: 'the amount at stake: a number, or the path of one in the input (order.total)',
          }),
      },
      'what orders the riskiest first',
    ).optional(),
    arrival: z
      .union([z.literal('unbounded'), duration('')], 'a duration such as 15m, or unbounded, is wanted')
      .meta({
        description:
          'how long after the last byte a request may still arrive; unbounded: absence is never proven',
      })
      .optional(),
    settle: duration("how long the service's own records may lag behind its effects").optional(),
    keeps: duration(
      'how long the service keeps the record that can tell, from the sending on; after that nothing is concluded',
    ).optional(),
    patience: duration(
      'how long work that the service accepted may take before it counts as lost',
    ).optional(),
    classify: serviceRulesSchema.optional(),
    ids: idPlacesSchema.optional(),
    queues: z
      .boolean('true or false is wanted')
      .meta({
        description: 'it queues requests before it looks at them: what it refuses may still take effect',
      })
      .optional(),
    digest: group(
      {
        ignore: list(
          'paths in the input that change from call to call and stay out of its digest',
        ).optional(),
      },
      'how the digest of an input is made',
    ).optional(),
    exit_codes: exitCodes.optional(),
    look_here: group(
      {
        url: text(
          'a link for a person; {operation_id}, {target}, {idempotency_key}, {input.path}, {external_id.kind} are filled in',
        ).optional(),
        check: text(
          'a command to paste; filled in the same way where the value means nothing to a shell',
        ).optional(),
      },
      'where a person looks whether it happened',
    ).optional(),
    approval: z
      .literal('required', 'required is wanted; leave it out where none is needed')
      .meta({ description: 'a person gives leave before it is sent' })
      .optional(),
    compensate: group(
      {
        tool: text('the tool that undoes it'),
        input: z.json().meta({
          description:
            'its input; {operation_id}, {target}, {input.path}, {result.path}, {external_id.kind} are filled in',
        }),
        target: text('what is touched, filled in the same way').optional(),
      },
      'how it is undone: another operation, with its own outcome',
    ).optional(),
    probe: probeSchema.optional(),
    stall: group(thresholds, 'thresholds of the stall rules for this tool').optional(),
  },
  'one tool: what it does outside, what a repeat does, where to look',
).check(context => {
  for (const { at, message } of serviceProblems(context.value))
    context.issues.push({ code: 'custom', message, path: [...at], input: context.value })
})

export const configSchema = group(
  {
    ledger: text("the ledger: a path from this file's folder, or a URL").optional(),
    identity: text('who decides, where neither --by nor AGENT_LEDGER_BY says').optional(),
    redact: list('further names under which a value is a secret').optional(),
    lease: duration('how long an executor holds an operation before it counts as gone', 1_000).optional(),
    stall: group(
      {
        ...thresholds,
        phases: named(group(thresholds, 'thresholds of one phase'), 'thresholds by phase').optional(),
      },
      'when something counts as stalled',
    ).optional(),
    tools: named(tool, 'the tools by name').optional(),
  },
  'agent-ledger.yaml',
)

export type ConfigFile = z.output<typeof configSchema>
