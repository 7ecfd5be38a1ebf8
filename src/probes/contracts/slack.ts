import type { ServiceRule } from '../../core/classify/service-rule.js'
import { DAY, MINUTE, type Parameter, type ServiceContract } from './contract.js'

/** Errors of chat.postMessage that come before the message is taken in. */
const REFUSED = [
  'account_inactive',
  'as_user_not_supported',
  'cannot_reply_to_message',
  'channel_not_found',
  'invalid_auth',
  'invalid_arguments',
  'invalid_blocks',
  'is_archived',
  'missing_scope',
  'msg_too_long',
  'no_permission',
  'no_text',
  'not_authed',
  'not_in_channel',
  'restricted_action',
  'token_expired',
  'token_revoked',
  'too_many_attachments',
] as const

const CLASSIFY: readonly ServiceRule[] = [
  ...['ratelimited', 'rate_limited'].map(error => ({
    when: { body: { ok: false, error } },
    end: 'not_applied' as const,
    reason: 'Slack takes no more for now',
    retry: true,
  })),
  ...REFUSED.map(error => ({
    when: { body: { ok: false, error } },
    end: 'not_applied' as const,
    reason: 'Slack refused it before it took the message in',
  })),
  {
    when: { body: { ok: false } },
    end: 'ambiguous',
    reason: 'of fatal_error Slack says that parts may have succeeded, of the rest it says nothing',
  },
]

const PARAMETERS = {
  channel: { means: 'id of the channel', default: '{input.channel}' },
  api: { means: 'where the API is', default: 'https://slack.com/api' },
  token: { means: 'environment variable with the token', default: 'SLACK_BOT_TOKEN' },
} as const satisfies Record<string, Parameter>

const READ = {
  kind: 'http',
  grade: 'C',
  settle_ms: 15 * MINUTE,
  // A free workspace shows 90 days.
  keeps_ms: 90 * DAY,
  parent: '{with.api}/conversations.info?channel={with.channel}',
  readable: 'ok && (channel.is_member || channel.is_im)',
  headers: { authorization: 'Bearer {env.{with.token}}' },
  error: 'ok == `false`',
  items: 'messages',
  next: { param: 'cursor', value: 'response_metadata.next_cursor' },
  // It says that there is more without saying where.
  complete: '!has_more || response_metadata.next_cursor',
  match: {
    operation_id: { path: 'metadata.event_payload.operation_id' },
    attributes: { '!(metadata.event_payload.operation_id) && text': '{input.text}' },
  },
  id: { kind: 'slack_message', value: 'ts' },
  result: '{ts: ts}',
} as const

export const slackMessages: ServiceContract = {
  title: 'a message in a channel of Slack',
  version: 1,
  parameters: PARAMETERS,
  effect: 'mitigable',
  repeat: { kind: 'none' },
  arrival_ms: 15 * MINUTE,
  classify: CLASSIFY,
  ids: [{ kind: 'slack_message', path: 'ts' }],
  marker: 'metadata.event_payload.operation_id, with any event_type',
  look_here: { url: 'https://app.slack.com/client/T/{with.channel}' },
  probes: [
    {
      ...READ,
      url: '{with.api}/conversations.history?channel={with.channel}&oldest={since_unix}&limit=200&include_all_metadata=true',
    },
  ],
  answers: [
    'Errors come as 200 with ok: false. fatal_error says itself that parts may have succeeded.',
    'client_msg_id is no contract: nothing documents that it keeps a second message out.',
    'The official client sends again ten times within half an hour by itself: switch that off.',
    'A message that was deleted before the look is not in the history. Replies in threads are slack.replies.',
  ],
  sources: [
    { url: 'https://docs.slack.dev/reference/methods/chat.postMessage', read: '2026-11' },
    { url: 'https://docs.slack.dev/reference/methods/conversations.history', read: null },
  ],
}

export const slackReplies: ServiceContract = {
  ...slackMessages,
  title: 'a reply in a thread of Slack',
  parameters: { ...PARAMETERS, thread: { means: 'ts of the first message', default: '{input.thread_ts}' } },
  probes: [
    {
      ...READ,
      url: '{with.api}/conversations.replies?channel={with.channel}&ts={with.thread}&oldest={since_unix}&limit=200&include_all_metadata=true',
    },
  ],
  answers: slackMessages.answers.slice(0, 3),
  sources: [
    { url: 'https://docs.slack.dev/reference/methods/chat.postMessage', read: '2026-11' },
    { url: 'https://docs.slack.dev/reference/methods/conversations.replies', read: null },
  ],
}
