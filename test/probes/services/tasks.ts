import { type Answer, type Asked, type FakeOf, fakeOf } from './service.js'

interface TaskRecord {
  readonly state: string
  readonly timestamp?: string
  readonly artifacts?: readonly object[]
  readonly result?: object
  readonly createdAt: number
  readonly session: string
}

export interface TaskOptions {
  readonly now: () => number
  /** records live so long from creation on */
  readonly ttlMs?: number
  /** tasks on one page of tasks/list */
  readonly pageSize?: number
  /** answers come as an event stream with a notice before them */
  readonly isStreaming?: boolean
}

/** An A2A agent at /a2a and an MCP server at /mcp: JSON-RPC, sessions, records that expire. */
export interface FakeTasks extends FakeOf {
  set(id: string, task: Partial<TaskRecord>): void
  readonly sessions: Set<string>
}

export async function startTasks({
  now,
  ttlMs,
  pageSize = 50,
  isStreaming = false,
}: TaskOptions): Promise<FakeTasks> {
  const tasks = new Map<string, TaskRecord>()
  const sessions = new Set(['A'])
  const set: FakeTasks['set'] = (id, task) =>
    void tasks.set(id, { state: 'working', createdAt: now(), session: 'A', ...tasks.get(id), ...task })
  const fake = await fakeOf(answer)
  return { ...fake, set, sessions }

  function answer(asked: Asked): Answer {
    const { method, params, id } = Object(asked.body)
    if (asked.method !== 'POST' || asked.headers['content-type'] !== 'application/json')
      return { status: 405 }
    if (asked.url.pathname === '/a2a') {
      if (method !== 'tasks/get' && method !== 'GetTask') return said(id, { error: { code: -32601 } })
      const task = found(params.id)
      if (task === undefined) return said(id, { error: { code: -32001, message: 'Task not found' } })
      const { state, timestamp, artifacts } = task
      return said(id, { result: { id: params.id, status: { state, timestamp }, artifacts } })
    }
    const session = String(asked.headers['mcp-session-id'] ?? '')
    if (!sessions.has(session)) return { status: 404, body: { error: 'session not found' } }
    if (method === 'tasks/list') return said(id, { result: listed(session, params?.cursor) })
    if (method !== 'tasks/get') return said(id, { error: { code: -32601 } })
    const task = found(params.taskId)
    if (task === undefined || task.session !== session)
      return said(id, { error: { code: -32602, message: 'Failed to retrieve task: Task not found' } })
    const { state, result } = task
    return said(id, { result: { taskId: params.taskId, status: state, ttl: ttlMs ?? null, result } })
  }

  /** A page of the tasks of a session, and the cursor of the next one where there is more. */
  function listed(session: string, cursor: string | undefined): object {
    const own = [...tasks.keys()].filter(id => found(id)?.session === session)
    const from = cursor === undefined ? 0 : Number(cursor)
    const page = own.slice(from, from + pageSize)
    return {
      tasks: page.map(taskId => ({ taskId, status: tasks.get(taskId)?.state, ttl: ttlMs ?? null })),
      ...(from + pageSize < own.length ? { nextCursor: String(from + pageSize) } : {}),
    }
  }

  function found(id: string): TaskRecord | undefined {
    const task = tasks.get(id)
    return task === undefined || (ttlMs !== undefined && now() - task.createdAt >= ttlMs) ? undefined : task
  }

  function said(id: unknown, message: object): Answer {
    const body = { jsonrpc: '2.0', id, ...message }
    if (!isStreaming) return { status: 200, body }
    const notice = { jsonrpc: '2.0', method: 'notifications/message', params: {} }
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: `event: message\ndata: ${JSON.stringify(notice)}\n\nevent: message\ndata: ${JSON.stringify(body)}\n\n`,
    }
  }
}
