import { SOURCES } from '../../src/sources/index.js'
import type { Outcome } from './damage.js'
import { readDamaged as readLangGraph } from './langgraph/mutants.js'
import { READERS as LEDGERS, readDamaged as readLedger } from './ledgers/mutants.js'
import { readDamaged as readTemporal } from './temporal/mutants.js'
import { readDamaged as readLog } from './text-logs/mutants.js'

/** A reader and its damaged inputs. Each seed makes one. */
export interface Fuzzed {
  readonly name: string
  /**
   * `folder` holds an empty folder `scratch` and nothing else, before and after. Throws where the reader crashes, gives
   * records that cannot be stored, changes its input or leaves something behind.
   */
  readonly read: (seed: number, folder: string) => Promise<Outcome>
}

// Readers with damage made for what they read; every other one is given its fixtures with some bytes wrong.
const OWN: readonly Fuzzed[] = [
  { name: 'langgraph', read: readLangGraph },
  { name: 'temporal', read: readTemporal },
  ...Object.keys(LEDGERS).map(name => ({
    name,
    read: (seed: number, folder: string) => readLedger(name, seed, folder),
  })),
]

export const FUZZED: readonly Fuzzed[] = [
  ...OWN,
  ...SOURCES.filter(({ id }) => !OWN.some(({ name }) => name === id)).map(source => ({
    name: source.id,
    read: (seed: number, folder: string) => readLog(source, seed, folder),
  })),
]
