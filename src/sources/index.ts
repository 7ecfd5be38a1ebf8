import type { CheckpointDocument } from '../core/checkpoint.js'
import { chooseSource } from './choose.js'
import { jsonl } from './jsonl/index.js'
import { langgraph } from './langgraph/index.js'
import { ledgerExport } from './ledger-export/index.js'
import { agentEffects } from './ledgers/agent-effects.js'
import { effectLedger } from './ledgers/effect-ledger.js'
import { openhands } from './openhands/index.js'
import type { CheckpointReading, Detection, ReadOptions, Source } from './source.js'
import { openSourceFile } from './source-file.js'
import { temporal } from './temporal/index.js'
import { transcript } from './transcript/index.js'
import { unreadable } from './unreadable.js'

/** The systems whose records can be read, in the order in which a path is shown to them. */
export const SOURCES: readonly Source[] = [
  langgraph,
  temporal,
  openhands,
  effectLedger,
  agentEffects,
  ledgerExport,
  jsonl,
  transcript,
]

export interface CheckpointOptions extends ReadOptions {
  /** the id of the source, where the caller knows it; else the content decides */
  readonly source?: string
  /** where a snapshot may be put; the system's temporary folder unless given */
  readonly scratchDir?: string
}

/**
 * Reads the checkpoint at a path without changing anything there. `replay_risk` is empty: `withReplayRisk` fills it.
 * Throws `ledger_unreadable` (path and advice in it), and `not_found` for a thread that is not there.
 */
export async function readCheckpoint(
  path: string,
  options: CheckpointOptions = {},
): Promise<CheckpointDocument> {
  return (await readCheckpointFully(path, options)).document
}

/** As `readCheckpoint`, with the ids of all stored tasks, which the join to the ledger's operations needs. */
export async function readCheckpointFully(
  path: string,
  options: CheckpointOptions = {},
): Promise<CheckpointReading> {
  // A writer that cannot be seen from here may have touched the file meanwhile: then it is read once more.
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = openSourceFile(path, options)
    try {
      const { source } = chooseSource(file, { sources: SOURCES, wanted: options.source, need: 'read' })
      const reading = await source.read?.(file, options)
      if (reading === undefined) throw new Error(`${source.id} was chosen for checkpoints it does not have`)
      if (file.isStillCurrent()) return reading
    } finally {
      file.close()
    }
  }
  throw unreadable(
    path,
    'is being written to',
    'Try again in a moment, or stop the agent; nothing was changed.',
  )
}

export interface Detected extends Detection {
  readonly source: string
}

/** What each source says of the path, in their order; `why` continues a sentence that begins with the path. */
export function detectSource(path: string, options: { readonly scratchDir?: string } = {}): Detected[] {
  const file = openSourceFile(path, options)
  try {
    return SOURCES.map(source => ({ source: source.id, ...source.detect(file) }))
  } finally {
    file.close()
  }
}
