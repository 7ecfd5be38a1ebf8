import { bulk } from './bulk.js'
import { claims } from './claims.js'
import { fuzz } from './fuzz.js'
import { kills, postgresKills, postgresShared } from './kills.js'
import { model } from './model.js'
import { moving } from './moving.js'
import type { Part } from './part.js'
import { sequences } from './sequences.js'
import { size } from './size.js'
import { mutation } from './stryker.js'

export const PARTS: readonly Part[] = [
  model,
  kills,
  postgresKills,
  postgresShared,
  claims,
  bulk,
  moving,
  sequences,
  mutation,
  size,
  ...fuzz,
]
