import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckpointThread } from '../src/core/checkpoint.js'
import { readCheckpoint } from '../src/sources/index.js'
import { startPostgres } from '../test/postgres/server.js'
import { addressOf, fillPostgres, type PostgresRows } from '../test/sources/langgraph/postgres-rows.js'

// Reads a folder of LangGraph databases, each with a JSON beside it that says what the real library answered, and
// prints where the reader differs. Not a part of the tests: the databases lie outside the project.
//   AGENT_LEDGER_DATA=<folder> npx tsx scripts/check-langgraph-data.ts
// A file <name>.sqlite has <name>.json: { getState: { next }, first: { trace }, resume_null: { trace } }. Traces name a
// Send worker by its argument (worker2), a tool tool:<name>, an error handler "handler", an effect <node>:effect. A node
// that left no line and failed shows in `next_after`. A file pg/<name>.json has the three tables of a PostgresSaver in
// `rows`, which are put into a server of their own, and what getState answers.

interface Truth {
  readonly getState: { readonly next: readonly string[] } | null
  readonly first: { readonly trace: readonly string[] }
  readonly resume_null: {
    readonly trace: readonly string[]
    readonly err?: string
    readonly next_after?: readonly string[] | null
  }
}

interface Difference {
  readonly file: string
  readonly what: string
  readonly expected: string
  readonly got: string
}

const root = process.env.AGENT_LEDGER_DATA
if (root === undefined || root === '') {
  console.error('AGENT_LEDGER_DATA is not set: name the folder that holds the databases.')
  process.exit(2)
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.sqlite'))
  .sort()
const differences: Difference[] = []
let compared = 0
for (const file of files) {
  const path = join(root, file)
  const truth = readTruth(path.replace(/\.sqlite$/, '.json'))
  if (truth === undefined) {
    await readCheckpoint(path)
    continue
  }
  compared++
  // On the first run the name of a functional entrypoint stands only inside hashes: the caller has to know it.
  const nodeNames = [...new Set(truth.first.trace)].filter(name => !name.includes(':'))
  const { threads } = await readCheckpoint(path, { nodeNames })
  differences.push(...differencesOf(file, truth, threads[0]))
}
const dumps = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(name => /(?:^|\/)pg\/[^/]+\.json$/.test(name))
  .sort()
if (dumps.length > 0) await compareDumps(root, dumps)
console.table(differences)
console.log(
  `${files.length + dumps.length} files read, ${compared} compared, ${differences.length} differences`,
)
process.exitCode = files.length === 0 || differences.length > 0 ? 1 : 0

function readTruth(path: string): Truth | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function differencesOf(file: string, truth: Truth, thread: CheckpointThread | undefined): Difference[] {
  const found: Difference[] = []
  const differ = (what: string, expected: readonly string[], got: readonly string[]) =>
    found.push({ file, what, expected: expected.join(' ') || '(none)', got: got.join(' ') || '(none)' })
  const next = truth.getState?.next ?? []
  const { err, next_after, trace: lines } = truth.resume_null
  const failed = err === undefined ? [] : (next_after ?? [])
  const trace = [...lines.filter(entry => !entry.includes(':effect') && entry !== 'router'), ...failed]
  const willRun = thread?.will_run ?? []
  const saved = thread?.saved ?? []
  if ((thread?.get_state_next ?? []).join() !== next.join())
    differ('get_state_next', next, thread?.get_state_next ?? [])
  const absent = willRun.filter(({ node, args }) => !inTrace(trace, node, args))
  if (absent.length > 0)
    differ(
      'will_run not in the trace',
      trace,
      absent.map(({ node }) => node),
    )
  if ((willRun.length === 0) !== (trace.length === 0))
    differ(
      'will_run empty',
      trace,
      willRun.map(({ node }) => node),
    )
  const running = new Set(willRun.map(({ node }) => node))
  const repeated = saved.filter(({ node }) => node !== null && !running.has(node) && trace.includes(node))
  if (repeated.length > 0)
    differ(
      'saved in the trace',
      trace,
      repeated.map(({ node }) => node ?? ''),
    )
  return found
}

function inTrace(trace: readonly string[], node: string, args: unknown): boolean {
  if (trace.includes(node)) return true
  if (node.startsWith('__error_handler__')) return trace.includes('handler')
  const text = JSON.stringify(args ?? null)
  return trace.some(
    entry =>
      (entry.startsWith('tool:') && text.includes(JSON.stringify(entry.slice('tool:'.length)))) ||
      (entry.startsWith(node) &&
        /^\d+$/.test(entry.slice(node.length)) &&
        text.includes(entry.slice(node.length))),
  )
}

interface Dump {
  readonly rows: PostgresRows
  readonly getState: {
    readonly next: readonly string[]
    readonly tasks: readonly {
      readonly id: string
      readonly error?: unknown
      readonly interrupts: readonly { readonly id: string }[]
    }[]
  }
}

async function compareDumps(folder: string, names: readonly string[]): Promise<void> {
  const server = await startPostgres()
  try {
    for (const file of names) {
      const { rows, getState }: Dump = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const url = await server.createDatabase()
      await fillPostgres(url, 'dump', rows)
      const [thread] = (await readCheckpoint(addressOf(url, 'dump'))).threads
      const seen = [...(thread?.will_run ?? []), ...(thread?.saved ?? [])].map(({ task_id }) => task_id ?? '')
      const errors = getState.tasks.filter(({ error }) => error !== undefined && error !== null)
      const asked = getState.tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id))
      for (const [what, expected, got] of [
        ['next', getState.next, thread?.get_state_next ?? []],
        ['tasks', getState.tasks.map(({ id }) => id).sort(), seen.sort()],
        ['errors', errors.map(({ id }) => id), (thread?.errors ?? []).map(({ task_id }) => task_id)],
        ['questions', asked, (thread?.interrupts ?? []).map(({ id }) => id ?? '')],
      ] as const) {
        console.log(`${file}\t${what}\t${expected.join(' ')}\t${got.join(' ')}`)
        if (expected.join() !== got.join())
          differences.push({ file, what, expected: expected.join(' '), got: got.join(' ') })
      }
      compared++
    }
  } finally {
    await server.remove()
  }
}
