import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { CheckpointDocument } from '../../../src/core/checkpoint.js'
import { checkpointDocumentSchema } from '../../../src/core/checkpoint-schema.js'

/** What the real library answered and did, written by the scripts in fixtures/langgraph. */
export interface Expected {
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
  /** it cannot be read at all, with these words */
  readonly refused?: string
  /** what a person must be told, decided by hand */
  readonly notes: {
    readonly warnings?: readonly string[]
    readonly interrupts?: readonly string[]
    readonly enclosing?: readonly string[]
    readonly advice?: string
    /** node → its name in the trace */
    readonly names?: Readonly<Record<string, string>>
    /** `empty`: the library finds no checkpoint; `unreadable`: nobody else can read it */
    readonly get_state?: 'empty' | 'unreadable'
    /** the library has the key, and nobody else */
    readonly errors?: 'unreadable'
    /** id of a tool call → what its record proves */
    readonly operations?: Readonly<Record<string, string>>
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

export const FIXTURES = join(import.meta.dirname, '../../../fixtures/langgraph')

/** The cases that are stored in a file of this name and can be read. */
export function casesWith(file: string): string[] {
  return cases(file).filter(name => expectedOf(name).refused === undefined)
}

/** Those that cannot. */
export function refusedCasesWith(file: string): string[] {
  return cases(file).filter(name => expectedOf(name).refused !== undefined)
}

function cases(file: string): string[] {
  return readdirSync(FIXTURES, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && readdirSync(join(FIXTURES, entry.name)).includes(file))
    .map(({ name }) => name)
}

export function expectedOf(name: string): Expected {
  return JSON.parse(readFileSync(join(FIXTURES, name, 'expected.json'), 'utf8'))
}

/** Whether what is read of a real store is what the library itself says of it. */
export function itIsReadRight(expected: Expected, readDocument: () => Promise<CheckpointDocument>): void {
  const { get_state, resume, notes } = expected
  const read = async () => {
    const document = await readDocument()
    checkpointDocumentSchema.parse(document)
    return { document, thread: document.threads[0] }
  }

  it('says what getState says', async () => {
    const { document, thread } = await read()
    if (get_state.checkpoint_id === null && notes.get_state === undefined)
      return expect(document.threads).toEqual([])
    expect(thread?.thread_id).toBe(expected.thread_id)
    if (notes.get_state === undefined) {
      expect(document.language).toBe(expected.language)
      expect(thread?.step).toBe(get_state.step)
      // The order of keys in a jsonb column is PostgreSQL's own.
      const sorted = document.saver === 'sqlite' ? (names: readonly string[]) => names : sort
      expect(sorted(thread?.get_state_next ?? [])).toEqual(sorted(get_state.next))
    } else expect(thread?.will_run).toEqual([])
    if (notes.get_state !== 'empty') expect(thread?.checkpoint_id).toBe(get_state.checkpoint_id)
  })

  // of a store that was made unreadable there is no answer to compare with
  const whereAsked = notes.get_state === undefined ? it : () => {}
  whereAsked('knows the tasks, errors and questions of getState by their ids', async () => {
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
      if (task.error !== null && notes.errors === undefined)
        expect(thread?.errors).toContainEqual(expect.objectContaining({ task_id: task.id, text: task.error }))
      for (const id of task.interrupts)
        expect(thread?.interrupts.map(interrupt => interrupt.id)).toContain(id)
    }
  })

  whereAsked('runs on a resume what really ran first', async () => {
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
    if (notes.interrupts)
      expect(sort(thread?.interrupts.map(({ state }) => state) ?? [])).toEqual(sort(notes.interrupts))
    if (notes.enclosing) expect(thread?.enclosing.map(({ node }) => node)).toEqual(notes.enclosing)
    if (notes.advice) expect(thread?.advice.action).toBe(notes.advice)
  })
}

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
  'tool_calls_repeat',
])

function sort(names: readonly string[]): string[] {
  return [...names].sort()
}

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
