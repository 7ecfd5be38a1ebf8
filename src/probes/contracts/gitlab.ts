import { HIDDEN_MARK, MINUTE, type ServiceContract } from './contract.js'

export const gitlabNotes: ServiceContract = {
  title: 'a note on an issue or a merge request of GitLab',
  version: 1,
  parameters: {
    project: { means: 'id of the project, or its path with %2F', default: '{input.project_id}' },
    on: { means: 'issues or merge_requests', default: 'issues' },
    iid: { means: 'number of the issue or merge request', default: '{input.iid}' },
    api: { means: 'where the API is', default: 'https://gitlab.com/api/v4' },
    token: { means: 'environment variable with the token', default: 'GITLAB_TOKEN' },
    marker: { means: 'what stands in the text', default: HIDDEN_MARK },
    author: { means: 'username of whoever writes; marked and by somebody else is a candidate', default: '' },
  },
  effect: 'mitigable',
  repeat: { kind: 'none' },
  arrival_ms: 15 * MINUTE,
  ids: [
    { kind: 'gitlab_note', path: 'id' },
    { kind: 'gitlab_note', path: 'data.id' },
  ],
  marker: `in its body: ${HIDDEN_MARK}`,
  look_here: {
    check: 'glab api projects/{with.project}/{with.on}/{with.iid}/notes --paginate',
  },
  probes: [
    {
      kind: 'http',
      grade: 'C',
      settle_ms: 15 * MINUTE,
      url: '{with.api}/projects/{with.project}/{with.on}/{with.iid}/notes?sort=asc&order_by=created_at&per_page=100',
      parent: '{with.api}/projects/{with.project}/{with.on}/{with.iid}',
      headers: { 'private-token': '{env.{with.token}}' },
      next: 'link',
      match: {
        operation_id: { path: 'body', marker: '{with.marker}' },
        by: { path: 'author.username', equals: '{with.author}' },
        attributes: { "!(contains(body || '', 'agent-ledger:')) && body": '{input.body}' },
      },
      id: { kind: 'gitlab_note', value: 'id' },
      result: '{id: id}',
    },
  ],
  answers: [
    'A note may exist though its POST was answered with 5xx: the client library offers to retry idempotent requests alone for that.',
    'What may not be seen is answered with 404: the issue is read with the same token first.',
    'Internal notes show only to those who may read them: the token has to be the writer’s.',
  ],
  sources: [
    { url: 'https://docs.gitlab.com/api/notes/', read: null },
    { url: 'https://gitlab.com/gitlab-org/api/client-go/-/merge_requests/2945', read: '2026-11' },
  ],
}
