import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkpointDocumentSchema } from '../../../src/core/checkpoint-schema.js'
import { readCheckpoint } from '../../../src/sources/index.js'
import { folderState } from '../folder-state.js'

/** What the real library answered and did, written by the scripts in fixtures/langgraph. */
interface Expected {
  readonly language: string
  readonly thread_id: string
  /** names of a functional graph, which stand only inside hashes */
  readonly names: readonly string[]
  readonly get_state: LibraryState
  readonly resume: {
    readonly trace: readonly string[]
    readonly error: string | null
    readonly next_after: string[]
  }
  /** what a person must be told, decided by hand */
  readonly notes: {
    readonly warnings?: readonly string[]
    readonly interrupts?: readonly string[]
    readonly enclosing?: readonly string[]
    readonly advice?: string
    /** node → its name in the trace */
    readonly names?: Readonly<Record<string, string>>
  }
}

interface LibraryState {
  readonly next: readonly string[]
  readonly checkpoint_id: string | null
  readonly step: number | null
  readonly tasks: readonly {
    readonly id: string
    readonly name: string
    readonly error: string | null
    readonly interrupts: readonly string[]
    readonly state?: LibraryState
  }[]
}

const root = join(import.meta.dirname, '../../../fixtures/langgraph')
const cases = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory())
const scratchDir = mkdtempSync(join(tmpdir(), 'fixtures-test-'))
afterAll(() => rmSync(scratchDir, { recursive: true }))

describe.each(cases.map(({ name }) => name))('the database %s', name => {
  const folder = join(root, name)
  const path = join(folder, 'checkpoints.sqlite')
  const expected: Expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  const { get_state, resume, notes } = expected
  const read = async () => {
    const document = await readCheckpoint(path, { nodeNames: expected.names, scratchDir })
    return { document, thread: document.threads[0] }
  }

  it('is read without changing a byte of it or leaving anything anywhere', async () => {
    const before = folderState(folder)
    checkpointDocumentSchema.parse((await read()).document)
    expect(folderState(folder)).toEqual(before)
    expect(readdirSync(scratchDir)).toEqual([])
  })

  it('says what getState says', async () => {
    const { document, thread } = await read()
    if (get_state.checkpoint_id === null) return expect(document.threads).toEqual([])
    expect(document.language).toBe(expected.language)
    expect(thread?.thread_id).toBe(expected.thread_id)
    expect(thread?.checkpoint_id).toBe(get_state.checkpoint_id)
    expect(thread?.step).toBe(get_state.step)
    expect(thread?.get_state_next).toEqual(get_state.next)
  })

  it('knows the tasks, errors and questions of getState by their ids', async () => {
    const { thread } = await read()
    const known = [...(thread?.will_run ?? []), ...(thread?.saved ?? [])].map(
      ({ node, task_id }) => `${node} ${task_id}`,
    )
    const around = (thread?.enclosing ?? []).map(
      ({ node, namespace }) => `${node} ${namespace.split(':').at(-1)}`,
    )
    for (const task of tasksOf(get_state)) {
      // A node that failed and has an error handler does not run again; the handler does.
      const handled = thread?.will_run.some(({ node }) => node === `__error_handler__${task.name}`)
      if (!handled) expect([...known, ...around]).toContain(`${task.name} ${task.id}`)
      if (task.error !== null)
        expect(thread?.errors).toContainEqual(expect.objectContaining({ task_id: task.id, text: task.error }))
      for (const id of task.interrupts)
        expect(thread?.interrupts.map(interrupt => interrupt.id)).toContain(id)
    }
  })

  it('runs on a resume what really ran first', async () => {
    const { thread } = await read()
    // A node that left no line and failed is in `next` after the resume.
    const ran = [...resume.trace, ...(resume.error === null ? [] : resume.next_after)]
    const willRun = (thread?.will_run ?? []).map(({ node, args }) => traceName({ node, args }, notes.names))
    for (const node of willRun) expect(ran).toContain(node)
    expect(willRun.length === 0).toBe(ran.filter(entry => entry !== 'router').length === 0)
    const repeated = (thread?.saved ?? []).filter(
      ({ node }) => node !== null && !willRun.includes(node) && resume.trace.includes(node),
    )
    expect(repeated).toEqual([])
  })

  it('tells a person what they must know', async () => {
    const { thread } = await read()
    const codes = thread?.warnings.map(({ code }) => code) ?? []
    for (const code of notes.warnings ?? []) expect(codes).toContain(code)
    expect(codes.filter(code => ALWAYS_EXPECTED.has(code) && !notes.warnings?.includes(code))).toEqual([])
    if (notes.interrupts) expect(thread?.interrupts.map(({ state }) => state)).toEqual(notes.interrupts)
    if (notes.enclosing) expect(thread?.enclosing.map(({ node }) => node)).toEqual(notes.enclosing)
    if (notes.advice) expect(thread?.advice.action).toBe(notes.advice)
  })
})

/** Warnings that must not appear where nothing in `notes` asks for them. */
const ALWAYS_EXPECTED = new Set([
  'next_is_not_done',
  'router_failed',
  'stale_error',
  'outcome_unknown',
  'answer_stored',
  'several_questions',
  'shared_interrupt_id',
  'work_discarded',
  'forked',
  'steps_not_stored',
  'checkpoint_lost',
  'unmatched_writes',
  'handler_runs_again',
  'value_unreadable',
  'checkpoint_unreadable',
  'checkpoint_missing',
  'output_overwritten',
  'bytes_changed_on_resume',
  'old_layout',
  'separate_subgraph_state',
  'unclean_close',
  'file_in_use',
])

function tasksOf(state: LibraryState): LibraryState['tasks'] {
  return state.tasks.flatMap(task => [task, ...(task.state ? tasksOf(task.state) : [])])
}

/** Traces name a Send worker by its argument, a tool by its name. */
function traceName(
  run: { node: string; args?: unknown },
  names: Readonly<Record<string, string>> = {},
): string {
  const args = run.args
  if (typeof args === 'object' && args !== null) {
    if ('i' in args) return `${run.node}${args.i}`
    if ('name' in args) return `tool:${args.name}`
  }
  return names[run.node] ?? run.node
}
