import { claims } from './claims.js'
import { fuzz } from './fuzz.js'
import { kills, postgresKills, postgresShared } from './kills.js'
import { model } from './model.js'
import { moving } from './moving.js'
import { sequences } from './sequences.js'
import { size } from './size.js'
import { mutation } from './stryker.js'

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

export const PARTS: readonly Part[] = [
  model,
  kills,
  postgresKills,
  postgresShared,
  claims,
  moving,
  sequences,
  mutation,
  size,
  ...fuzz,
]
