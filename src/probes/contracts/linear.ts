import { MINUTE, type ServiceContract } from './contract.js'

export const linearIssues: ServiceContract = {
  title: 'an issue of Linear',
  version: 1,
  parameters: {
    team: { means: 'id of the team', default: '{input.teamId}' },
    api: { means: 'where the API is', default: 'https://api.linear.app' },
    authorization: {
      means: 'the header: a key as it is, or Bearer and a token',
      default: '{env.LINEAR_API_KEY}',
    },
  },
  effect: 'mitigable',
  // The id is that of the row: a second issue with it is refused.
  repeat: { kind: 'conditional', names: 'permanent' },
  arrival_ms: 15 * MINUTE,
  ids: [
    { kind: 'linear_issue', path: 'data.issueCreate.issue.id', url: 'data.issueCreate.issue.url' },
    { kind: 'linear_issue', path: 'issueCreate.issue.id', url: 'issueCreate.issue.url' },
  ],
  marker: 'IssueCreateInput.id: a UUID of version 4, given as idempotencyKey of the operation',
  look_here: { url: 'https://linear.app/search?q={idempotency_key}' },
  probes: [
    {
      kind: 'http',
      grade: 'B',
      settle_ms: MINUTE,
      url: '{with.api}/graphql',
      headers: { authorization: '{with.authorization}' },
      post: {
        query:
          'query ($id: ID!, $team: String!) { team(id: $team) { id } issues(filter: {id: {eq: $id}}, includeArchived: true) { nodes { id identifier url title } } }',
        variables: { id: '{idempotency_key}', team: '{with.team}' },
      },
      error: 'errors',
      readable: 'data.team.id',
      items: 'data.issues.nodes',
      match: { key: { path: 'id' } },
      id: { kind: 'linear_issue', value: 'id', url: 'url' },
      result: '{id: id, identifier: identifier, url: url}',
    },
  ],
  answers: [
    'The issue with our id is ours. The team is read in the same question: without leave for it nothing is absent.',
    'An update has no precondition: declare another contract for it.',
  ],
  sources: [{ url: 'https://studio.apollographql.com/public/Linear-API/schema/reference', read: '2026-11' }],
}
