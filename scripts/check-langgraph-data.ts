import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckpointThread } from '../src/core/checkpoint.js'
import { readCheckpoint } from '../src/sources/index.js'

// Reads a folder of LangGraph databases, each with a JSON beside it that says what the real library answered, and
// prints where the reader differs. Not a part of the tests: the databases lie outside the project.
//   AGENT_LEDGER_DATA=<folder> npx tsx scripts/check-langgraph-data.ts
// A file <name>.sqlite has <name>.json: { getState: { next }, first: { trace }, resume_null: { trace } }. Traces name a
// Send worker by its argument (worker2), a tool tool:<name>, an error handler "handler", an effect <node>:effect. A node
// that left no line and failed shows in `next_after`.

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
console.table(differences)
console.log(`${files.length} files read, ${compared} compared, ${differences.length} differences`)
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
