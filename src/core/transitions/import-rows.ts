import { OPERATION_STATUSES, type OperationStatus } from '../operation.js'
import { evidenceGiven } from './guards/decision.js'
import { followsTheirs, recordSays, theirNewAttempt, theirRecordEndsDoubt } from './guards/importing.js'
import { neverContradicted, neverSent } from './guards/outcome.js'
import { row, type Transition } from './transition.js'

const says = (status: OperationStatus) => ({ when: [recordSays(status)] })
const theirs = [followsTheirs, evidenceGiven] as const
const GOES_ON: readonly OperationStatus[] = ['prepared', 'in_flight', 'unknown', 'confirmed']

/**
 * What another system's record does to an operation. The first reading takes it over as it stands there. A later one
 * moves it on where it brings evidence of an outcome, and follows the other system's own moves while nobody here has
 * decided anything. All else is kept as evidence alone.
 */
export const IMPORTS: readonly Transition[] = [
  ...OPERATION_STATUSES.map(status =>
    row('import', ['none'], status, 'another system’s record of it is taken over as it stands there', {
      ...says(status),
      guards: [evidenceGiven],
    }),
  ),
  row(
    'import',
    ['prepared', 'in_flight', 'unknown'],
    'confirmed',
    'their record says by now that it took effect',
    {
      ...says('confirmed'),
      guards: [evidenceGiven],
      liveEnds: 'ambiguous',
      fences: true,
    },
  ),
  row(
    'import',
    ['prepared', 'in_flight', 'unknown'],
    'not_executed',
    'their record says by now that no attempt took effect',
    {
      ...says('not_executed'),
      guards: [neverContradicted, theirRecordEndsDoubt, evidenceGiven],
      liveEnds: 'ambiguous',
      fences: true,
    },
  ),
  row('import', ['prepared', 'in_flight'], 'unknown', 'their record lost its answer', {
    ...says('unknown'),
    guards: theirs,
    liveEnds: 'ambiguous',
  }),
  row('import', ['prepared', 'unknown'], 'in_flight', 'the other system sends it', {
    ...says('in_flight'),
    guards: theirs,
  }),
  row('import', ['in_flight', 'unknown'], 'prepared', 'the other system will send it again', {
    ...says('prepared'),
    guards: theirs,
    liveEnds: 'ambiguous',
  }),
  row('import', ['prepared'], 'cancelled', 'the other system gave it up before anything was sent', {
    ...says('cancelled'),
    guards: [neverSent, ...theirs],
  }),
  row('import', ['unknown'], 'abandoned', 'the other system stopped asking', {
    ...says('abandoned'),
    guards: theirs,
  }),
  ...GOES_ON.map(status =>
    row('import', ['not_executed'], status, 'the other system tried it once more', {
      ...says(status),
      guards: [theirNewAttempt, ...theirs],
    }),
  ),
  ...OPERATION_STATUSES.map(status =>
    row('import', [status], status, 'their record says more of the same', {
      ...says(status),
      guards: [evidenceGiven],
    }),
  ),
]
