import { DAY, MINUTE, type ServiceContract } from './contract.js'

export const temporalWorkflow: ServiceContract = {
  title: 'a workflow of Temporal, to its end',
  version: 1,
  parameters: {
    api: { means: 'the HTTP API of the server' },
    namespace: { means: 'the namespace', default: 'default' },
    workflow: { means: 'the workflow id', default: '{operation_id}' },
    authorization: { means: 'the header: Bearer {env.NAME}', default: '' },
  },
  effect: 'irreversible',
  // By the policy for the reuse of ids a closed workflow may give its id free.
  repeat: { kind: 'conditional', names: 'reusable' },
  arrival_ms: 15 * MINUTE,
  ids: [{ kind: 'temporal_run', path: 'runId' }],
  marker: 'the workflow id is the operation id',
  look_here: {
    check: 'temporal workflow describe --workflow-id {with.workflow} --namespace {with.namespace}',
  },
  probes: [
    {
      kind: 'http',
      grade: 'B',
      scope: '{with.namespace}',
      // The least a namespace keeps what is closed; one that keeps longer concludes less than it could.
      keeps_ms: DAY,
      url: '{with.api}/api/v1/namespaces/{with.namespace}/workflows/{with.workflow}',
      parent: '{with.api}/api/v1/namespaces/{with.namespace}',
      headers: { authorization: '{with.authorization}' },
      remote: {
        state: 'workflowExecutionInfo.status',
        working: [
          'WORKFLOW_EXECUTION_STATUS_RUNNING',
          'WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW',
          'WORKFLOW_EXECUTION_STATUS_PAUSED',
        ],
        completed: ['WORKFLOW_EXECUTION_STATUS_COMPLETED'],
        failed: [
          'WORKFLOW_EXECUTION_STATUS_FAILED',
          'WORKFLOW_EXECUTION_STATUS_TERMINATED',
          'WORKFLOW_EXECUTION_STATUS_TIMED_OUT',
        ],
        cancelled: ['WORKFLOW_EXECUTION_STATUS_CANCELED'],
      },
      result: '{runId: workflowExecutionInfo.execution.runId}',
    },
  ],
  answers: [
    'Running: look again. Completed: done. Failed, terminated, timed out and cancelled say nothing of the activities that ran.',
    'Not found says nothing: a closed workflow is deleted after the retention of its namespace.',
  ],
  sources: [
    { url: 'https://docs.temporal.io/workflow-execution/workflowid-runid', read: null },
    {
      url: 'https://github.com/temporalio/api/blob/master/temporal/api/workflowservice/v1/request_response.proto',
      read: '2026-11',
    },
  ],
}
