import { isAbsolute, resolve } from 'node:path'
import { MIGRATE_FIELDS, type MigrateBody } from '../../core/documents/migrate.js'
import { LedgerError } from '../../core/errors.js'
import { type Safe, words } from '../../core/safe-text.js'
import type { MoveOptions } from '../../ledger/moving.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { flag, partitions, someText, value } from '../parameters.js'

export const migrate = command({
  name: 'migrate',
  chapter: 'Keep',
  summary: 'move the ledger to another place, from a file to PostgreSQL or back; or split it where it is',
  details: [
    'Every row of every table goes over with its numbers, ids and hashes; the chains, rows and counts of the copy are compared with the original before anybody can open it. The place must be free: the tables are made there.',
    'The original is checked, then fenced: from then on nothing is written there, also by programs that have it open, and opening it names the new place. It stays as it is, to be put aside by you.',
    'After a kill or a lost connection run the same again: it goes on where it was. --take-back gives an unfinished move up instead.',
    'It refuses while agents hold leases that have not lapsed, and while outcomes wait beside the ledger. Stop agents and supervisors first.',
    '--partitions without --to splits the large tables of a ledger in PostgreSQL where it is, while agents go on: new tables are filled beside the old ones, compared, and put in their place in one commit. With --to the new place is made so.',
  ],
  args: {},
  options: {
    to: value('place', 'a path or a postgresql:// URL where no ledger is', someText),
    assumeWorkersStopped: flag('leases that have not lapsed are of agents that are gone'),
    partitions,
    dryRun: flag('look whether it can be done, and write nothing'),
    takeBack: flag('give an unfinished move up, and use the ledger where it was'),
  },
  examples: [
    {
      line: "agent-ledger migrate --dry-run --to 'postgresql://ana@db/ops?schema=agents'",
      does: 'check it, and say how many rows would go',
    },
    { line: "agent-ledger migrate --yes --to 'postgresql://ana@db/ops?schema=agents'", does: 'move it' },
    { line: 'agent-ledger migrate --yes --to ledger.db', does: 'back to a file' },
    { line: 'agent-ledger migrate --yes --partitions 16', does: 'split a ledger in PostgreSQL where it is' },
  ],
  documents: ['migrate@1'],
  fields: MIGRATE_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof migrate>, deps: Deps): Promise<number> {
  const { dryRun, takeBack } = given
  if (dryRun && takeBack)
    throw new LedgerError('usage', '--dry-run and --take-back do not go together', { path: '--dry-run' })
  const { go, decision, outcomes } = await wayOf(given, deps)
  if (!dryRun) {
    const { confirm } = await import('../confirm.js')
    const would = takeBack ? null : await go({ dryRun: true })
    if (would?.was_there !== true) await confirm({ decision: decision(would) }, deps)
  }
  const { ledger_id, from, to, rows, was_there } = await go({ dryRun, takeBack })
  const done = dryRun ? outcomes.would : outcomes.done
  const outcome = takeBack ? 'taken_back' : was_there ? 'was_there' : done
  const body: MigrateBody = { ledger_id, from, to, rows, outcome }
  await printDocument(
    { schema: 'migrate@1', ledger: from, body, fields: MIGRATE_FIELDS, text: () => said(body, deps) },
    deps,
  )
  return 0
}

interface Gone extends Pick<MigrateBody, 'ledger_id' | 'from' | 'to' | 'rows'> {
  readonly was_there: boolean
}

/** To another place, or split where it is. */
interface Way {
  readonly go: (how: { readonly dryRun?: boolean; readonly takeBack?: boolean }) => Promise<Gone>
  /** what is asked, by what a look would do; null: it is given up */
  readonly decision: (would: Gone | null) => Safe
  readonly outcomes: Readonly<Record<'done' | 'would', MigrateBody['outcome']>>
}

async function wayOf(given: Given<typeof migrate>, deps: Deps): Promise<Way> {
  const { to, partitions: split, assumeWorkersStopped } = given
  if (to !== undefined) {
    const isWhole = /^[a-z][a-z0-9+.-]+:/i.test(to) || isAbsolute(to)
    const asked = {
      to: isWhole ? to : resolve(deps.io.cwd, to),
      assumeStopped: assumeWorkersStopped,
      ...(split === undefined ? {} : { partitions: split }),
    }
    return moving(asked, deps)
  }
  if (split === undefined)
    throw new LedgerError('usage', '--to is missing', {
      path: '--to',
      hint: "Name the place: agent-ledger migrate --to 'postgresql://…?schema=agents'; or give --partitions to split it here.",
    })
  return splitting({ partitions: split }, deps)
}

/** Which ledger it is about, and how the work on it is done. */
async function here(deps: Deps) {
  const { io, global, waitMs, signal } = deps
  const { chosenLedger } = await import('../chosen-ledger.js')
  const named = { ledger: global.ledger, config: global.config, env: io.env, cwd: io.cwd }
  const { location } = await chosenLedger(named)
  return { location, work: { actor: await deps.actor(), waitMs, signal, onProgress: toldProgress(deps) } }
}

async function moving(asked: Pick<MoveOptions, 'to'>, deps: Deps): Promise<Way> {
  const { moveTo } = await import('../../ledger/moving.js')
  const { location, work } = await here(deps)
  const { show } = deps
  return {
    go: how => moveTo(location, { ...work, ...asked, ...how }),
    decision: would =>
      would === null
        ? words`Give the move up, and use the ledger where it was`
        : words`Move ${show(would.from)} (${would.rows} rows) to ${show(would.to)}, and write nothing where it was`,
    outcomes: { done: 'moved', would: 'would_move' },
  }
}

async function splitting(asked: { readonly partitions: number }, deps: Deps): Promise<Way> {
  const { splitInto } = await import('../../ledger/moving.js')
  const { location, work } = await here(deps)
  const { show } = deps
  return {
    go: async how => {
      const { ledger_id, place, rows, was_there } = await splitInto(location, { ...work, ...asked, ...how })
      return { ledger_id, from: place, to: place, rows, was_there }
    },
    decision: would =>
      would === null
        ? words`Give the split up, and remove what was copied`
        : words`Split the large tables of ${show(would.from)} (${would.rows} rows) into ${asked.partitions} partitions`,
    outcomes: { done: 'split', would: 'would_split' },
  }
}

function said({ from, to, rows, outcome }: MigrateBody, { show }: Deps): Safe {
  switch (outcome) {
    case 'moved':
      return words`moved ${show(from)} to ${show(to)}: ${rows} rows, compared and verified
next: name the new place in AGENT_LEDGER or the configuration; ${show(from)} stays as it was, and takes no writes`
    case 'was_there':
      if (from === to) return words`${show(to)} is split so already: an earlier call finished it`
      return words`${show(to)} is the ledger already: an earlier call finished the move`
    case 'taken_back':
      if (from === to) return words`${show(from)} is as it was; what was copied is removed`
      return words`${show(from)} is the ledger again; what was copied to ${show(to)} is none, and can be removed`
    case 'split':
      return words`split ${show(from)}: ${rows} rows, the same in the old tables and the new in one moment
next: agents go on as they are`
    case 'would_split':
      return words`${show(from)} can be split where it is: ${rows} rows; nothing was written`
    case 'would_move':
      return words`${show(from)} can be moved to ${show(to)}: ${rows} rows; nothing was written`
  }
}

/** A terminal is told at most twice a second. */
function toldProgress({ io, say, clock }: Deps) {
  let last = 0
  let told = ''
  return ({ stage, rows, of }: { readonly stage: string; readonly rows: number; readonly of: number }) => {
    if (!io.stderr.isTerminal && rows < of && stage !== 'checking') return
    const now = clock()
    if (now - last < 500 && rows > 0 && rows < of) return
    const next = `${stage} ${rows}`
    if (next === told) return
    last = now
    told = next
    void say(
      words`${stage === 'checking' ? words`checking` : stage === 'copying' ? words`copied` : words`compared`} ${rows} of ${of} rows`,
    )
  }
}
