import { test } from '../checks.js'
import type { Check, Mutant } from '../mutant.js'

const NEIGHBOURS = 'src/store/sql-store/context.ts'
const RECORD = 'src/core/transitions/record-prepare.ts'
const PREPARING = 'src/core/transitions/guards/preparing.ts'

/** The same tool and input of a task are one write, unless somebody says why they are two. */
export const ONCE_MUTANTS: readonly Mutant[] = [
  {
    id: 'same-write-twice',
    without: 'the same tool and input under another id are not carried out a second time',
    file: 'src/core/transitions/table.ts',
    find: 'guards: [taskNotCancelled, sameWriteOnce]',
    replace: 'guards: [taskNotCancelled]',
    killedBy: running('answers with what the earlier one came to, and the handler is not run'),
  },
  {
    id: 'again-unheard',
    without: 'whoever says why gets a second write',
    file: PREPARING,
    find: '    request.again !== undefined ||\n',
    replace: '',
    killedBy: running('is carried out where the caller says why, and the reason stays'),
  },
  {
    id: 'again-without-reason',
    without: 'the reason of a second write stays on the record',
    file: RECORD,
    find: '...(again === undefined ? {} : { again })',
    replace: '...(again === undefined ? {} : {})',
    killedBy: running('is carried out where the caller says why, and the reason stays'),
  },
  {
    id: 'again-unmarked',
    without: 'a second write names the first',
    file: RECORD,
    find: '    ...(same_write === null ? {} : { same_as: same_write }),\n',
    replace: '',
    killedBy: test(
      'test/core/transitions/evolve.test.ts',
      'marks an operation that repeats another one under another id',
    ),
  },
  {
    id: 'same-read-once',
    without: 'a read may be made as often as it is asked for',
    file: PREPARING,
    find: "    request.intent.provenance === 'imported' ||\n    request.intent.effect === 'read'\n",
    replace: "    request.intent.provenance === 'imported'\n",
    killedBy: running('is carried out where it is a read'),
  },
  {
    id: 'same-write-of-another-task',
    without: 'another task is another intent',
    file: NEIGHBOURS,
    find: '      and task_id = $5\n',
    replace: '      and task_id <> $5\n',
    killedBy: running('is another write in another task, by another tool, and with another input'),
  },
  {
    id: 'same-write-by-another-tool',
    without: 'another tool is another write',
    file: NEIGHBOURS,
    find: '      and tool = $6\n',
    replace: "      and $6 <> ''\n",
    killedBy: running('is another write in another task, by another tool, and with another input'),
  },
  {
    id: 'same-write-of-what-never-happened',
    without: 'what certainly did not happen stands for nothing',
    file: NEIGHBOURS,
    find: "      and status not in ('not_executed', 'cancelled')\n",
    replace: '',
    killedBy: running('is carried out where the earlier one certainly did not happen'),
  },
  {
    id: 'same-write-answers-as-its-own',
    without: 'an answer of another operation names it',
    file: 'src/execute/announce.ts',
    find: 'outcome: answeredBy(outcome, operation.operation_id)',
    replace: 'outcome',
    killedBy: running('answers with what the earlier one came to, and the handler is not run'),
  },
  {
    id: 'same-write-goes-unsaid',
    without: 'it is told loudly that another operation answers',
    file: 'src/execute/announce.ts',
    find: '    warnOfSameWrite(executor, intent, operation)\n',
    replace: '',
    killedBy: running('answers with what the earlier one came to, and the handler is not run'),
  },
]

function running(title: string): Check {
  return test('test/execute/same-write.test.ts', title)
}
