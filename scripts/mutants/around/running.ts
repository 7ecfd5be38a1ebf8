import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const PROGRAM = 'src/probes/program.ts'
const ANSWER = 'src/probes/program-answer.ts'
const COMMAND = 'src/probes/command.ts'
const GIT = 'src/probes/git.ts'
const NPM = 'src/probes/npm.ts'

const programs = (title: string) => test('test/probes/programs.test.ts', title)

/** The rules of the probes that run a program: commands, git, npm. */
export const RUNNING_MUTANTS: readonly Mutant[] = [
  {
    id: 'program-exit-ignored',
    without: 'a program that ends with another code than 0 has not answered',
    file: COMMAND,
    find: 'if (ran.code !== 0) {',
    replace: 'if (ran.code < 0) {',
    killedBy: programs('failed where it fails'),
  },
  {
    id: 'silent-program-is-empty',
    without: 'a program that exits 0 in silence found nothing out',
    file: ANSWER,
    find: "if (stdout.trim() === '') return no(",
    replace:
      "if (stdout.trim() === '') return answered({ completeness: 'complete', matches: [], parent: 'readable', statements: [], remote: null, disagreements: [] })\n  if (stdout.trim() === '') return no(",
    killedBy: programs('is not understood where it says nothing and ends with 0'),
  },
  {
    id: 'program-hangs',
    without: 'a program that hangs is ended with all it began',
    file: PROGRAM,
    find: "if (pid !== undefined) world.signalGroup(pid, 'SIGKILL')",
    replace: "if (pid !== undefined) process.kill(pid, 'SIGKILL')",
    killedBy: programs('that hangs is ended with all it began'),
  },
  {
    id: 'program-says-too-much',
    without: 'what a program says is read up to a bound',
    file: PROGRAM,
    find: 'if (bytes > program.maxBytes)\n',
    replace: 'if (bytes < 0)\n',
    killedBy: programs('that says too much is ended'),
  },
  {
    id: 'program-gets-everything',
    without: 'a program gets no variable that is not named',
    file: PROGRAM,
    find: 'return { env: Object.fromEntries(given) }',
    replace:
      'return { env: Object.fromEntries([...Object.entries(env), ...given]) as Record<string, string> }',
    killedBy: programs('gets no variable that is not named, and one that it prints is masked'),
  },
  {
    id: 'value-becomes-option',
    without: 'a value of a record never becomes an option of a program',
    file: COMMAND,
    find: "if (i > 0 && text.text.startsWith('-') && !part.startsWith('-'))",
    replace: 'if (i < 0)',
    killedBy: programs('is given no option that a value of the record would be'),
  },
  {
    id: 'git-failure-is-empty',
    without: 'a remote that cannot be read is no remote without the ref',
    file: GIT,
    find: '  if (listed.code !== 0)\n',
    replace: '  if (listed.code < 0)\n',
    killedBy: test(
      'test/probes/places.test.ts',
      'failed where there is no repository, and asks for no commit that is none',
    ),
  },
  {
    id: 'npm-integrity-skipped',
    without: 'a version is ours by its integrity',
    file: NPM,
    find: '    found === integrity\n',
    replace: '    found !== undefined\n',
    killedBy: test(
      'test/probes/contracts/npm.test.ts',
      'B2: confirms a version with our integrity, and not one that somebody published with other content',
    ),
  },
  {
    id: 'npm-time-skipped',
    without: 'time against versions is a contradiction, not an absence',
    file: NPM,
    find: 'if (!isListed && time !== undefined)',
    replace: "if (!isListed && time === '')",
    killedBy: test(
      'test/probes/contracts/npm.test.ts',
      'B1: stays unknown where time has the version and versions has not, and shows both',
    ),
  },
]
