/**
 * The world outside the ledger, in one number: for each attempt where its executor and its request are, what the
 * service remembers, how far a probe is, and what people said that was not so.
 */

/** Where an attempt is: its executor alive or gone, its request not sent, in the air, arrived, its answer under way. */
export const AT = {
  none: 0,
  announced: 1,
  waitingInTheAir: 2,
  /** its request was lost, or its answer says nothing definite */
  waitingForNothing: 3,
  /** it took effect, the receipt is under way */
  waitingEffect: 4,
  /** the service knew the key: a receipt of the earlier effect is under way */
  waitingReplay: 5,
  /** refused for certain, the refusal is under way */
  waitingRefusal: 6,
  goneInTheAir: 7,
  gone: 8,
  goneEffect: 9,
} as const

export const PROBE = { none: 0, emptyOnce: 1, emptyTwice: 2, emptyStale: 3, match: 4 } as const

const ATTEMPT_BITS = 4
const KEY_AT = 12
const OLD_AT = 15
const PROBE_AT = 17
const MISLED_AT = 20
const LICENSED_AT = 21
const DELETED_AT = 24
/** worlds are below this */
export const WORLDS = 1 << 25

export function attemptAt(world: number, n: number): number {
  return (world >> (ATTEMPT_BITS * (n - 1))) & 15
}

export function withAttempt(world: number, n: number, at: number): number {
  const shift = ATTEMPT_BITS * (n - 1)
  return (world & ~(15 << shift)) | (at << shift)
}

/** 0 = the service does not know the key, else one more than the ticks it has known it */
export function keyAge(world: number): number {
  return (world >> KEY_AT) & 7
}

export function withKeyAge(world: number, age: number): number {
  return (world & ~(7 << KEY_AT)) | (age << KEY_AT)
}

/** ticks since the first effect, at most 3; a lagging look-up may miss it while it is young */
export function effectAge(world: number): number {
  return (world >> OLD_AT) & 3
}

export function withEffectAge(world: number, age: number): number {
  return (world & ~(3 << OLD_AT)) | (age << OLD_AT)
}

export function probe(world: number): number {
  return (world >> PROBE_AT) & 7
}

export function withProbe(world: number, at: number): number {
  return (world & ~(7 << PROBE_AT)) | (at << PROBE_AT)
}

/** a person said what was not so, and nobody has corrected it yet */
export function isMisled(world: number): boolean {
  return ((world >> MISLED_AT) & 1) === 1
}

export function withMisled(world: number, isSo: boolean): number {
  return isSo ? world | (1 << MISLED_AT) : world & ~(1 << MISLED_AT)
}

/** a bit an attempt: it was sent although it might be a duplicate, and a person had a say in that */
export function licensed(world: number): number {
  return (world >> LICENSED_AT) & 7
}

export function withLicence(world: number, n: number): number {
  return world | (1 << (LICENSED_AT + n - 1))
}

export function isDeleted(world: number): boolean {
  return ((world >> DELETED_AT) & 1) === 1
}

export function withDeleted(world: number): number {
  return world | (1 << DELETED_AT)
}

/** a bit an attempt: it took effect */
export function effects(world: number): number {
  return hasEffect(world & 15) | (hasEffect((world >> 4) & 15) << 1) | (hasEffect((world >> 8) & 15) << 2)
}

function hasEffect(at: number): number {
  return at === AT.waitingEffect || at === AT.goneEffect ? 1 : 0
}

export function isInTheAir(at: number): boolean {
  return at === AT.waitingInTheAir || at === AT.goneInTheAir
}

export function isWaiting(at: number): boolean {
  return at >= AT.waitingInTheAir && at <= AT.waitingRefusal
}

/** what is left of an attempt whose executor died or has nothing more to tell */
export function gone(at: number): number {
  switch (at) {
    case AT.waitingInTheAir:
      return AT.goneInTheAir
    case AT.waitingEffect:
      return AT.goneEffect
    case AT.none:
      return AT.none
    default:
      return at >= AT.goneInTheAir ? at : AT.gone
  }
}
