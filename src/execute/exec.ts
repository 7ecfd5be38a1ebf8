import { notExecuted } from '../core/classify/not-executed.js'
import { type CommandEnd, type ExitContract, exitRuleOf } from '../core/exit-verdict.js'
import { idsInOutput } from '../core/ids-in-output.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { Intent } from '../core/operation.js'
import { parseWholeJson } from '../core/parse-json.js'
import type { RunOutcome } from '../core/run-outcome.js'
import type { Asking } from '../core/transitions/requests.js'
import type { Previous } from './announce.js'
import { type CommandLine, type Ran, runCommand } from './exec-child.js'
import type { Executor } from './executor.js'
import type { HandlerContext } from './handler.js'
import { run } from './run.js'

export interface Exec {
  readonly intent: Intent
  readonly asking: Asking
  readonly lease_ms: number
  /** how long it may wait for a retry that is due later, before the command is started */
  readonly wait_ms: number
  readonly command: CommandLine
  readonly contract: ExitContract
  /** whether what the command prints is its result: as JSON where it is JSON, else as text */
  readonly resultFrom: 'stdout' | 'none'
}

export interface Executed {
  readonly outcome: RunOutcome<JsonValue | undefined>
  /** null: the command was not run */
  readonly end: CommandEnd | null
}

/**
 * Guards a command line: its intent is durable before it is started, its exit code is read by the contract of its
 * tool. Returns when the command and its process group are gone. Rejects as `run` does: nothing was started then.
 */
export async function exec(executor: Executor, asked: Exec): Promise<Executed> {
  let running: Promise<Ran> | null = null
  // A command is started once: what stood on its standard input cannot be given to it a second time.
  const once = { ...asked, retries: false }
  const outcome = await run<JsonValue | undefined>(executor, once, async context => {
    if (asked.command.stopping.aborted)
      throw notExecuted('it was told to stop before the command was started')
    running = runCommand(withEnvironment(asked, context), context.signal)
    return resultOf(executor, { asked, context, ran: await running })
  })
  // Read through a function: the analysis of the compiler does not see what the handler assigned.
  const ran = await current()
  // What the command brought after its time was up is told to the ledger in this turn, before anybody closes it.
  await new Promise(setImmediate)
  return { outcome, end: ran?.end ?? null }

  function current(): Promise<Ran> | null {
    return running
  }
}

function withEnvironment(
  { command, intent }: Exec,
  { idempotencyKey, attempt, fence }: HandlerContext,
): CommandLine {
  return {
    ...command,
    env: {
      ...command.env,
      AGENT_LEDGER_IDEMPOTENCY_KEY: idempotencyKey,
      AGENT_LEDGER_OPERATION_ID: intent.operation_id,
      AGENT_LEDGER_TASK_ID: intent.task_id,
      AGENT_LEDGER_ATTEMPT: String(attempt),
      AGENT_LEDGER_FENCE: String(fence),
    },
  }
}

interface Finished {
  readonly asked: Exec
  readonly context: HandlerContext
  readonly ran: Ran
}

async function resultOf(executor: Executor, finished: Finished): Promise<JsonValue | undefined> {
  const { asked, context, ran } = finished
  const text = ran.stdout?.text() ?? null
  const places = asked.intent.contract.ids ?? []
  for (const { kind, value, ...about } of text === null ? [] : idsInOutput(places, text))
    await context.externalId(kind, value, about)
  const isDoubted = hasDoubt(context.previous)
  const rule = exitRuleOf({ end: ran.end, contract: asked.contract, isDoubted, stopped: ran.stopped })
  switch (rule.end) {
    case 'applied':
      await keepReceipt(executor, finished, rule.id)
      if (asked.resultFrom === 'none') return undefined
      if (text === null) warnNotKept(executor, asked.intent)
      return text === null ? undefined : asJsonOrText(text)
    case 'not_applied':
      throw notExecuted(wordsOf(executor, finished))
    case 'ambiguous':
      throw new CommandFailed(wordsOf(executor, finished, isDoubted ? rule.reason : null), codeOf(ran.end))
  }
}

function warnNotKept({ warn }: Executor, { operation_id }: Intent): void {
  const message = `${operation_id}: what it printed is not kept, being too long or no UTF-8 text: started again it prints nothing`
  warn({ code: 'result_not_kept', message, operation_id })
}

/** How a command ended that settles nothing; the code is kept with the error of the attempt. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message)
  }
}

/** An attempt is no doubt any more only where it is known that it had no effect. */
function hasDoubt({ attempts }: Previous): boolean {
  return attempts.some(({ end }) => end !== 'not_applied' && end !== 'absent')
}

// Evidence of its own, before the outcome: it stays also where this process dies between the two.
async function keepReceipt(
  { store, clock, actor }: Executor,
  { asked, context, ran }: Finished,
  rule: string,
) {
  const body: JsonObject = {
    rule,
    command: asked.command.argv[0],
    ...(ran.end.kind === 'exited' ? { exit_code: ran.end.code } : {}),
    stdout: ran.stdout?.receipt() ?? 'passed through unseen',
    stderr: ran.stderr?.receipt() ?? 'passed through unseen',
  }
  const receipt = { kind: 'receipt', origin: 'observed', attempt: context.attempt, body } as const
  const { operation_id } = asked.intent
  const by = { actor, clock }
  // The ledger's failure is no failure of the command: the outcome that follows is spooled where this fails.
  await store.addEvidence({ operation_id, evidence: [receipt], by }).catch(() => {})
}

/** As text also where JSON readers would round its numbers: it is printed again as it was. */
function asJsonOrText(text: string): JsonValue {
  try {
    return parseWholeJson(text, 'stdout')
  } catch {
    return text
  }
}

function wordsOf({ mask }: Executor, { asked, ran }: Finished, why: string | null = null): string {
  const told = ran.stopped === null ? '' : `, after it was told to stop: ${ran.stopped}`
  const because = why === null ? '' : ` (${why})`
  const tail = ran.stderr?.tail(mask.text) ?? ''
  return `${asked.command.argv[0]} ${endInWords(ran.end)}${told}${because}${tail === '' ? '' : `; its stderr ends with: ${tail}`}`
}

function endInWords(end: CommandEnd): string {
  switch (end.kind) {
    case 'not_started':
      return `was not started: ${end.message}`
    case 'exited':
      return `ended with exit code ${end.code}`
    case 'signalled':
      return `was ended by ${end.signal}`
  }
}

function codeOf(end: CommandEnd): string {
  switch (end.kind) {
    case 'not_started':
      return end.code
    case 'exited':
      return `EXIT_${end.code}`
    case 'signalled':
      return end.signal
  }
}
