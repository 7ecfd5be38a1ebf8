import type { Repeat } from '../../../src/index.js'

export interface Kind {
  readonly id: string
  readonly repeat: Repeat
}

const DAY = 24 * 3_600_000

/** One operation at each kind of service. */
export const KINDS: readonly Kind[] = [
  { id: 'keyed', repeat: { kind: 'idempotency_key', retention_ms: DAY } },
  { id: 'conditional', repeat: { kind: 'conditional', names: 'permanent' } },
  { id: 'plain', repeat: { kind: 'none' } },
]

/** What truly happened, by a clock that nobody sets. */
export interface Outside {
  /** a request of an attempt arrives and is worked on */
  arrive(kind: Kind, attempt: number, at: number): void
  effects(id: string): readonly { readonly attempt: number; readonly at: number }[]
  /** an attempt's request arrived, whether it did something or met what was there */
  hasArrived(id: string, attempt: number): boolean
}

export function createOutside(): Outside {
  const effects = new Map<string, { attempt: number; at: number }[]>()
  const arrived = new Set<string>()
  const of = (id: string) => effects.get(id) ?? []
  return {
    arrive({ id, repeat }, attempt, at) {
      arrived.add(`${id} ${attempt}`)
      const [first] = of(id)
      const isKnown = first !== undefined && (repeat.kind === 'conditional' || at - first.at < DAY)
      if (repeat.kind !== 'none' && isKnown) return
      effects.set(id, [...of(id), { attempt, at }])
    },
    effects: of,
    hasArrived: (id, attempt) => arrived.has(`${id} ${attempt}`),
  }
}
