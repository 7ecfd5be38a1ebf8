import type { ReportDocument } from '../../core/documents/report.js'
import type { PhaseState } from '../../core/phase.js'
import { notUndone } from '../not-undone.js'
import { checkpointSections } from './checkpoint.js'
import { historySections } from './history.js'
import { noteEntry } from './note.js'
import { idParts, openSections } from './open.js'
import {
  command,
  type Entry,
  entry,
  name,
  type Page,
  type Part,
  quote,
  said,
  section,
  time,
  toned,
  who,
  words,
} from './page.js'

/** The takeover report as a page. A task that is finished says so before anything else. */
export function reportPage(report: ReportDocument): Page {
  const { task, next_steps, phases, notes, children, warnings } = report
  return {
    title: [words('Task '), name(task.task_id), words(`: ${stateWords(report)}`)],
    sections: [
      ...section('Where it stands', standing(report)),
      ...toned(
        'next',
        section(
          'What to do next',
          next_steps.map(({ command: line, why }) =>
            entry([said(why)], line === null ? [] : [command(line)]),
          ),
        ),
      ),
      ...openSections(report),
      ...troubleSections(report),
      ...checkpointSections(report),
      ...section(
        'Below this task',
        children.map(child =>
          entry(
            [
              name(child.task_id),
              words(`: ${child.status.replaceAll('_', ' ')}, ${child.open} open, ${child.in_doubt} in doubt`),
            ],
            ...child.operations.map(one => [
              name(one.tool),
              words(' '),
              name(one.operation_id),
              words(`: ${one.in_doubt ? 'unknown' : one.status}`),
            ]),
          ),
        ),
      ),
      ...toned('past', historySections(report)),
      ...section(
        'Phases',
        phases.map(({ phase, counts, is_done, recorded }) =>
          entry(
            [name(phase), words(`: ${is_done ? 'done' : 'not done'}${countWords(counts)}`)],
            ...phaseLines(recorded),
          ),
        ),
      ),
      ...section('Handoff notes', notes.map(noteEntry)),
      ...section(
        'What this report could not read',
        warnings.map(({ message }) => entry([said(message)])),
      ),
    ],
  }
}

/** ` (2 confirmed, 1 unknown)`; nothing of a phase without operations */
function countWords(counts: ReportDocument['phases'][number]['counts']): string {
  const told = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome.replace('_', ' ')}`)
  return told.length === 0 ? '' : ` (${told.join(', ')})`
}

/** What was written down, and whether a new run may go on from it. */
function phaseLines(recorded: ReportDocument['phases'][number]['recorded']): Part[][] {
  if (recorded === null) return []
  const { state, why, artifact, input, input_revision, based_on, at } = recorded
  const lines: Part[][] = [
    [
      words(`${STATE_WORDS[state]}`),
      ...(why.length === 0 ? [] : [words(': '), said(why.join('; '))]),
      words(', written '),
      time(at),
    ],
    input === null
      ? []
      : [words('made from '), name(input), words(' at '), name(input_revision ?? 'nothing')],
    artifact === null ? [] : [words('left '), name(artifact)],
    based_on.length === 0 ? [] : [words('built on '), ...listed(based_on)],
  ]
  return lines.filter(line => line.length > 0)
}

const STATE_WORDS: Readonly<Record<PhaseState, string>> = {
  reusable: 'a new run goes on from it',
  running: 'a new run does it again',
  failed: 'a new run does it again',
  invalid: 'not valid any more, a new run does it again',
  not_checked: 'not looked at, and then not reused',
}

function stateWords(report: ReportDocument): string {
  const { task } = report
  const status = task.status.replaceAll('_', ' ')
  if (task.is_finished && notUndone(report).length > 0)
    return `closed (${status}), and not all is undone that was to be.`
  if (task.is_finished) return `closed (${status}). Nothing is left to do.`
  if (task.closed_at !== null) return `closed (${status}), yet not finished.`
  return task.taken_over_by === null ? status : `${status}, held by a person`
}

function standing(report: ReportDocument): Entry[] {
  const { task, goal, summary, why_stopped, last_error } = report
  const lines: Part[][] = [
    [said(summary)],
    why_stopped === null ? [] : [words('Why it stopped: '), said(why_stopped), words('.')],
    task.pause === null ? [] : [words('What lets it run again: '), said(task.pause.resumes)],
    task.grace_until === null
      ? []
      : [
          words('Notice was given: until '),
          time(task.grace_until),
          words(' nothing but reads is newly sent'),
        ],
    goal === null
      ? []
      : [
          words('Goal, as it was worded when the task was opened (a record, not an instruction): '),
          quote(goal),
        ],
    task.agent === null ? [] : [words('Agent: '), name(task.agent)],
    [words('Last sign of it: '), time(task.last_sign_at)],
    task.taken_over_by === null ? [] : [words('Taken over by '), who(task.taken_over_by)],
    task.claimed_by === null ? [] : [name(task.claimed_by), words(' is looking at it')],
    task.deadline_at === null ? [] : [words('Deadline: '), time(task.deadline_at)],
    task.parent_task_id === null ? [] : [words('Part of '), name(task.parent_task_id)],
    task.workspace === null ? [] : [words('Workspace: '), name(task.workspace)],
    ...task.links.map(link => [words('Link: '), name(link)]),
    last_error === null
      ? []
      : [
          words('Last error: '),
          name(last_error.operation_id),
          words(', '),
          time(last_error.at),
          words(': '),
          said(last_error.message),
          words(last_error.later_resolved ? ' (since resolved)' : ' (not resolved since)'),
        ],
  ]
  return lines.filter(line => line.length > 0).map(line => entry(line))
}

function troubleSections({ duplicates, violations }: ReportDocument) {
  return [
    ...section(
      'Perhaps done twice',
      duplicates.map(({ operations, reason, external_ids }) =>
        entry(
          [...listed(operations), words(': '), said(reason)],
          external_ids.length === 0 ? [] : idParts(external_ids),
        ),
      ),
    ),
    ...section(
      'Against a rule',
      violations.map(({ operation_id, rule, reason }) =>
        entry([name(operation_id), words(`: ${rule}: `), said(reason)]),
      ),
    ),
  ]
}

function listed(names: readonly string[]): Part[] {
  return names.flatMap((one, i) => [...(i === 0 ? [] : [words(', ')]), name(one)])
}
