import type { CheckpointDocument } from '../core/checkpoint.js'
import { LedgerError } from '../core/errors.js'
import { jsonl } from './jsonl/index.js'
import { langgraph } from './langgraph/index.js'
import { openhands } from './openhands/index.js'
import type { CheckpointReading, Detection, ReadOptions, Source } from './source.js'
import { openSourceFile, type SourceFile } from './source-file.js'
import { temporal } from './temporal/index.js'
import { transcript } from './transcript/index.js'
import { unreadable } from './unreadable.js'

/** The frameworks whose checkpoints can be read, in the order in which a path is shown to them. */
export const SOURCES: readonly Source[] = [langgraph, temporal, openhands, jsonl, transcript]

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
      const reading = await withCheckpoints(sourceFor(file, options.source), path).read(file, options)
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

function withCheckpoints(source: Source, path: string): Source & Required<Pick<Source, 'read'>> {
  const { read } = source
  if (read !== undefined) return { ...source, read }
  throw unreadable(
    path,
    `is ${source.title}, which keeps no checkpoints`,
    'Read it with --from, or import it.',
  )
}

function sourceFor(file: SourceFile, wanted: string | undefined): Source {
  const candidates = SOURCES.filter(({ id }) => wanted === undefined || id === wanted)
  if (candidates.length === 0)
    throw new LedgerError('invalid_input', `there is no source ${wanted}`, {
      hint: `Sources: ${SOURCES.map(({ id }) => id).join(', ')}.`,
    })
  const found = candidates.map(source => ({ source, ...source.detect(file) }))
  const match = found.find(({ matches }) => matches)
  if (match) return match.source
  throw unreadable(
    file.path,
    found.map(({ source, why }) => `${why} (${source.title})`).join('; '),
    'Name the store of the checkpoints: for LangGraph the database that its SqliteSaver writes.',
  )
}
