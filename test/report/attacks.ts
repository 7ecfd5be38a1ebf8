import fc from 'fast-check'
import type { TakeoverInput } from '../../src/report/takeover/input.js'
import { NOON } from '../core/builders.js'
import { record } from './record.js'

/** Text that an attacker would put where an agent, a tool or a service is quoted. */
export const ATTACKS = [
  '\u001b[2J\u001b[1;1HRESOLVED',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  'a\u009b31mb',
  'inv\u202Exslx.exe',
  'one\r\ntwo\n# three\n- four',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![x](https://evil.example/p.png)',
  '[click](javascript:alert(1))',
  'https://evil.example www.evil.example a@evil.example @all #1',
  '`` ` ``` ~~~ \\` &lt; &#x3c;',
  '| a | b |\n|---|---|',
  '1. 2) + - * ___ === ---',
  '**bold** _it_ ~~gone~~ <https://evil.example>',
  '   four spaces in front',
  '\u0000\u0008\u007f\u200b\ufeff\u{e0041}\ud800',
  "=cmd|' /C calc'!A0",
]

export const hostile = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc
    .array(fc.constantFrom(...ATTACKS, ' ', 'word', '*', '`', '<', '[', '\n'), { maxLength: 6 })
    .map(all => all.join('')),
  fc.string({ unit: 'binary' }),
)

/** Every text of a record that comes from outside, replaced. */
export function attacked(text: string): TakeoverInput {
  const id = text === '' ? 'x' : text
  const ids = [{ kind: id, value: id, url: id, scope: id }]
  const intent = {
    phase: text,
    step: text,
    target: text,
    compensates: text,
    contract: { look_here: { url: text, check: text }, approval: 'required' as const },
  }
  const base = record({
    task: {
      task_id: id,
      goal: text,
      status_reason: text,
      agent: text,
      workspace: text,
      links: [text],
      labels: { [text]: text },
      taken_over_by: text,
      taken_over_at: NOON,
      parent_task_id: text,
      thread: { source: text, uri: text, thread_id: text },
    },
    told: (
      [
        'prepared',
        'in_flight',
        'confirmed',
        'not_executed',
        'unknown',
        'confirmed_by_hand',
        'abandoned',
      ] as const
    ).map((becomes, at) => ({
      id: `${id}-${at}`,
      tool: id,
      at,
      becomes,
      by: id,
      error: text,
      ids,
      intent: {},
    })),
    claimed_by: text,
    notes: [{ note_id: 1, kind: 'finding', operation_id: id, body: { [text]: text }, at: NOON, actor: id }],
    warnings: [{ code: 'x', message: text }],
    checkpoint: {
      source: text,
      language: 'javascript',
      saver: text,
      uri: text,
      thread: {
        thread_id: text,
        checkpoint_id: text,
        step: 1,
        ts: text,
        get_state_next: [text],
        will_run: [{ node: text, task_id: text, namespace: text, reason: 'not_finished' }],
        enclosing: [],
        saved: [{ node: text, task_id: text }],
        interrupts: [{ id: text, node: text, value: text, state: 'open' }],
        errors: [{ node: text, task_id: text, text }],
        warnings: [{ code: 'x', message: text }],
        replay_risk: [{ operation_id: id, node: text, status: 'confirmed', why: text }],
        advice: { action: 'change_first', reasons: [text] },
      },
    },
  })
  const views = base.views.map(view => ({
    ...view,
    operation: { ...view.operation, ...intent, flags: { target_differs: text, accepted_duplicate: text } },
    claim: { actor: text, until: NOON },
  }))
  return { ...base, views }
}
