import type { CheckpointDocument, CheckpointThread } from '../../core/checkpoint.js'
import { checkpointSections } from './checkpoint.js'
import { name, type Page, type Section, words } from './page.js'

/** A checkpoint as a page: each thread with what a resume would run, and what it would do again. */
export function checkpointPage(document: CheckpointDocument, uri: string): Page {
  const { source, language, saver, threads } = document
  return {
    title: [
      words('Checkpoint '),
      name(uri),
      words(' ('),
      name(source),
      words(', '),
      name(language),
      words(', '),
      name(saver),
      words(`): ${threads.length} ${threads.length === 1 ? 'thread' : 'threads'}`),
    ],
    sections: threads.flatMap(thread => threadSections(thread, { source, language, saver, uri })),
  }
}

function threadSections(
  thread: CheckpointThread,
  store: { readonly source: string; readonly language: string; readonly saver: string; readonly uri: string },
): Section[] {
  return checkpointSections({ checkpoint: { ...store, thread }, replay_risk: thread.replay_risk })
}
