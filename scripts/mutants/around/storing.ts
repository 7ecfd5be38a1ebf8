import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const SQLITE = 'src/store/sqlite/sqlite.ts'
const FAULTS = 'test/store/faults.test.ts'

/** What a commit promises to those who wait for it. */
export const STORING_MUTANTS: readonly Mutant[] = [
  {
    id: 'failed-commit-on-the-same-connection',
    without: 'after a failed commit the file is opened anew',
    file: SQLITE,
    find: "if (came !== 'done') drop()",
    replace: '',
    killedBy: test(FAULTS, 'is unknown to its caller, and the file is opened anew before anything else'),
  },
  {
    id: 'failed-commit-is-none',
    without: 'a commit that failed may have been written',
    file: SQLITE,
    find: "const facts = { commit: 'unknown' }",
    replace: "const facts = { commit: 'none' }",
    killedBy: test(FAULTS, 'may have been written: reading again tells'),
  },
  {
    id: 'log-not-written-back',
    without: 'after an I/O error at COMMIT the log is written back before anything else',
    file: SQLITE,
    find: 'if (isLogDoubtful) await',
    replace: 'if (isLogDoubtful && isClosed) await',
    killedBy: test(
      FAULTS,
      'nothing is written until what the log holds is in the file too, for an fsync of the log proves nothing any more',
    ),
  },
  {
    id: 'member-goes-on-before-commit',
    without: 'nobody goes on before COMMIT returned',
    file: SQLITE,
    find: 'settle = () => resolve(value)',
    replace: 'resolve(value)',
    killedBy: test(FAULTS, 'is unknown to every member of it, and to none that had failed before'),
  },
  {
    id: 'durability-not-set',
    without: 'every connection syncs at every commit',
    file: 'src/store/sqlite/connection.ts',
    find: "{ name: 'synchronous', value: 'full', reads: 2 }",
    replace: "{ name: 'synchronous', value: 'normal', reads: 1 }",
    killedBy: test(
      'test/store/open.test.ts',
      'has every setting that durability rests on, on every connection',
    ),
  },
]
