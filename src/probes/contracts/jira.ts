import { MINUTE, type ServiceContract } from './contract.js'

export const jiraIssues: ServiceContract = {
  title: 'an issue of Jira Cloud',
  version: 1,
  parameters: {
    api: { means: 'the site: https://acme.atlassian.net' },
    authorization: { means: 'the header: Basic and mail:token in base64', default: 'Basic {env.JIRA_BASIC}' },
  },
  effect: 'mitigable',
  repeat: { kind: 'none' },
  arrival_ms: 15 * MINUTE,
  ids: [{ kind: 'jira_issue', path: 'id', url: 'self' }],
  marker: 'a label that is the operation id',
  look_here: { url: '{with.api}/issues/?jql=labels%20%3D%20%22{operation_id}%22' },
  probes: [
    {
      kind: 'http',
      grade: 'D',
      url: '{with.api}/rest/api/3/search/jql?jql=labels%20%3D%20%22{operation_id}%22&fields=labels,summary&maxResults=100',
      point: '{with.api}/rest/api/3/issue/{found}?fields=labels,summary',
      headers: { authorization: '{with.authorization}' },
      items: 'issues',
      next: { param: 'nextPageToken', value: 'nextPageToken' },
      match: { operation_id: { path: 'fields.labels', marker: '{operation_id}' } },
      id: { kind: 'jira_issue', value: 'id', url: 'self' },
      result: '{id: id, key: key}',
    },
  ],
  answers: [
    'The search lags by seconds to minutes, and reads its own writes only for issues one knows already: it never proves absence. A person decides.',
    'What it finds is read again by its id.',
  ],
  sources: [
    { url: 'https://developer.atlassian.com/cloud/jira/platform/search-and-reconcile/', read: '2026-11' },
    { url: 'https://jira.atlassian.com/browse/JRACLOUD-96208', read: '2026-11' },
  ],
}
