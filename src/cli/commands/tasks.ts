import { actorWords } from '../../core/actor.js'
import { TASK_FIELDS, type TaskItem } from '../../core/documents/tasks.js'
import { formatAge } from '../../core/duration.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { fromOptions, withReading } from '../from.js'
import { leftOutWords } from '../output/left-out.js'
import { printRows } from '../output/rows.js'
import type { Column } from '../output/table.js'
import { flag, value, wholeNumber } from '../parameters.js'

export const tasks = command({
  name: 'tasks',
  chapter: 'Look',
  summary: 'tasks; by default those not closed or with something open',
  args: {},
  options: {
    ...fromOptions,
    all: flag('closed ones too'),
    limit: value('n', 'at most so many', wholeNumber(1), { fallback: '100 on a terminal, else none' }),
  },
  examples: [
    {
      line: 'agent-ledger tasks',
      does: 'those with something in doubt first, the oldest doubt before others',
    },
    { line: 'agent-ledger tasks --all --jsonl', does: 'every task, one a line' },
  ],
  documents: ['tasks@1'],
  fields: TASK_FIELDS,
})

const TERMINAL_ROWS = 100

export async function run({ all, limit, ...given }: Given<typeof tasks>, deps: Deps): Promise<number> {
  const { io, global } = deps
  const isTable = io.stdout.isTerminal && !global.json && !global.jsonl
  const most = limit ?? (isTable ? TERMINAL_ROWS : undefined)
  return withReading(given, deps, async ledger => {
    const found = await ledger.tasks({ all, ...(most === undefined ? {} : { limit: most }) })
    const { left_out } = found
    await printRows(
      {
        schema: 'tasks@1',
        ledger: ledger.location,
        name: 'tasks',
        rows: found.tasks,
        fields: TASK_FIELDS,
        columns: columnsAt(deps.now),
        empty: all ? words`there are no tasks` : words`no task is open; --all lists the closed ones`,
        rest: () => ({ left_out }),
        remarks: () =>
          left_out === 0 ? [] : [leftOutWords(words`${left_out}`, left_out + (most ?? 0), deps)],
      },
      deps,
    )
    return 0
  })
}

function columnsAt(now: number): readonly Column<TaskItem>[] {
  return [
    { heading: 'task', cell: task => task.task_id, rank: 0 },
    { heading: 'status', cell: statusOf, rank: 0 },
    {
      heading: 'in doubt',
      cell: task => (task.counts.in_doubt === 0 ? '' : String(task.counts.in_doubt)),
      rank: 1,
      align: 'right',
      paint: (text, task, paint) => (task.counts.in_doubt > 0 ? paint.doubt(text) : text),
    },
    {
      heading: 'for',
      cell: ({ oldest_in_doubt_at: at }) => (at === null ? '' : formatAge(now - Date.parse(at))),
      rank: 2,
      align: 'right',
    },
    { heading: 'operations', cell: countsOf, rank: 3, least: 16 },
    { heading: 'agent', cell: task => task.agent ?? '', rank: 4, least: 8 },
    { heading: 'part of', cell: task => task.parent_task_id ?? '', rank: 5 },
    // The words of whoever opened it, quoted: they may read like an order.
    { heading: 'goal', cell: ({ goal }) => (goal === null ? '' : `"${goal}"`), rank: 2, least: 16 },
  ]
}

function statusOf({ status, taken_over_by }: TaskItem): string {
  return taken_over_by === null ? status : `${status}, held by ${actorWords(taken_over_by)}`
}

function countsOf({ counts: { in_doubt: _, ...counts } }: TaskItem): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ')
}
