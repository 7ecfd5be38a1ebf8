import { createHash } from 'node:crypto'

/** XXH3-128 of the bytes, 32 lower-case hex digits. */
export type Xxh128 = (data: Uint8Array) => string

let loading: Promise<Xxh128> | undefined

/** Loads the WebAssembly of hash-wasm, once. The hasher is used from start to end without a pause, so it can be shared. */
export function loadXxh128(): Promise<Xxh128> {
  loading ??= import('hash-wasm').then(async ({ createXXHash128 }) => {
    const hasher = await createXXHash128()
    return data => hasher.init().update(data).digest('hex')
  })
  return loading
}

/** What the ids of one superstep have in common. */
export interface Superstep {
  readonly language: 'javascript' | 'python'
  /** layout of the checkpoint: Python version 1 hashed with SHA-1 */
  readonly v: number
  readonly checkpointId: string
  /** namespace of the graph the nodes belong to, `''` for the outermost */
  readonly namespace: string
  /** the step the tasks run in: one more than the checkpoint's own */
  readonly step: number
  readonly xxh128: Xxh128
}

// The rules of @langchain/langgraph 1.7.3 (pregel/algo.ts) and langgraph 1.1.10 to 1.2.24 (pregel/_algo.py). A task id is
// a hash of where and why the task runs, so the same checkpoint gives the same ids on every run.

/** A node that an edge starts. JavaScript hashes the first fresh trigger, Python all triggers of the node, sorted. */
export function pullTaskId(at: Superstep, node: string, triggers: readonly string[]): string {
  return at.language === 'javascript'
    ? uuid5(at, [path(at, node), String(at.step), node, '__pregel_pull', triggers])
    : joined(at, [path(at, node), String(at.step), node, '__pregel_pull', ...[...triggers].sort(byCodePoint)])
}

/** The n-th Send of `__pregel_tasks`. */
export function pushTaskId(at: Superstep, node: string, index: number): string {
  const parts = [path(at, node), String(at.step), node, '__pregel_push', String(index)]
  return at.language === 'javascript' ? uuid5(at, parts) : joined(at, parts)
}

/**
 * What runs in place of a node that failed and has an error handler. It is made with the configuration of the failed task,
 * so it lies inside that task's namespace.
 */
export function errorHandlerTaskId(at: Superstep, node: string, failedTaskId: string): string {
  const handler = errorHandlerOf(node)
  const inside = { ...at, namespace: taskNamespace(at.namespace, node, failedTaskId) }
  const parts = [
    path(inside, handler),
    String(at.step),
    handler,
    '__pregel_push',
    'node_error_handler',
    failedTaskId,
  ]
  return at.language === 'javascript' ? uuid5(at, parts) : joined(at, parts)
}

export function errorHandlerOf(node: string): string {
  return `__error_handler__${node}`
}

/** The n-th `@task` that a functional entrypoint calls. */
export function callTaskId(
  at: Superstep,
  call: { readonly entry: string; readonly entryTaskId: string; readonly task: string; readonly n: number },
): string {
  const place = `${path(at, call.entry)}:${call.entryTaskId}|${call.task}`
  const parts = [place, String(at.step), call.task, '__pregel_push']
  return at.language === 'javascript'
    ? uuid5(at, [...parts, ['__pregel_pull', call.entry], call.n])
    : joined(at, [...parts, `~__pregel_pull, ${call.entry}`, String(call.n)])
}

/** The id under which `updateState` stores what a person wrote; the same in both languages. */
export function updateStateTaskId(checkpointId: string): string {
  return sha1Uuid(checkpointId, '__interrupt__')
}

/**
 * The id of a question: the namespace of its task, and from the second question of a task on how many were answered
 * before it (JavaScript 1.x; Python from 1.2.20 on, before that every question of a task had the first id).
 */
export function interruptId(xxh128: Xxh128, taskNamespace: string, answered: number): string {
  return xxh128(Buffer.from(answered === 0 ? taskNamespace : `${taskNamespace}|${answered}`, 'utf8'))
}

/** What a node sees as `langgraph_checkpoint_ns`. */
export function taskNamespace(namespace: string, node: string, taskId: string): string {
  return `${namespace === '' ? '' : `${namespace}|`}${node}:${taskId}`
}

function path({ namespace }: Superstep, node: string): string {
  return namespace === '' ? node : `${namespace}|${node}`
}

function uuid5({ checkpointId }: Superstep, parts: readonly unknown[]): string {
  return sha1Uuid(checkpointId, JSON.stringify(parts))
}

// RFC 9562, section 5.5.
function sha1Uuid(namespace: string, name: string): string {
  const digest = createHash('sha1').update(bytesOf(namespace)).update(name, 'utf8').digest()
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80
  return dashed(digest.toString('hex'))
}

function joined({ checkpointId, v, xxh128 }: Superstep, parts: readonly string[]): string {
  const data = Buffer.concat([bytesOf(checkpointId), Buffer.from(parts.join(''), 'utf8')])
  return dashed(v > 1 ? xxh128(data) : createHash('sha1').update(data).digest('hex'))
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function dashed(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

// Python sorts by code point, JavaScript's sort() by UTF-16 unit.
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'))
}
