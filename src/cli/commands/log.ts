import { actorWords } from '../../core/actor.js'
import { type EventItem, LOG_FIELDS } from '../../core/documents/log.js'
import { asJson } from '../../core/documents/parts.js'
import { LedgerError } from '../../core/errors.js'
import { follower } from '../../core/follow.js'
import { words } from '../../core/safe-text.js'
import type { LogQuery } from '../../ledger/looking/log.js'
import type { LedgerForReading } from '../../ledger/open-for-reading.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { fromOptions, refuseFrom, withReading } from '../from.js'
import { lookOn } from '../look-on.js'
import { pastMoment } from '../moments.js'
import { chosenFields, pick } from '../output/fields.js'
import { printableJson } from '../output/json.js'
import { printRows } from '../output/rows.js'
import type { Column } from '../output/table.js'
import { flag, optionalArgument, someText, time, value } from '../parameters.js'

export const log = command({
  name: 'log',
  chapter: 'Look',
  summary: 'who did what and when, oldest first; refused decisions included',
  args: { subject: optionalArgument('an operation, or a task with all that belongs to it') },
  options: {
    ...fromOptions,
    task: flag('the id is a task, where an operation has the same'),
    operation: flag('the id is an operation, where a task has the same'),
    actor: value('actor', 'by this one', someText),
    type: value('event', 'of this kind: send, confirm, resolve_confirmed, refused, …', someText),
    since: value('time', 'since then', time),
    follow: flag('keep printing what is added, until ctrl-c'),
  },
  examples: [
    { line: 'agent-ledger log incident-88/escalate', does: 'the history of one operation' },
    { line: 'agent-ledger log --type refused --since 1d', does: 'what was refused since yesterday' },
    { line: 'agent-ledger log --follow --jsonl', does: 'for another program to read' },
  ],
  documents: ['log@1'],
  fields: LOG_FIELDS,
})

export async function run(given: Given<typeof log>, deps: Deps): Promise<number> {
  const query = queryOf(given, deps)
  if (given.follow) {
    refuseFrom(given, '--follow')
    return follow(query, deps)
  }
  return withReading(given, deps, async ledger => {
    await printRows(
      {
        schema: 'log@1',
        ledger: ledger.location,
        name: 'events',
        rows: ledger.log(query),
        fields: LOG_FIELDS,
        columns: columnsOf(deps),
        empty:
          (given.actor ?? given.type ?? given.since)
            ? words`nothing on record fits`
            : words`nothing is on record`,
      },
      deps,
    )
    return 0
  })
}

function queryOf(given: Given<typeof log>, { now }: Deps): LogQuery {
  if (given.task && given.operation)
    throw new LedgerError('usage', '--task and --operation exclude each other', { path: '--task' })
  const as = given.task ? 'task' : given.operation ? 'operation' : undefined
  return {
    ...(given.subject === undefined ? {} : { about: given.subject }),
    ...(as === undefined ? {} : { as }),
    ...(given.actor === undefined ? {} : { actor: given.actor }),
    ...(given.type === undefined ? {} : { type: given.type.replaceAll('-', '_') }),
    ...(given.since === undefined ? {} : { since: pastMoment(given.since, now) }),
  }
}

function columnsOf({ times }: Deps): readonly Column<EventItem>[] {
  return [
    { heading: 'time', cell: ({ at }) => times.exact(Date.parse(at)), rank: 0 },
    { heading: 'actor', cell: ({ actor }) => actorWords(actor), rank: 2, least: 8 },
    { heading: 'event', cell: ({ type }) => type, rank: 0 },
    { heading: 'subject', cell: subjectOf, rank: 0 },
    { heading: 'change', cell: changeOf, rank: 1, least: 12 },
    { heading: 'reason', cell: reasonOf, rank: 1, least: 16 },
  ]
}

function subjectOf({ subject, subject_id, about }: EventItem): string {
  return subject === 'ledger' ? (about ?? '') : subject_id
}

function changeOf({ from, to }: EventItem): string {
  if (to === null) return ''
  return from === null || from === to ? to : `${from} → ${to}`
}

function reasonOf({ reason, rule }: EventItem): string {
  return [...(rule === null ? [] : [`rule ${rule}`]), ...(reason === null ? [] : [`"${reason}"`])].join(': ')
}

/** Time between two looks for what was added. */
const EVERY_MS = 1_000

async function follow(query: LogQuery, deps: Deps): Promise<number> {
  const { global } = deps
  if (global.json && !global.jsonl)
    throw new LedgerError('usage', '--follow has no end, and --json prints one document', {
      path: '--follow',
      hint: 'Give --jsonl: one event a line.',
    })
  const line = lineOf(deps)
  let following = follower()
  let last: EventItem | undefined
  const look = async (ledger: LedgerForReading, isAnother: boolean) => {
    const isCutOff = !isAnother && last !== undefined && !(await isThere(last, ledger, query))
    if (isCutOff) await deps.say(CUT_OFF)
    if (isAnother || isCutOff) following = follower()
    for await (const event of ledger.follow(query, following)) {
      last = event
      if (!isCutOff && !(await deps.io.stdout.write(`${line(event)}\n`))) return false
    }
    return true
  }
  await lookOn({ everyMs: EVERY_MS, look }, deps)
  return 0
}

const CUT_OFF = words`what was printed last is not in this ledger any more: an earlier state of it was restored. What is added from now on follows; log without --follow prints all of it`

/** A ledger that was put back from a backup counts on from an earlier event, and would go unseen up to the last one. */
async function isThere({ seq, hash }: EventItem, ledger: LedgerForReading, query: LogQuery) {
  // one that is missing among later ones was taken away on purpose
  for await (const event of ledger.log({ ...query, afterSeq: seq - 1 }))
    return event.seq > seq || event.hash === hash
  return false
}

function lineOf(deps: Deps): (event: EventItem) => string {
  const { global, redactor } = deps
  const fields = chosenFields(global.fields, LOG_FIELDS)
  if (global.jsonl) return event => printableJson(redactor.json(pick(asJson(event), fields)))
  const columns = columnsOf(deps)
  return event => columns.map(({ cell }) => deps.show(cell(event))).join('\t')
}
