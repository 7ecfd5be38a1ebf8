import type { CheckpointDocument } from '../core/checkpoint.js'
import { chooseSource } from './choose.js'
import { jsonl } from './jsonl/index.js'
import { langgraph } from './langgraph/index.js'
import { ledgerExport } from './ledger-export/index.js'
import { agentEffects } from './ledgers/agent-effects.js'
import { effectLedger } from './ledgers/effect-ledger.js'
import { openhands } from './openhands/index.js'
import type { CheckpointReading, Detection, ReadOptions, Source } from './source.js'
import { openSourceFile, type SourceFile } from './source-file.js'
import { temporal } from './temporal/index.js'
import { transcript } from './transcript/index.js'
import { unreadable } from './unreadable.js'
import { readWithoutCheckpoints } from './without-checkpoints.js'

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

export interface CheckpointFound extends CheckpointReading {
  /** what the source was known by, to put after the path */
  readonly why: string
}

/** As `readCheckpoint`, with the ids of all stored tasks, which the join to the ledger's operations needs. */
export async function readCheckpointFully(
  path: string,
  options: CheckpointOptions = {},
): Promise<CheckpointFound> {
  // A writer that cannot be seen from here may have touched the file meanwhile: then it is read once more.
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = openSourceFile(path, options)
    try {
      const { source, why } = chooseSource(file, { sources: SOURCES, wanted: options.source, need: 'read' })
      const reading = await readingOf(source, file, options)
      if (file.isStillCurrent()) return { ...reading, why }
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

async function readingOf(
  source: Source,
  file: SourceFile,
  options: CheckpointOptions,
): Promise<CheckpointReading> {
  if (source.read !== undefined) return source.read(file, options)
  const { threadId } = options
  const records = source.records?.(file, options)
  if (records === undefined) throw new Error(`${source.id} has neither checkpoints nor records`)
  const { id, title } = source
  return readWithoutCheckpoints(records, {
    ...(threadId === undefined ? {} : { threadId }),
    source: { id, title, path: file.path },
  })
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
