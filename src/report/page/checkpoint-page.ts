import type { CheckpointDocument, CheckpointThread } from '../../core/checkpoint.js'
import { checkpointSections } from './checkpoint.js'
import { entry, name, type Page, type Section, said, section, words } from './page.js'

/** A checkpoint as a page: each thread with what a resume would run, and what it would do again. */
export function checkpointPage(
  document: CheckpointDocument,
  { uri, why }: { readonly uri: string; readonly why: string },
): Page {
  const { source, language, saver, threads, left_out } = document
  const ofAll = ofEveryThread(threads)
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
    sections: [
      ...section('Where it comes from', [
        entry([words('read as '), name(source), words(': it '), said(why)]),
        ...(left_out === 0
          ? []
          : [entry([words(`${left_out} more threads are stored: name one with --thread`)])]),
        ...ofAll.map(message => entry([words('note: '), said(message)])),
      ]),
      ...threads.flatMap(thread => threadSections(without(thread, ofAll), { source, language, saver, uri })),
    ],
  }
}

/** What is said of the file as a whole stands with each thread; a page says it once. */
function ofEveryThread([first, ...others]: readonly CheckpointThread[]): string[] {
  if (first === undefined || others.length === 0) return []
  const said = others.map(({ warnings }) => new Set(warnings.map(({ message }) => message)))
  const common = first.warnings.filter(({ message }) => said.every(one => one.has(message)))
  return [...new Set(common.map(({ message }) => message))]
}

function without(thread: CheckpointThread, messages: readonly string[]): CheckpointThread {
  return { ...thread, warnings: thread.warnings.filter(({ message }) => !messages.includes(message)) }
}

function threadSections(
  thread: CheckpointThread,
  store: { readonly source: string; readonly language: string; readonly saver: string; readonly uri: string },
): Section[] {
  return checkpointSections({ checkpoint: { ...store, thread }, replay_risk: thread.replay_risk })
}
