import type { MatchBy } from '../../core/probe.js'
import { HIDDEN_MARK, MINUTE, type Parameter, type ServiceContract } from './contract.js'

// A list was seen to lag about eight minutes behind once (judell/bram#254); search lags for hours and is never asked.
const LIST_SETTLE_MS = 15 * MINUTE
const ARRIVAL_MS = 15 * MINUTE

const LIST = 'https://docs.github.com/en/rest/issues/issues#list-repository-issues'
const LIMITS = 'https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api'

const COMMON = {
  repo: { means: 'the repository, owner/name', default: '{+input.repo}' },
  api: {
    means: 'where the API is; of GitHub Enterprise: https://host/api/v3',
    default: 'https://api.github.com',
  },
  web: { means: 'where people look', default: 'https://github.com' },
  token: { means: 'environment variable with the token', default: 'GITHUB_TOKEN' },
} as const satisfies Record<string, Parameter>

const MARKED = {
  ...COMMON,
  marker: { means: 'what stands in the text', default: HIDDEN_MARK },
  author: {
    means: 'login of whoever writes; what carries the mark and is by somebody else is a candidate',
    default: '',
  },
} as const satisfies Record<string, Parameter>

/** What carries the mark of another operation is that one's, however alike. */
const UNMARKED = "!(contains(body || '', 'agent-ledger:'))"

const READ = {
  kind: 'http',
  headers: {
    authorization: 'Bearer {env.{with.token}}',
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  },
} as const

const marked = (by: string, alike: MatchBy['attributes']): MatchBy => ({
  operation_id: { path: 'body', marker: '{with.marker}' },
  by: { path: by, equals: '{with.author}' },
  // Alike and without any mark: perhaps ours, made by a program that sets none.
  attributes: alike,
})

const LISTED = { grade: 'C', next: 'link', settle_ms: LIST_SETTLE_MS } as const

const COMMON_ANSWERS = [
  'A 5xx is no refusal: a comment was posted behind a 500 (probot/probot#921).',
  'What may not be seen is answered with 404: the repository is read with the same token first.',
  '403 and 429 with x-ratelimit-remaining: 0 or Retry-After say to wait; the ledger waits.',
]

export const githubIssues: ServiceContract = {
  title: 'an issue of GitHub',
  version: 1,
  parameters: MARKED,
  effect: 'mitigable',
  repeat: { kind: 'none' },
  arrival_ms: ARRIVAL_MS,
  ids: [
    { kind: 'github_issue', path: 'html_url', url: 'html_url' },
    { kind: 'github_issue', path: 'data.html_url', url: 'data.html_url' },
  ],
  marker: `in its body: ${HIDDEN_MARK}`,
  look_here: {
    url: '{with.web}/{with.repo}/issues?q=is%3Aissue+sort%3Acreated-desc',
    check: `gh issue list --repo {with.repo} --state all --limit 200 --json url,body --jq '.[] | select(.body | contains("{operation_id}")) | .url'`,
  },
  probes: [
    {
      ...READ,
      ...LISTED,
      match: marked('user.login', { [`${UNMARKED} && title`]: '{input.title}' }),
      url: '{with.api}/repos/{with.repo}/issues?state=all&sort=created&direction=asc&per_page=100&since={since}',
      parent: '{with.api}/repos/{with.repo}',
      // Pull requests stand in the same list.
      items: '[?!pull_request]',
      id: { kind: 'github_issue', value: 'html_url', url: 'html_url' },
      result: '{number: number, url: html_url, node_id: node_id}',
    },
  ],
  answers: [
    ...COMMON_ANSWERS,
    'An issue that somebody deleted or moved to another repository before the look is not in the list.',
  ],
  sources: [
    { url: LIST, read: null },
    { url: LIMITS, read: '2026-11' },
    { url: 'https://github.com/cli/cli/issues/7764', read: '2026-11' },
    { url: 'https://github.com/judell/bram/issues/254', read: '2026-11' },
  ],
}

export const githubComments: ServiceContract = {
  ...githubIssues,
  title: 'a comment on an issue or a pull request of GitHub',
  parameters: { ...MARKED, issue: { means: 'number of the issue', default: '{input.issue_number}' } },
  ids: [
    { kind: 'github_comment', path: 'html_url', url: 'html_url' },
    { kind: 'github_comment', path: 'data.html_url', url: 'data.html_url' },
  ],
  look_here: {
    url: '{with.web}/{with.repo}/issues/{with.issue}',
    check: `gh api repos/{with.repo}/issues/{with.issue}/comments --paginate --jq '.[] | select(.body | contains("{operation_id}")) | .html_url'`,
  },
  probes: [
    {
      ...READ,
      ...LISTED,
      match: marked('user.login', { [`${UNMARKED} && body`]: '{input.body}' }),
      url: '{with.api}/repos/{with.repo}/issues/{with.issue}/comments?per_page=100&since={since}',
      parent: '{with.api}/repos/{with.repo}/issues/{with.issue}',
      id: { kind: 'github_comment', value: 'html_url', url: 'html_url' },
      result: '{id: id, url: html_url, node_id: node_id}',
    },
  ],
  answers: [
    ...COMMON_ANSWERS,
    'Comments come oldest first: the list is read to its last page, or nothing is concluded (Tracer-Cloud/opensre#5269).',
  ],
  sources: [
    { url: 'https://docs.github.com/en/rest/issues/comments#list-issue-comments', read: null },
    { url: LIMITS, read: '2026-11' },
    { url: 'https://github.com/probot/probot/issues/921', read: '2026-11' },
    { url: 'https://github.com/Tracer-Cloud/opensre/pull/5269', read: '2026-11' },
  ],
}

export const githubReleases: ServiceContract = {
  ...githubIssues,
  title: 'a release of GitHub',
  parameters: { ...MARKED, tag: { means: 'the tag', default: '{input.tag_name}' } },
  repeat: { kind: 'none' },
  ids: [
    { kind: 'github_release', path: 'node_id', url: 'html_url' },
    { kind: 'github_release', path: 'data.node_id', url: 'data.html_url' },
  ],
  look_here: {
    url: '{with.web}/{with.repo}/releases',
    check: 'gh release view {with.tag} --repo {with.repo}',
  },
  probes: [
    {
      ...READ,
      ...LISTED,
      match: marked('author.login', { tag_name: '{with.tag}' }),
      url: '{with.api}/repos/{with.repo}/releases?per_page=100',
      parent: '{with.api}/repos/{with.repo}',
      // Drafts are listed for those alone who may push.
      readable: 'permissions.push',
      id: { kind: 'github_release', value: 'node_id', url: 'html_url' },
      result: '{id: id, url: html_url, upload_url: upload_url}',
    },
  ],
  answers: [
    ...COMMON_ANSWERS,
    'A release of the same tag without the mark is somebody else’s, or was made by hand: a person compares.',
    'Drafts show only to those who may push: without that leave nothing is ever absent.',
    'A repeat for a published tag is refused with 422 already_exists, for a draft it makes a second one.',
  ],
  sources: [
    { url: 'https://docs.github.com/en/rest/releases/releases#list-releases', read: null },
    { url: LIMITS, read: '2026-11' },
  ],
}

export const githubRefs: ServiceContract = {
  ...githubIssues,
  title: 'a branch or tag of GitHub',
  parameters: {
    ...COMMON,
    ref: { means: 'the ref without refs/: heads/main', default: '{+input.ref}' },
    sha: { means: 'the object it was to point to', default: '{input.sha}' },
  },
  effect: 'compensable',
  repeat: { kind: 'conditional', names: 'reusable' },
  ids: [
    { kind: 'github_ref', path: 'url', url: 'url' },
    { kind: 'github_ref', path: 'data.url', url: 'data.url' },
  ],
  marker: 'none: its name and its object tell',
  look_here: {
    url: '{with.web}/{with.repo}/branches/all',
    check: 'gh api repos/{with.repo}/git/ref/{with.ref}',
  },
  probes: [
    {
      ...READ,
      grade: 'B',
      settle_ms: MINUTE,
      url: '{with.api}/repos/{with.repo}/git/ref/{with.ref}',
      parent: '{with.api}/repos/{with.repo}',
      match: { digest: { path: 'object.sha', equals: '{with.sha}' } },
      id: { kind: 'github_ref', value: 'url', url: 'url' },
      result: '{ref: ref, sha: object.sha}',
    },
  ],
  answers: [
    ...COMMON_ANSWERS,
    'The ref at our object is our write. At another it is somebody else’s, or has moved on from ours: a person compares, or git.push asks whether it contains the commit.',
    'A repeat is refused with 422 while the name is taken.',
  ],
  sources: [
    { url: 'https://docs.github.com/en/rest/git/refs#get-a-reference', read: null },
    { url: LIMITS, read: '2026-11' },
  ],
}
