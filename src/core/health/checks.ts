import { formatAge } from '../duration.js'
import { isoTime } from '../iso-time.js'
import { isClockDoubtful } from '../time.js'
import type { FileFacts, HealthFacts, InsideFacts, Problem } from './facts.js'
import { fail, type Health, type HealthCheck, ok, warn } from './health.js'
import { SERVER_CHECKS } from './server-checks.js'

export type { Health, HealthCheck } from './health.js'

const MEGABYTE = 1_048_576
/** Below this the outcome of what is under way may not fit any more. */
const TOO_LITTLE_SPACE = 16 * MEGABYTE
const LITTLE_SPACE = 256 * MEGABYTE
/** A -wal is folded back at 4 MB and cut at 64 MB, unless somebody reads all the time. */
const LARGE_WAL = 64 * MEGABYTE

export const HEALTH_CHECKS: readonly HealthCheck[] = [
  {
    id: 'node',
    title: 'Node.js',
    reason: 'older versions lack what this program is built with',
    judge: ({ node }) =>
      isAtLeast(node, [20, 19, 0])
        ? ok(`version ${node}`)
        : fail(`version ${node} is too old`, 'Install Node.js 20.19 or newer.'),
  },
  {
    id: 'sqlite',
    title: 'SQLite',
    reason: 'versions before 3.51.3 can corrupt a ledger that several processes write (sqlite.org/wal.html)',
    judge: ({ sqlite }) =>
      isAtLeast(sqlite, [3, 51, 3])
        ? ok(`version ${sqlite}`)
        : fail(`version ${sqlite} can corrupt a ledger`, 'Install better-sqlite3 12.11.1 or newer.'),
  },
  {
    id: 'config',
    title: 'configuration',
    reason: 'what it declares of a tool decides what is safe to repeat',
    judge: ({ config: { path, problem } }) => {
      if (problem !== null) return failed(problem)
      return ok(path === null ? 'none; tools without one count as unsafe to repeat' : path)
    },
  },
  {
    id: 'actor',
    title: 'who decides',
    reason: 'every decision names its author for ever',
    judge: ({ actor }) =>
      actor.startsWith('os:')
        ? warn(actor, 'Name yourself with --by, AGENT_LEDGER_BY, `identity:` or git config user.email.')
        : ok(actor),
  },
  {
    id: 'boot_clock',
    title: 'clock that does not jump',
    reason: 'without it a wall clock set forward ends leases and settles too early',
    judge: ({ now }) =>
      now.boot_id === ''
        ? warn(
            'this system names no boot',
            'Leases and waiting times rest on the wall clock alone: keep it synchronised.',
          )
        : ok('wall time is checked against the clock since boot'),
  },
  {
    id: 'ledger',
    title: 'ledger',
    reason: 'nothing works without one',
    judge: ({ location, problem, inside }) => {
      if (problem !== null) return failed(problem)
      return ok(inside === null ? (location ?? 'none') : `${location} (${inside.ledger_id})`)
    },
  },
  ofFile(
    'filesystem',
    'file system',
    'SQLite shares memory between processes; network file systems cannot',
    file => {
      const { unsafe, type } = file.filesystem
      if (unsafe !== null)
        return fail(
          `it is on ${unsafe}`,
          'Move the ledger to a local disk or a named volume, and name it with --ledger.',
        )
      return type === null
        ? warn('the system does not say which one it is', 'Keep the ledger on a local disk.')
        : ok(`type 0x${type.toString(16)}`)
    },
  ),
  ofFile(
    'permissions',
    'who may read it',
    'it holds what agents sent, secrets in their input included',
    file => {
      const others = [file.mode, ...file.beside_modes].filter(mode => (mode & 0o077) !== 0)
      if ((file.directory_mode & 0o002) !== 0)
        return fail(
          'anybody may replace it: its folder is writable for all',
          'Take the permission away: chmod o-w on the folder.',
        )
      if (others.length > 0)
        return warn(
          `other users may open it (mode ${octal(others[0] ?? 0)})`,
          'chmod 600 the ledger, its -wal and its -shm.',
        )
      if (file.is_own === false)
        return warn('it belongs to another user', 'Run this as its owner, or change the owner.')
      return ok(`only its owner (mode ${octal(file.mode)})`)
    },
  ),
  ofFile(
    'space',
    'free space',
    'an outcome that cannot be written leaves its operation in doubt',
    ({ free_bytes }) => {
      if (free_bytes === null) return warn('the system does not say', 'Look at the disk yourself.')
      const says = `${Math.floor(free_bytes / MEGABYTE)} MB`
      if (free_bytes < TOO_LITTLE_SPACE) return fail(says, 'Free space now: soon no outcome can be recorded.')
      return free_bytes < LITTLE_SPACE ? warn(says, 'Free some space.') : ok(says)
    },
  ),
  ofFile(
    'journal',
    'write-ahead log',
    'what is committed may stand in the -wal alone',
    ({ journal, wal_bytes, is_open }) => {
      if (journal === 'rollback')
        return warn(
          'the file is in rollback mode, as a backup is',
          'The first opening for writing changes that.',
        )
      if (wal_bytes === 0) return ok('none is left')
      const size = `${Math.ceil(wal_bytes / 1024)} KB`
      if (is_open === false)
        return warn(
          `${size} are left of a writer that did not close it`,
          'Nothing is lost: copy ledger and -wal together, and the next opening for writing folds it in.',
        )
      return wal_bytes > LARGE_WAL
        ? warn(`${size}: somebody reads all the time`, 'End readers that hold the ledger open.')
        : ok(`${size}, in use`)
    },
  ),
  ofInside(
    'schema',
    'schema',
    'an older one is read, and written by the version that made it',
    ({ schema, newest_schema }) =>
      schema === newest_schema
        ? ok(`version ${schema}`)
        : warn(
            `version ${schema}, this program writes ${newest_schema}`,
            'Write it with the version of agent-ledger that made it.',
          ),
  ),
  ...SERVER_CHECKS,
  ofInside('pages', 'pages', 'a damaged page can hide what is in doubt', ({ damages }) =>
    damages.length === 0
      ? ok('the database finds nothing wrong')
      : {
          ...fail(
            `damaged: ${damages[0]}${damages.length > 1 ? ` and ${damages.length - 1} more` : ''}`,
            'Keep ledger and -wal as they are, copy both, and restore a backup; `sqlite3 copy.db .recover` reads what is left.',
          ),
          exit_code: 3,
        },
  ),
  ofInside(
    'incarnation',
    'the file itself',
    'a copy may lack what the original sent since',
    ({ is_home, incarnation }) =>
      is_home
        ? ok(incarnation === 1 ? 'the original' : `incarnation ${incarnation}`)
        : warn(
            'this is a copy or a restored file',
            'Its prepared operations may have been sent since: after the first opening for writing they wait for a person.',
          ),
  ),
  {
    id: 'clock',
    title: 'clock since the last commit',
    reason: 'ages are told from it: leases, arrival, how long a key is known',
    judge: ({ now, inside }) => {
      if (inside === null) return null
      const { last_commit: last } = inside
      if (last === null) return ok('nothing is written yet')
      if (now.at < last.at)
        return warn(
          `it is ${formatAge(last.at - now.at)} behind the last commit (${isoTime(last.at)})`,
          'Set the clock: until then new events bear the time of the last one.',
        )
      return isClockDoubtful(last, now)
        ? warn(
            'it jumped since the last commit',
            'Set the clock: until it is in order nothing is sent again by itself.',
          )
        : ok(`the last commit was ${formatAge(now.at - last.at)} ago`)
    },
  },
  {
    id: 'receipts',
    title: 'receipts that wait',
    reason: 'an outcome that could not be recorded stands beside the ledger until it is taken in',
    judge: ({ receipts, location }) => {
      if (location === null) return null
      return receipts === 0
        ? ok('none')
        : warn(
            `${receipts}`,
            'They are taken in at the next opening for writing: any command that decides, or the agent.',
          )
    },
  },
]

/** What every check says, in their order; those with nothing to look at are left out. */
export function examineHealth(facts: HealthFacts) {
  return HEALTH_CHECKS.flatMap(check => {
    const health = check.judge(facts)
    return health === null ? [] : [{ ...check, ...health }]
  })
}

/** 0 while nothing failed; else the code of the first failure that has one of its own, or `otherwise`. */
export function healthExitCode(found: readonly Health[], otherwise: number): number {
  const failures = found.filter(({ status }) => status === 'fail')
  if (failures.length === 0) return 0
  return failures.find(({ exit_code }) => exit_code !== undefined)?.exit_code ?? otherwise
}

function ofFile(id: string, title: string, reason: string, judge: (file: FileFacts) => Health): HealthCheck {
  return { id, title, reason, judge: ({ file }) => (file === null ? null : judge(file)) }
}

function ofInside(
  id: string,
  title: string,
  reason: string,
  judge: (inside: InsideFacts) => Health,
): HealthCheck {
  return { id, title, reason, judge: ({ inside }) => (inside === null ? null : judge(inside)) }
}

function failed({ message, hint, exit_code }: Problem): Health {
  return { status: 'fail', says: message, advice: hint, exit_code }
}

function isAtLeast(version: string, least: readonly [number, number, number]): boolean {
  const parts = version.split('.').map(Number)
  for (const [i, wanted] of least.entries()) {
    const part = parts[i] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}
