import type { Contract, Repeat } from '../../src/core/operation.js'
import type { Stamp } from '../../src/core/time.js'

/** What the modelled service offers, and whether its look-ups show an effect at once. */
export const SERVICE_KINDS = ['keyed', 'conditional', 'probe only', 'nothing'] as const
export type ServiceKind = (typeof SERVICE_KINDS)[number]

/** What the proof takes for granted. Each is dropped once to see what goes wrong without it. */
export const ASSUMPTIONS = [
  'arrival bound',
  'key margin',
  'durable send before bytes',
  'fence check',
  'settle window',
  'nothing deleted',
] as const
export type Assumption = (typeof ASSUMPTIONS)[number]

/** One model to search: one operation at one kind of service, with everything that can be done to it. */
export interface Setup {
  readonly service: ServiceKind
  /** look-ups may miss an effect for the settle window */
  readonly lagging: boolean
  /** attempts in all, at most 3; beyond them the search stops, not the ledger */
  readonly attempts: number
  /** attempts without a person's leave */
  readonly budget: number
  /** what a person says about the outside is true, or anything at all */
  readonly claims: 'truthful' | 'any'
  /** the service may answer 202 and work on it */
  readonly accepts: boolean
  /** the tool needs an approval, which people give, revoke and let go stale */
  readonly approval: boolean
  /** people cancel, deny, take over, hand back, reopen, abandon; allowing, withdrawing and saying are always there */
  readonly people: boolean
  readonly dropped?: Assumption
}

/** One unit of the model's clock. The moments that matter lie on it, so each limit is met, missed and passed. */
export const TICK = 1_000
export const LEASE = 1 * TICK
export const ARRIVAL_BOUND = 1 * TICK
/** longer than one unit, so that a look may fall between an arrival and the end of the window */
export const SETTLE_TICKS = 2
export const SETTLE = SETTLE_TICKS * TICK
/** in ticks: a key may be forgotten once it is this old */
export const RETENTION_TICKS = 4
/** every state is shifted so that it is this moment */
export const NOW = 1_000_000_000
export const BOOTED_AT = NOW - 500_000_000
export const stampAtNow: Stamp = { at: NOW, boot_id: 'boot-1', boot_ms: NOW - BOOTED_AT }

export function repeatOf({ service }: Setup): Repeat {
  switch (service) {
    case 'keyed':
      return { kind: 'idempotency_key', retention_ms: RETENTION_TICKS * TICK }
    case 'conditional':
      return { kind: 'conditional', names: 'permanent' }
    case 'probe only':
    case 'nothing':
      return { kind: 'none' }
  }
}

export function contractOf(setup: Setup): Contract {
  return {
    arrival_bound_ms: ARRIVAL_BOUND,
    ...(setup.lagging ? { settle_ms: SETTLE } : {}),
    ...(setup.service === 'nothing' ? {} : { probe: { kind: 'http' } }),
    ...(setup.approval ? { approval: 'required' } : {}),
  }
}

/** The ticks after which the modelled service may forget a key: less than it says where the margin is dropped. */
export function forgetsAfter({ dropped }: Setup): number {
  return dropped === 'key margin' ? RETENTION_TICKS - ARRIVAL_BOUND / TICK : RETENTION_TICKS
}

export function nameOf({ service, lagging, attempts, claims, approval, accepts }: Setup): string {
  const parts = [
    service,
    lagging ? 'lagging' : 'consistent',
    `${attempts} attempts`,
    ...(claims === 'any' ? ['people may be wrong'] : []),
    ...(approval ? ['approval'] : []),
    ...(accepts ? ['202'] : []),
  ]
  return parts.join(', ')
}
