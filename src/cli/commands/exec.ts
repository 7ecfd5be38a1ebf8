import { isatty } from 'node:tty'
import { LedgerError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import { EFFECTS } from '../../core/operation.js'
import { operationId } from '../../core/operation-id.js'
import type { Call } from '../../ledger/call.js'
import { command, type Given } from '../command.js'
import { jsonOrFile } from '../deciding/given-json.js'
import { untilGiven } from '../deciding/until.js'
import type { Deps } from '../deps.js'
import { answerInstead, exitCodeOf, tell } from '../exec/answer.js'
import { REPEAT_WORDS, repeatOption } from '../exec/repeat-option.js'
import { tapsFor } from '../exec/taps.js'
import { choice, duration, remaining, someText, time, value, wholeNumber } from '../parameters.js'

const RESULTS = ['stdout', 'none'] as const
const DEFAULT_GRACE_MS = 5_000

export const exec = command({
  name: 'exec',
  chapter: 'From programs',
  summary: 'guard a command line: write its intent down, run it once, read its exit code',
  details: [
    'The intent is durable before the command starts. Exit code 0 confirms it; every other end is in doubt unless the contract of the tool (exit_codes in agent-ledger.yaml) says what the code means. After a doubt, 0 of a repeat settles nothing without such a contract. A command that cannot be started is not executed for certain.',
    'Started again with the same operation, a confirmed command is not run again: exit 0. One in doubt is not run again either, unless its contract says that a repeat is safe: exit 7.',
    'Another operation of the same task with the same tool and input is the same write: the first one answers. Where both are meant, say why with --again.',
    'The command gets AGENT_LEDGER_IDEMPOTENCY_KEY, AGENT_LEDGER_OPERATION_ID, AGENT_LEDGER_TASK_ID, AGENT_LEDGER_ATTEMPT, AGENT_LEDGER_FENCE and AGENT_LEDGER. Its input and output pass through untouched; signals are passed on to it and all it started.',
    'Without --input the words of the command line are its input, and are kept: give secrets by the environment. Without --op the operation is named after task, step, tool and input.',
    'Exit codes: the command’s own where it ran (128 + n for a signal, 127 not found, 126 not executable); 0 confirmed already; 7 in doubt, refused or waiting; 5 in flight elsewhere.',
  ],
  args: { command: remaining('the command and its words, after --', { required: true }) },
  options: {
    task: value('id', 'the task it belongs to; always needed', someText, { completes: 'task' }),
    op: value('id', 'the operation', someText, { fallback: 'from task, step, tool and input' }),
    tool: value('name', 'what is called; the configuration names its contract; always needed', someText),
    input: value('json|@file', 'what is meant; another input under the same id is refused', someText, {
      fallback: 'the words of the command line',
    }),
    step: value('name', 'the step of the task', someText),
    phase: value('name', 'the phase of the task', someText),
    target: value('text', 'what is touched: a host, a repository, a record', someText),
    effect: value('effect', 'what undoing would take', choice(EFFECTS), { choices: EFFECTS }),
    repeat: value('contract', `what a repeat does at the service: ${REPEAT_WORDS}`, repeatOption),
    again: value(
      'reason',
      'the same tool and input is on record in this task, and is meant once more',
      someText,
    ),
    maxAttempts: value('n', 'attempts over its whole life', wholeNumber(1)),
    timeout: value('duration', 'after this it is told to stop, and is in doubt', duration),
    deadline: value('time', 'no attempt begins after this time, or span from now', time),
    lease: value('duration', 'how long its lease lasts between renewals', duration),
    grace: value('duration', 'from SIGTERM to SIGKILL for all it started', duration, { fallback: '5s' }),
    resultFrom: value('stdout|none', 'what is kept as its result, and printed on a replay', choice(RESULTS), {
      choices: RESULTS,
      fallback: 'none',
    }),
  },
  examples: [
    {
      line: 'agent-ledger exec --task release-2.1 --tool npm.publish --op npm/web@2.1.0 -- npm publish --provenance',
      does: 'publish once, whatever happens to this job and the next ones',
    },
    {
      line: 'agent-ledger exec --task t-9 --tool tickets.open --result-from stdout -- ./open-ticket.sh "Disk full"',
      does: 'started again it prints the ticket it opened, and opens no other',
    },
    {
      line: 'agent-ledger exec --task nightly --tool crm.sync --timeout 10m --repeat idempotent --target crm -- ./sync',
      does: 'may be run again while in doubt: setting the same state again changes nothing',
    },
  ],
  writes: true,
})

type Wanted = Omit<Given<typeof exec>, 'input'> & {
  readonly task: string
  readonly tool: string
  readonly input: JsonValue
}

export async function run(given: Given<typeof exec>, deps: Deps): Promise<number> {
  const { task, tool, resultFrom = 'none' } = given
  const [file, ...args] = given.command
  if (file === undefined) throw missing('the command')
  if (task === undefined || tool === undefined) throw missing(task === undefined ? '--task' : '--tool')
  const argv = [file, ...args] as const
  const input = given.input === undefined ? { argv } : await jsonOrFile(given.input, '--input', deps.io)
  const call = callOf({ ...given, task, tool, input }, deps)
  return deps.withLedger(async ledger => {
    const { outcome, end } = await ledger.exec(call, {
      argv,
      env: { ...deps.io.env, AGENT_LEDGER: ledger.location },
      cwd: deps.io.cwd,
      taps: asked => tapsFor(deps.io, asked),
      onTerminal: isatty(0) || deps.io.stdout.isTerminal || deps.io.stderr.isTerminal,
      stopping: deps.signal,
      graceMs: given.grace ?? DEFAULT_GRACE_MS,
      onSignal: deps.onSignal,
      resultFrom,
    })
    if (end === null) return answerInstead(outcome, { id: call.id, isPrinted: resultFrom === 'stdout' }, deps)
    await tell(outcome, call.id, deps)
    return exitCodeOf(end)
  })
}

function missing(what: string): LedgerError {
  return new LedgerError('usage', `${what} is missing`)
}

function callOf({ task, tool, input, op, step, deadline, ...given }: Wanted, deps: Deps): Call {
  const { phase, target, effect, repeat, again, maxAttempts, timeout, lease } = given
  return {
    id: op ?? operationId({ task, tool, input, ...(step === undefined ? {} : { step }) }),
    task,
    tool,
    input,
    ...(step === undefined ? {} : { step }),
    ...(phase === undefined ? {} : { phase }),
    ...(target === undefined ? {} : { target }),
    ...(effect === undefined ? {} : { effect }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(again === undefined ? {} : { again }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    ...(deadline === undefined ? {} : { deadlineAt: untilGiven(deadline, deps) }),
    ...(lease === undefined ? {} : { leaseMs: lease }),
  }
}
