import type { Repeat } from '../../../src/index.js'
import type { FaultRule, Mode } from '../../../src/testing/index.js'

/** A kind of service, and what is declared of it; what is declared is true, or less than the truth. */
export interface ServiceKind {
  readonly name: string
  readonly mode: Mode
  readonly repeat?: Repeat
}

const DAY = 24 * 3_600_000
const KEYED: Mode = { kind: 'keyed', retention_ms: DAY }

export const SERVICES: readonly ServiceKind[] = [
  { name: 'keyed', mode: KEYED, repeat: { kind: 'idempotency_key', retention_ms: DAY } },
  { name: 'keyed, called idempotent', mode: KEYED, repeat: { kind: 'idempotent' } },
  { name: 'keyed, undeclared', mode: KEYED },
  {
    name: 'conditional',
    mode: { kind: 'conditional' },
    repeat: { kind: 'conditional', names: 'permanent' },
  },
  { name: 'conditional, undeclared', mode: { kind: 'conditional' } },
  { name: 'plain', mode: { kind: 'plain' }, repeat: { kind: 'none' } },
  { name: 'plain, undeclared', mode: { kind: 'plain' } },
]

/** What goes wrong on the way, besides the kill. `isHeld`: something stays in the air until it is let go. */
export interface Trouble {
  readonly name: string
  readonly rules: (calls: readonly number[]) => readonly FaultRule[]
  readonly isHeld?: true
}

const UNAVAILABLE = { kind: 'answer', status: 503, body: { error: 'unavailable' } } as const

export const TROUBLES: readonly Trouble[] = [
  { name: 'nothing', rules: () => [] },
  {
    name: 'does it, drops the answer',
    rules: calls => [{ action: 'create', calls, fault: { kind: 'drop_response' } }],
  },
  {
    name: 'drops the request',
    rules: calls => [{ action: 'create', calls, fault: { kind: 'drop_request' } }],
  },
  {
    name: 'does it, half an answer',
    rules: calls => [{ action: 'create', calls, fault: { kind: 'cut_response' } }],
  },
  { name: 'delivers it twice', rules: calls => [{ action: 'create', calls, fault: { kind: 'duplicate' } }] },
  {
    name: 'holds the request past the deadline',
    rules: calls => [{ action: 'create', calls, fault: { kind: 'delay', stage: 'request' } }],
    isHeld: true,
  },
  {
    name: 'does it, says 503',
    rules: calls => [{ action: 'create', calls, fault: { ...UNAVAILABLE, stage: 'response' } }],
  },
  {
    name: 'does it, keeps saying 500',
    rules: calls => [
      {
        action: 'create',
        calls,
        fault: { kind: 'answer', stage: 'response', status: 500, remembered: true },
      },
    ],
  },
  {
    name: 'does nothing, says 503',
    rules: calls => [{ action: 'create', calls, fault: { ...UNAVAILABLE, stage: 'request' } }],
  },
  {
    name: 'does it, look-ups lag',
    rules: calls => [
      { action: 'create', calls, fault: { kind: 'drop_response' } },
      { action: 'get', fault: { kind: 'lag', ms: DAY } },
    ],
  },
]
