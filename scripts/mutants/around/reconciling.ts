import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const ONE = 'src/ledger/reconcile/one.ts'
const PLAN = 'src/ledger/reconcile/plan.ts'
const CHOSEN = 'src/ledger/reconcile/chosen-probe.ts'
const EVIDENCE = 'src/ledger/reconcile/evidence.ts'
const WRITE = 'src/ledger/reconcile/write.ts'
const MANY = 'src/ledger/reconciling.ts'

const says = (title: string) => test('test/ledger/reconciling.test.ts', title)
const readings = (title: string) => test('test/ledger/reconciling-readings.test.ts', title)
const confirms = says(
  'confirms what carries the key, with its id, the result for a resumed run, and the reading as evidence',
)
const waits = says(
  'says absent only after arrival, lag and a second look, and obeys the time of the next useful one',
)
const stranger = readings(
  'asks by no probe that only a record holds, and hands no variable out for a configuration that nobody trusts',
)

/** The rules of reconcile: who is asked about, by which probe, and what is written of it. */
export const RECONCILING_MUTANTS: readonly Mutant[] = [
  {
    id: 'look-evidence-dropped',
    without: 'what a verdict rests on is kept with it',
    file: EVIDENCE,
    find: 'return latest.map(seen => ({',
    replace: 'return latest.slice(1).map(seen => ({',
    killedBy: confirms,
  },
  {
    id: 'empty-look-dropped',
    without: 'a look that concluded nothing is kept as evidence',
    file: WRITE,
    find: '    evidence: judged.evidence,\n    next_look_at',
    replace: '    evidence: [],\n    next_look_at',
    killedBy: waits,
  },
  {
    id: 'next-look-not-stored',
    without: 'the time of the next useful look is stored',
    file: WRITE,
    find: "verdict.verdict === 'inconclusive' ? verdict.next_look_at : null",
    replace: 'null',
    killedBy: waits,
  },
  {
    id: 'next-look-ignored',
    without: 'nothing is asked before a look can say something new',
    file: PLAN,
    find: 'if (next_look_at === null || next_look_at <= clock().at) return null',
    replace: 'if (next_look_at !== -1) return null',
    killedBy: waits,
  },
  {
    id: 'attempts-counted-late',
    without: 'an absence is for the attempts and the version before its first read',
    file: WRITE,
    find: 'seen_attempts: seen.attempts,\n            seen_version: seen.version,',
    replace: 'seen_attempts: state.operation.attempt,\n            seen_version: state.operation.version,',
    killedBy: readings('does not write an absence over what was sent while it was being read'),
  },
  {
    id: 'forged-reading-counts',
    without: 'a reading counts only where a look of ours made it',
    file: EVIDENCE,
    find: "if (kind !== 'probe' || origin !== 'looked_up') return []",
    replace: "if (kind !== 'probe') return []",
    killedBy: readings('counts no reading that was imported or told, though it looks like one of ours'),
  },
  {
    id: 'foreign-object-ours',
    without: 'an object that is bound to another operation is no match',
    file: ONE,
    find: 'boundTo: id => bound.get(nameOf(id)) ?? null,',
    replace: 'boundTo: () => null,',
    killedBy: readings('does not take the object of another operation for its own'),
  },
  {
    id: 'probe-of-the-record',
    without: 'a probe is taken from the configuration in use, never from a record',
    file: CHOSEN,
    find: 'Object.hasOwn(config.tools, tool) ? config.tools[tool]?.probe : undefined\n',
    replace: 'Object.hasOwn(config.tools, tool) ? config.tools[tool]?.probe : contract.probe\n',
    killedBy: stranger,
  },
  {
    id: 'variables-without-trust',
    without: 'variables are handed out for a trusted configuration alone',
    file: CHOSEN,
    find: 'if (runs === undefined && names.length === 0) return undefined',
    replace: 'if (runs === undefined) return undefined',
    killedBy: stranger,
  },
  {
    id: 'programs-without-trust',
    without: 'programs run for a trusted configuration alone',
    file: CHOSEN,
    find: 'if (trusted.trusted) return undefined',
    replace: 'if (trusted.trusted || runs !== undefined) return undefined',
    killedBy: test(
      'test/cli/trust.test.ts',
      'lets programs run until the configuration or what it runs is edited',
    ),
  },
  {
    id: 'stopped-look-written',
    without: 'a look that was broken off is not written',
    file: ONE,
    find: 'if (signal.aborted) return null',
    replace: 'if (latest.length < 0) return null',
    killedBy: says('goes on after a stop, and what was being asked then is not written'),
  },
  {
    id: 'dry-run-asks',
    without: 'a dry run sends nothing',
    file: ONE,
    find: 'if (dryRun) return wouldAsk(',
    replace: "if (dryRun && operation_id === '') return wouldAsk(",
    killedBy: says('sends and writes nothing in a dry run'),
  },
  {
    id: 'living-executor-asked-about',
    without: 'what an executor holds is left alone',
    file: PLAN,
    find: "if (!isAlive || lease_owner === 'remote' || lease_expires_at === null) return null",
    replace: 'if (isAlive || lease_expires_at === null) return null',
    killedBy: readings('writes down first that an executor is gone, and leaves alone one that lives'),
  },
  {
    id: 'orphan-not-written',
    without: 'that an executor is gone is written down before anything is asked',
    file: ONE,
    find: '  if (!isOrphaned) return record',
    replace: '  if (isOrphaned || !isOrphaned) return record',
    killedBy: readings('writes down first that an executor is gone, and leaves alone one that lives'),
  },
  {
    id: 'contradiction-not-written',
    without: 'what is found although it was settled as not executed contradicts that',
    file: WRITE,
    find: "return { type: 'contradict', reason, attempt: null, external_ids }\n  const",
    replace: "return { type: 'inconclusive' } as unknown as Request\n  const",
    killedBy: readings('contradicts what was settled as not executed and is there after all'),
  },
  {
    id: 'word-of-a-person-is-final',
    without: 'what a person confirmed is asked about again',
    file: PLAN,
    find: "if (status === 'confirmed' && (verification === null || verification === 'verified'))",
    replace: "if (status === 'confirmed')",
    killedBy: readings(
      'asks about what a person settled: a word becomes verified, or is said to be contradicted',
    ),
  },
  {
    id: 'remote-work-left-out',
    without: 'what a service took in is asked about with all that is in doubt',
    file: MANY,
    find: 'return [...ids, ...(await atWorkRemotely(session, filter))]',
    replace: 'return ids',
    killedBy: says('B5: follows what a service took in, and settles it when the service says so'),
  },
  {
    id: 'one-failure-ends-all',
    without: 'sources that answered are kept where another could not be asked',
    file: ONE,
    find: '    latest.push({ ...(await askProbe(probe, { facts, world, settleMs, keepsMs })), ...seen })\n',
    replace:
      "    {\n      const one = await askProbe(probe, { facts, world, settleMs, keepsMs })\n      latest.push({ ...one, ...seen })\n      if (one.completeness === 'failed') throw new Error(one.why)\n    }\n",
    killedBy: says(
      'S5: keeps what was answered where some could not be asked, and asks for those alone the next time',
    ),
  },
]
