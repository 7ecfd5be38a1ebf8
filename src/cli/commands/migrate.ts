import { isAbsolute, resolve } from 'node:path'
import { MIGRATE_FIELDS, type MigrateBody } from '../../core/documents/migrate.js'
import { LedgerError } from '../../core/errors.js'
import { type Safe, words } from '../../core/safe-text.js'
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
  const { to, assumeWorkersStopped, dryRun, takeBack, partitions: split } = given
  if (to === undefined && split !== undefined) return splitHere({ ...given, partitions: split }, deps)
  if (to === undefined)
    throw new LedgerError('usage', '--to is missing', {
      path: '--to',
      hint: "Name the place: agent-ledger migrate --to 'postgresql://…?schema=agents'; or give --partitions to split it here.",
    })
  if (dryRun && takeBack)
    throw new LedgerError('usage', '--dry-run and --take-back do not go together', { path: '--dry-run' })
  const { chosenLedger } = await import('../chosen-ledger.js')
  const { moveTo } = await import('../../ledger/moving.js')
  const { io, global } = deps
  const { location } = await chosenLedger({
    ledger: global.ledger,
    config: global.config,
    env: io.env,
    cwd: io.cwd,
  })
  const target = /^[a-z][a-z0-9+.-]+:/i.test(to) || isAbsolute(to) ? to : resolve(io.cwd, to)
  const options = {
    to: target,
    actor: await deps.actor(),
    waitMs: deps.waitMs,
    assumeStopped: assumeWorkersStopped,
    ...(split === undefined ? {} : { partitions: split }),
    signal: deps.signal,
    onProgress: toldProgress(deps),
  }
  if (!dryRun) {
    const { confirm } = await import('../confirm.js')
    const would = takeBack ? null : await moveTo(location, { ...options, dryRun: true })
    if (would?.was_there !== true) await confirm({ decision: decision(would, deps) }, deps)
  }
  const moved = await moveTo(location, { ...options, dryRun, takeBack })
  const body: MigrateBody = {
    ledger_id: moved.ledger_id,
    from: moved.from,
    to: moved.to,
    rows: moved.rows,
    outcome: takeBack ? 'taken_back' : moved.was_there ? 'was_there' : dryRun ? 'would_move' : 'moved',
  }
  await printDocument(
    { schema: 'migrate@1', ledger: moved.from, body, fields: MIGRATE_FIELDS, text: () => said(body, deps) },
    deps,
  )
  return 0
}

/** Splits the tables where they are. */
async function splitHere(
  { partitions: split, dryRun, takeBack }: Given<typeof migrate> & { readonly partitions: number },
  deps: Deps,
): Promise<number> {
  if (dryRun && takeBack)
    throw new LedgerError('usage', '--dry-run and --take-back do not go together', { path: '--dry-run' })
  const { chosenLedger } = await import('../chosen-ledger.js')
  const { splitInto } = await import('../../ledger/moving.js')
  const { io, global, show } = deps
  const named = { ledger: global.ledger, config: global.config, env: io.env, cwd: io.cwd }
  const { location } = await chosenLedger(named)
  const options = {
    partitions: split,
    actor: await deps.actor(),
    waitMs: deps.waitMs,
    signal: deps.signal,
    onProgress: toldProgress(deps),
  }
  if (!dryRun) {
    const { confirm } = await import('../confirm.js')
    const would = takeBack ? null : await splitInto(location, { ...options, dryRun: true })
    const what =
      would === null
        ? words`Give the split up, and remove what was copied`
        : words`Split the large tables of ${show(would.place)} (${would.rows} rows) into ${split} partitions`
    if (would?.was_there !== true) await confirm({ decision: what }, deps)
  }
  const done = await splitInto(location, { ...options, dryRun, takeBack })
  const body: MigrateBody = {
    ledger_id: done.ledger_id,
    from: done.place,
    to: done.place,
    rows: done.rows,
    outcome: takeBack ? 'taken_back' : done.was_there ? 'was_there' : dryRun ? 'would_split' : 'split',
  }
  await printDocument(
    { schema: 'migrate@1', ledger: done.place, body, fields: MIGRATE_FIELDS, text: () => said(body, deps) },
    deps,
  )
  return 0
}

function decision(
  would: { readonly from: string; readonly to: string; readonly rows: number } | null,
  { show }: Deps,
): Safe {
  if (would === null) return words`Give the move up, and use the ledger where it was`
  return words`Move ${show(would.from)} (${would.rows} rows) to ${show(would.to)}, and write nothing where it was`
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
