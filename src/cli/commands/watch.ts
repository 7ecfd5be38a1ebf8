import { asJson, isoOrNull } from '../../core/documents/parts.js'
import { isLedgerError } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import { type Safe, words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { STALL_RULE_IDS } from '../../core/stall/rule.js'
import type { Watched, WatchOptions } from '../../ledger/watch.js'
import type { Ledger } from '../../ledger.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { documentHead, printableJson } from '../output/json.js'
import { choices, duration, flag, remaining, someText, value } from '../parameters.js'

const SUSPENDING = ['none', ...STALL_RULE_IDS] as const

export const watch = command({
  name: 'watch',
  chapter: 'Keep',
  summary: 'supervise: stalls, lapsed leases, notices, and fencing off what goes round after a grace',
  details: [
    'Each look reads what is open, marks operations whose executor is gone, and gives a notice with its evidence, once. From then on the task sends nothing but reads. Where nothing has changed when the grace is over, the task is suspended: its executors are fenced off until `handback`.',
    'Of many that watch one ledger, one leads; another goes on when it ends. What gave no sign of life while the ledger could not be written is waited for as long as a lease lasts before it counts as dead.',
    '--exec and --webhook tell somebody of each notice and each suspension. They are operations of the ledger themselves, so that each is told once, also after a restart. The notice is in the environment as AGENT_LEDGER_NOTICE, or in the body, as JSON.',
  ],
  args: { ledgers: remaining('the ledgers to watch, with that of --ledger; without any the one in use') },
  options: {
    once: flag('one look, and then end: for a timer'),
    every: value('duration', 'time between two looks', duration, { fallback: '10s' }),
    grace: value('duration', 'from a notice to the suspension', duration, { fallback: '10m' }),
    suspend: value('rules', 'the rules that lead to a suspension, or none', choices(SUSPENDING), {
      choices: SUSPENDING,
      fallback: 'loops, heartbeat_lost, no_progress, budget_spent',
    }),
    exec: value('command', 'run by the shell for each notice and suspension', someText),
    webhook: value('url', 'gets each notice and suspension as JSON', someText),
  },
  examples: [
    { line: 'agent-ledger watch', does: 'until ctrl-c' },
    { line: 'agent-ledger watch --once --jsonl', does: 'from a timer, one JSON document a line' },
    {
      line: `agent-ledger watch --grace 30m --exec 'notify-send "$AGENT_LEDGER_NOTICE"'`,
      does: 'tell somebody, and leave them half an hour',
    },
    { line: 'agent-ledger watch --suspend none', does: 'tell, and fence nothing off' },
  ],
  documents: ['watch@1'],
  writes: true,
})

export async function run(given: Given<typeof watch>, deps: Deps): Promise<number> {
  const options = optionsOf(given, deps)
  const { ledger } = deps.global
  const named = ledger === undefined ? given.ledgers : [ledger, ...given.ledgers]
  const watched: Ledger[] = []
  try {
    for (const location of named.length === 0 ? [undefined] : named)
      watched.push(await deps.openAnother(location))
    await Promise.all(watched.map(one => followOn(one, options, deps)))
  } finally {
    for (const one of watched) await one.close()
  }
  return 0
}

function optionsOf(given: Given<typeof watch>, { io, signal }: Deps): WatchOptions {
  const { once, every, grace, suspend, exec, webhook } = given
  const told = {
    ...(exec === undefined ? {} : { exec, env: io.env, cwd: io.cwd }),
    ...(webhook === undefined ? {} : { webhook }),
  }
  return {
    signal,
    once: once ?? false,
    ...(every === undefined ? {} : { everyMs: every }),
    ...(grace === undefined ? {} : { graceMs: grace }),
    ...(suspend === undefined ? {} : { suspend: suspend.filter(rule => rule !== 'none') }),
    ...(Object.keys(told).length === 0 ? {} : { notify: told }),
  }
}

/** Where another ledger was put in the place of the one that is watched, that one is watched from then on. */
async function followOn(ledger: Ledger, options: WatchOptions, deps: Deps): Promise<void> {
  try {
    return await follow(ledger, options, deps)
  } catch (error) {
    if (!isLedgerError(error) || error.code !== 'ledger_replaced' || options.once) throw error
    await tell({ event: 'unreachable', reason: error.message }, ledger, deps)
  }
  const next = await deps.openAnother(ledger.location)
  try {
    await followOn(next, options, deps)
  } finally {
    await next.close()
  }
}

/** Until it is told to stop, or nobody reads any more. */
async function follow(ledger: Ledger, options: WatchOptions, deps: Deps): Promise<void> {
  for await (const one of ledger.watch(options)) if (!(await tell(one, ledger, deps))) return
}

function tell(one: Watched, ledger: Ledger, deps: Deps): Promise<boolean> {
  const isJson = deps.global.jsonl || deps.global.json
  return isJson ? printJson(one, ledger, deps) : deps.print(lineOf(one, ledger, deps))
}

function printJson(one: Watched, ledger: Ledger, { io, clock, redactor }: Deps): Promise<boolean> {
  const head = documentHead({ schema: 'watch@1', ledger: ledger.location }, clock())
  const body = JSON.stringify({ ...asJson(head), ...bodyOf(one) })
  return io.stdout.write(`${printableJson(redactor.json(JSON.parse(body)))}\n`)
}

function bodyOf(one: Watched): JsonObject {
  const nothing = { subject: null, subject_id: null, task_id: null, rule: null, grace_until: null }
  if (!('rule' in one)) return { ...nothing, ...one }
  return { ...one, grace_until: isoOrNull(one.grace_until) }
}

function lineOf(one: Watched, { location }: Ledger, { show, paint, times, clock }: Deps): Safe {
  const at = times.exact(clock())
  if (!('rule' in one)) return words`${at}  ${show(location)}  ${show(one.event)}: ${show(one.reason)}`
  const { event, subject, subject_id, rule, reason, grace_until, task_id } = one
  const head = event === 'noticed' || event === 'suspended' ? paint.alarm(show(event)) : show(event)
  const until =
    grace_until === null || event !== 'noticed'
      ? words``
      : words`; if nothing changes, suspended at ${times.exact(grace_until)}`
  const next = event === 'suspended' ? words`; ${show(ledgerCommand('report', [], task_id))}` : words``
  return words`${at}  ${head}  ${show(subject)} ${show(subject_id)}: ${show(rule)}: ${show(reason)}${until}${next}`
}
