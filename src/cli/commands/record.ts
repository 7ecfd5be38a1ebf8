import { asJson } from '../../core/documents/parts.js'
import { errorItemOf, RECORD_VERBS, type RecordReply } from '../../core/documents/record.js'
import { isLedgerError, LedgerError } from '../../core/errors.js'
import { parseWholeJson } from '../../core/parse-json.js'
import { words } from '../../core/safe-text.js'
import { isRunning, ownerOf, ownerWithoutProcess } from '../../host.js'
import type { Ledger } from '../../ledger.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printableJson } from '../output/json.js'
import { flag, optionalArgument } from '../parameters.js'

export const record = command({
  name: 'record',
  chapter: 'From programs',
  summary: 'write down what an executor does, from any language',
  details: [
    'Reads one JSON object from stdin and answers with one on stdout: {ok, operation_id, status, version, next_action | error}. Field names are those of the schema (`agent-ledger schema record-input`); a field that means nothing is refused.',
    'send answers {attempt, fence, idempotency_key, previous, send_by, epoch}: only after ok may bytes leave. Later verbs carry attempt and fence.',
    'With --stream each line of stdin is an object with its verb, and each line of stdout the answer: one process for many. Its own end is then taken for the end of the executor.',
  ],
  args: { verb: optionalArgument('what is told', { choices: RECORD_VERBS }) },
  options: { stream: flag('read JSON lines until the end of input, each with its verb') },
  examples: [
    {
      line: `echo '{"operation_id":"refund/9","task_id":"t-1","tool":"refunds.create","input":{"order":9}}' | agent-ledger record prepare`,
      does: 'write the intent down before anything is sent',
    },
    {
      line: `echo '{"operation_id":"refund/9"}' | agent-ledger record send`,
      does: 'announce an attempt; send only when ok is true',
    },
    {
      line: `echo '{"operation_id":"refund/9","attempt":1,"fence":2,"result":{"id":"re_1"}}' | agent-ledger record confirm`,
      does: 'it took effect, with the attempt and fence that send answered',
    },
  ],
  documents: ['record@1'],
  writes: true,
})

/** Exit code of a stream in which some objects were not carried out. */
const SOME_FAILED = 6

export async function run({ verb, stream }: Given<typeof record>, deps: Deps): Promise<number> {
  if (stream === (verb !== undefined))
    throw new LedgerError('usage', stream ? 'with --stream each line names its verb' : 'a verb is missing', {
      hint: `The verbs are ${RECORD_VERBS.join(', ')}; --stream reads many, one a line.`,
    })
  try {
    return await deps.withLedger(ledger =>
      verb === undefined ? recordStream(ledger, deps) : recordOne(ledger, verb, deps),
    )
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return reply({ ok: false, error: errorItemOf(error) }, deps)
  }
}

async function recordOne(ledger: Ledger, verb: string, deps: Deps): Promise<number> {
  const given = parseWholeJson(await deps.io.readAll(), 'stdin')
  // This process ends at once: who sends is the process that the caller names, or one that nobody can look up.
  const ownerOfSending = (pid: number | undefined) => (pid === undefined ? ownerWithoutProcess() : named(pid))
  return reply(await ledger.record(verb, given, { ownerOf: ownerOfSending }), deps)
}

async function recordStream(ledger: Ledger, deps: Deps): Promise<number> {
  const ownerOfSending = (pid: number | undefined) => (pid === undefined ? ownerOf() : named(pid))
  let n = 0
  let isAllDone = true
  for await (const line of deps.io.lines()) {
    if (deps.signal.aborted) break
    n += 1
    if (line.trim() === '') continue
    const answer = await answerTo(line, n, (verb, given) => {
      return ledger.record(verb, given, { ownerOf: ownerOfSending })
    })
    isAllDone &&= answer.ok
    if (!(await write(answer, deps))) break
  }
  return isAllDone ? 0 : SOME_FAILED
}

async function answerTo(
  line: string,
  n: number,
  carryOut: (verb: string, given: unknown) => Promise<RecordReply>,
): Promise<RecordReply> {
  try {
    const object = parseWholeJson(line, `line ${n}`)
    const { verb, ...given } = Object(object)
    if (typeof verb === 'string') return await carryOut(verb, given)
    throw new LedgerError('invalid_input', `line ${n}: an object with a verb is wanted`, { path: 'verb' })
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return { ok: false, error: errorItemOf(error) }
  }
}

function named(pid: number): string {
  if (isRunning(pid)) return ownerOf(pid)
  throw new LedgerError('invalid_input', `there is no process ${pid} on this machine`, {
    path: 'pid',
    hint: 'Name the process that sends, or leave pid out: its lease then says when it is gone.',
  })
}

async function reply(answer: RecordReply, deps: Deps): Promise<number> {
  await write(answer, deps)
  if (answer.error === undefined) return 0
  const { message, hint } = answer.error
  await deps.io.stderr.write(`${words`error: ${deps.show(message)}\nhint: ${deps.show(hint)}`}\n`)
  return answer.error.exit_code
}

function write(answer: RecordReply, deps: Deps): Promise<boolean> {
  return deps.io.stdout.write(`${printableJson(deps.redactor.json(asJson(answer)))}\n`)
}
