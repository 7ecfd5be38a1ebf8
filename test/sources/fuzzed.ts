import type { Outcome } from './damage.js'
import { readDamaged as readLangGraph } from './langgraph/mutants.js'
import { READERS as LEDGERS, readDamaged as readLedger } from './ledgers/mutants.js'
import { readDamaged as readTemporal } from './temporal/mutants.js'
import { type READERS as LOGS, readDamaged as readLog } from './text-logs/mutants.js'

/** A reader and its damaged inputs. Each seed makes one. */
export interface Fuzzed {
  readonly name: string
  /**
   * `folder` holds an empty folder `scratch` and nothing else, before and after. Throws where the reader crashes, gives
   * records that cannot be stored, changes its input or leaves something behind.
   */
  readonly read: (seed: number, folder: string) => Promise<Outcome>
}

export const FUZZED: readonly Fuzzed[] = [
  { name: 'langgraph', read: readLangGraph },
  { name: 'temporal', read: readTemporal },
  ...(['openhands', 'jsonl', 'transcript'] as const satisfies readonly (keyof typeof LOGS)[]).map(name => ({
    name,
    read: (seed: number, folder: string) => readLog(name, seed, folder),
  })),
  ...Object.keys(LEDGERS).map(name => ({
    name,
    read: (seed: number, folder: string) => readLedger(name, seed, folder),
  })),
]
