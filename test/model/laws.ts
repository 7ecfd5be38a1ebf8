/** A law of the model that does not hold, found at a state; the search adds how it got there. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw'

  constructor(
    readonly law: string,
    readonly detail: string,
    /** the ledger's move that broke it, where it was not the world */
    readonly move: number | null = null,
  ) {
    super(`${law}: ${detail}`)
  }
}

export function broken(law: string, detail: string): never {
  throw new BrokenLaw(law, detail)
}

export function holds(isTrue: boolean, law: string, detail: string): void {
  if (!isTrue) broken(law, detail)
}
