import type { RemoteReading } from '../../core/probe.js'
import { MINUTE, type ServiceContract } from './contract.js'

const A2A: RemoteReading = {
  state: 'result.status.state',
  says: 'result.status.timestamp',
  // Both spellings: before 1.0, and of 1.0.
  working: ['submitted', 'working', 'TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'],
  input_needed: ['input-required', 'auth-required', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'],
  completed: ['completed', 'TASK_STATE_COMPLETED'],
  failed: ['failed', 'rejected', 'TASK_STATE_FAILED', 'TASK_STATE_REJECTED'],
  cancelled: ['canceled', 'TASK_STATE_CANCELED'],
  artifact: 'result.artifacts[?final || lastChunk || metadata.final].artifactId | [0]',
  // TaskNotFoundError
  not_found: 'error.code == `-32001`',
}

const ANSWERS = [
  'Working: look again. Input needed: the task waits for an answer. Completed: done, with its result.',
  'Failed and cancelled say nothing of what was done before: declare remote: with left_nothing where nothing is.',
  'Not found is no absence: records expire while the work goes on. An id of another session is not asked for.',
  'A task whose id was lost with the answer cannot be asked for: a person looks.',
]

export const a2aTasks: ServiceContract = {
  title: 'a task of an A2A agent',
  version: 1,
  parameters: {
    url: { means: 'the address of the agent, JSON-RPC' },
    task: { means: 'id of the task', default: '{external_id.a2a_task}' },
    method: { means: 'GetTask for version 1.0 of the protocol', default: 'tasks/get' },
    a2a_version: { means: 'version of the protocol, as its header has it', default: '' },
    authorization: { means: 'the header: Bearer {env.NAME}', default: '' },
    scope: { means: 'tenant or session in which the task was made', default: '' },
  },
  effect: 'irreversible',
  repeat: { kind: 'none' },
  arrival_ms: 15 * MINUTE,
  ids: [
    { kind: 'a2a_task', path: 'result.task.id' },
    { kind: 'a2a_task', path: 'result.id' },
    { kind: 'a2a_task', path: 'task.id' },
  ],
  marker: 'none: the id of the task, named with context.externalId as soon as it is known',
  look_here: { url: '{with.url}' },
  probes: [
    {
      kind: 'http',
      grade: 'B',
      scope: '{with.scope}',
      url: '{with.url}',
      headers: { authorization: '{with.authorization}', 'a2a-version': '{with.a2a_version}' },
      post: { jsonrpc: '2.0', id: 'agent-ledger', method: '{with.method}', params: { id: '{with.task}' } },
      error: 'error && error.code != `-32001`',
      none_on: [],
      remote: A2A,
      result: 'result.{id: id, artifacts: artifacts}',
    },
  ],
  answers: [
    ...ANSWERS,
    'A final artifact beside a state that says otherwise is a contradiction: both are shown (kagent-dev/kagent#2447).',
  ],
  sources: [
    { url: 'https://a2a-protocol.org/latest/definitions/', read: '2026-11' },
    { url: 'https://github.com/kagent-dev/kagent/issues/2447', read: '2026-11' },
  ],
}

export const mcpTasks: ServiceContract = {
  ...a2aTasks,
  title: 'a task of an MCP server',
  parameters: {
    url: { means: 'the address of the server, Streamable HTTP' },
    task: { means: 'id of the task', default: '{external_id.mcp_task}' },
    session: {
      means: 'the session in which the task was made; where the server has none, leave it out',
      default: '',
    },
    protocol: { means: 'version of the protocol', default: '2025-11-25' },
    authorization: { means: 'the header: Bearer {env.NAME}', default: '' },
  },
  ids: [
    { kind: 'mcp_task', path: 'task.taskId' },
    { kind: 'mcp_task', path: 'result.task.taskId' },
    { kind: 'mcp_task', path: 'taskId' },
  ],
  probes: [
    {
      kind: 'http',
      grade: 'B',
      scope: '{with.session}',
      url: '{with.url}',
      headers: {
        accept: 'application/json, text/event-stream',
        authorization: '{with.authorization}',
        'mcp-session-id': '{with.session}',
        'mcp-protocol-version': '{with.protocol}',
      },
      post: { jsonrpc: '2.0', id: 'agent-ledger', method: 'tasks/get', params: { taskId: '{with.task}' } },
      error: 'error && error.code != `-32602`',
      // 404 says that the session is gone, which says nothing of the task.
      none_on: [],
      remote: {
        state: 'result.status',
        says: 'result.statusMessage',
        working: ['working'],
        input_needed: ['input_required'],
        completed: ['completed'],
        failed: ['failed'],
        cancelled: ['cancelled'],
        not_found: 'error.code == `-32602`',
      },
      disagrees: [
        {
          when: "result.status=='completed' && result.result.isError",
          says: 'its status is completed, and its result says isError',
        },
      ],
      result: 'result.{taskId: taskId, result: result}',
    },
  ],
  answers: [
    ...ANSWERS,
    'A record lives for its ttl from creation on, often five minutes; a longer task cannot be asked for afterwards, and works on.',
    'completed with isError in its result: the evidence disagrees, a person decides.',
  ],
  sources: [
    { url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks', read: null },
    {
      url: 'https://csharp.sdk.modelcontextprotocol.io/api/ModelContextProtocol.Extensions.Tasks.McpTaskStatus.html',
      read: '2026-11',
    },
    { url: 'https://github.com/PrefectHQ/fastmcp/issues/3758', read: '2026-11' },
  ],
}
