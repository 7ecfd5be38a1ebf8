/** One part of the proof. `run` says what it did, line by line, and whether it holds. */
export interface Part {
  readonly name: string
  readonly title: string
  readonly run: (say: (line: string) => void, range: SeedRange) => boolean | Promise<boolean>
}

/** Which seeds a part that is random in nature goes through; null: as many as it finds fit. */
export interface SeedRange {
  readonly from: number
  readonly runs: number | null
}
