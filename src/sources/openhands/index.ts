import { didYouMean } from '../../core/did-you-mean.js'
import { LedgerError } from '../../core/errors.js'
import type { ImportedRecord } from '../../core/imported.js'
import { MOST_THREADS } from '../most-threads.js'
import type { CheckpointReading, Detection, ReadOptions, Source } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { unreadable } from '../unreadable.js'
import { type Conversation, conversationsAt } from './conversation.js'
import { recordsOf } from './records.js'
import { readThread } from './thread.js'

/** Conversations of OpenHands: V0 trajectories and event files, V1 event folders, files with an event a line. */
export const openhands: Source = {
  id: 'openhands',
  title: 'conversations of OpenHands',
  detect,
  read,
  records,
}

function detect(file: SourceFile): Detection {
  if (file.kind === 'other') return { matches: false, why: 'is no plain file and no folder' }
  const [first, ...others] = conversationsAt(file)
  if (first === undefined) return { matches: false, why: 'holds no events of OpenHands' }
  const more = others.length === 0 ? '' : `, the first of ${others.length + 1} conversations`
  return { matches: true, why: `holds ${SAVERS[first.saver]}${more}` }
}

const SAVERS = {
  event_folder: 'the event files of an OpenHands conversation',
  event_lines: 'events of OpenHands, one after the other',
  trajectory: 'a trajectory of OpenHands V0',
} as const satisfies Record<Conversation['saver'], string>

async function* records(file: SourceFile, options: ReadOptions): AsyncGenerator<ImportedRecord> {
  for (const conversation of wanted(file, options)) yield* recordsOf(conversation, options)
}

async function read(file: SourceFile, options: ReadOptions): Promise<CheckpointReading> {
  const all = wanted(file, options)
  const found = all.slice(0, MOST_THREADS)
  const threads = []
  const taskIds = new Map<string, ReadonlySet<string>>()
  for (const conversation of found) {
    const reading = await readThread(conversation, options)
    threads.push(reading.thread)
    taskIds.set(conversation.id, reading.actionIds)
  }
  const saver = found[0]?.saver ?? 'event_folder'
  return {
    document: {
      source: 'openhands',
      language: 'python',
      saver,
      threads,
      left_out: all.length - found.length,
    },
    taskIds,
  }
}

function wanted(file: SourceFile, { threadId }: ReadOptions): Conversation[] {
  const all = conversationsAt(file)
  if (all.length === 0)
    throw unreadable(
      file.path,
      'holds no events of OpenHands',
      'Name a conversation’s folder, its events folder, a trajectory, or a file with an event a line.',
    )
  if (threadId === undefined) return all
  const id = threadId.replaceAll('-', '')
  const found = all.filter(one => one.id === threadId || one.id === id)
  if (found.length > 0) return found
  const meant = didYouMean(
    threadId,
    all.map(one => one.id),
  )
  throw new LedgerError('not_found', `${file.path} has no conversation ${threadId}${meant}`, {
    id: threadId,
    path: file.path,
    hint: 'Leave --thread out to see all conversations there.',
  })
}
