import { RECORDS_ALONE } from '../../core/checkpoint.js'
import type { ReportDocument } from '../../core/documents/report.js'
import {
  drawn,
  type Entry,
  entry,
  name,
  type Part,
  quote,
  type Section,
  said,
  section,
  toned,
  words,
} from './page.js'

/** What the framework's own checkpoint says, and what a resume from it would do again. */
export function checkpointSections({
  checkpoint,
  replay_risk,
}: Pick<ReportDocument, 'checkpoint' | 'replay_risk'>): Section[] {
  return [
    ...(checkpoint === null ? [] : section('Checkpoint', checkpointEntries(checkpoint))),
    ...toned(
      'doubt',
      section(
        'Replay risk: would happen again if it were resumed now',
        replay_risk.map(({ operation_id, node, status, why }) =>
          entry([
            name(operation_id),
            words(', '),
            name(status),
            ...(node === null ? [] : [words(', in node '), name(node)]),
            words(': '),
            said(why),
          ]),
        ),
      ),
    ),
  ]
}

function checkpointEntries({
  source,
  language,
  saver,
  uri,
  thread,
}: NonNullable<ReportDocument['checkpoint']>): Entry[] {
  const open = thread.interrupts.filter(({ state }) => state === 'open' || state === 'answer_reused')
  return [
    entry([
      name(source),
      words(', '),
      name(language),
      words(', '),
      name(saver),
      words(', thread '),
      name(thread.thread_id),
      words(' in '),
      name(uri),
    ]),
    drawn(
      entry([
        words('a resume begins with: '),
        ...names(
          thread.will_run.map(({ node }) => node),
          saver === RECORDS_ALONE ? 'what nobody knows' : 'nothing',
        ),
      ]),
    ),
    ...(thread.saved.length === 0
      ? []
      : [
          drawn(
            entry([
              words('stored, so not run again: '),
              ...names(
                thread.saved.map(({ node, task_id }) => node ?? task_id),
                '',
              ),
            ]),
          ),
        ]),
    ...(open.length === 0
      ? []
      : [
          entry(
            [words(`waits for ${open.length} ${open.length === 1 ? 'answer' : 'answers'}`)],
            ...open.map(({ id, node, value }) => [
              words('id '),
              name(id ?? 'none stored'),
              words(', node '),
              name(node ?? 'unknown'),
              words(': '),
              quote(typeof value === 'string' ? value : JSON.stringify(value)),
            ]),
          ),
        ]),
    ...thread.errors.map(({ node, text }) =>
      entry([words('error in '), name(node ?? 'an unnamed node'), words(': '), said(text)]),
    ),
    ...thread.warnings.map(({ message }) => entry([words('note: '), said(message)])),
    drawn(
      entry(
        [words(`advice: ${thread.advice.action.replaceAll('_', ' ')}`)],
        ...thread.advice.reasons.map(reason => [said(reason)]),
      ),
    ),
  ]
}

function names(all: readonly string[], none: string): Part[] {
  if (all.length === 0) return [words(none)]
  return all.flatMap((one, i) => [...(i === 0 ? [] : [words(', ')]), name(one)])
}
