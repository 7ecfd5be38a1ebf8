import { isSafeToRepeat } from '../core/repeat.js'
import type { Stamp } from '../core/time.js'
import type { Decision } from '../core/transitions/by-person.js'
import type { Previewed } from './preview.js'

interface Asked {
  readonly type: Decision['type']
  readonly preview: Previewed
  readonly now: Stamp
}

/** What makes a decision dangerous: it can lead to a second effect, or to an effect that nobody looks for any more. */
interface Danger {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly holds: (asked: Asked) => boolean
}

/** When one of these holds, the six-character code has to be typed; a plain y is not enough. */
export const DANGERS: readonly Danger[] = [
  {
    id: 'may_run_again',
    title: 'whoever carries this task on may send it again',
    reason: 'not executed means that nothing stands in the way of another attempt',
    holds: ({ type, preview, now }) => {
      const { operation } = preview.after
      const isUnsafe = !isSafeToRepeat({ operation: preview.before, now, targetTouched: null }).safe
      return type === 'resolve_not_executed' && (isUnsafe || operation.flags.early === true)
    },
  },
  {
    id: 'early',
    title: 'an attempt of it can still arrive',
    reason: 'then it happens although it is settled as not executed',
    holds: ({ preview }) =>
      preview.after.operation.flags.early === true && preview.before.flags.early !== true,
  },
  {
    id: 'other_target',
    title: 'it touched another target than was asked for',
    reason: 'the one that was asked for counts as done and is not touched',
    holds: ({ type, preview }) =>
      type === 'resolve_confirmed' && preview.after.operation.flags.accepted_target !== undefined,
  },
  {
    id: 'without_evidence',
    title: 'there is no evidence',
    reason: 'nobody can tell later why it was settled so',
    holds: ({ preview }) => preview.after.operation.flags.without_evidence === true,
  },
  {
    id: 'nobody_asks',
    title: 'nobody will ask any more whether it happened',
    reason: 'an abandoned operation leaves every list of what is open',
    holds: ({ type }) => type === 'abandon',
  },
  {
    id: 'final',
    title: 'a denial is final',
    reason: 'nobody can take it back',
    holds: ({ type }) => type === 'deny',
  },
  {
    id: 'duplicate',
    title: 'it is sent again although it may have taken effect',
    reason: 'the service does not recognise the repeat',
    holds: ({ type, preview }) =>
      type === 'allow_retry' && preview.after.operation.flags.duplicate_allowed === true,
  },
]

/** The dangers of a decision, in the order of the list; none means that a plain yes is enough. */
export function dangersOf(asked: Asked): readonly Danger[] {
  return DANGERS.filter(danger => danger.holds(asked))
}
