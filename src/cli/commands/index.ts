import { type Entry, entry } from '../command.js'
import { abandon } from './abandon.js'
import { allowRetry } from './allow-retry.js'
import { apply } from './apply.js'
import { approve } from './approve.js'
import { archive } from './archive.js'
import { backup } from './backup.js'
import { cancel } from './cancel.js'
import { check } from './check.js'
import { checkpoint } from './checkpoint.js'
import { claim } from './claim.js'
import { compensate } from './compensate.js'
import { complete } from './complete.js'
import { completion } from './completion.js'
import { contracts } from './contracts.js'
import { defer } from './defer.js'
import { demo } from './demo.js'
import { deny } from './deny.js'
import { doctor } from './doctor.js'
import { exec } from './exec.js'
import { exportCommand } from './export.js'
import { handback } from './handback.js'
import { help } from './help.js'
import { importCommand } from './import.js'
import { init } from './init.js'
import { list } from './list.js'
import { log } from './log.js'
import { migrate } from './migrate.js'
import { note } from './note.js'
import { plan } from './plan.js'
import { prune } from './prune.js'
import { reconcile } from './reconcile.js'
import { record } from './record.js'
import { redact } from './redact.js'
import { release } from './release.js'
import { reopen } from './reopen.js'
import { report } from './report.js'
import { resolve } from './resolve.js'
import { revoke } from './revoke.js'
import { schema } from './schema.js'
import { seal } from './seal.js'
import { show } from './show.js'
import { status } from './status.js'
import { takeover } from './takeover.js'
import { tasks } from './tasks.js'
import { triage } from './triage.js'
import { trust } from './trust.js'
import { verify } from './verify.js'
import { watch } from './watch.js'

/** Every command, in the order help shows them within their chapter. A new command is its file and one line here. */
export const COMMANDS: readonly Entry[] = [
  entry(status, () => import('./status.js')),
  entry(list, () => import('./list.js')),
  entry(show, () => import('./show.js')),
  entry(tasks, () => import('./tasks.js')),
  entry(log, () => import('./log.js')),
  entry(check, () => import('./check.js')),
  entry(report, () => import('./report.js')),
  entry(contracts, () => import('./contracts.js')),
  entry(checkpoint, () => import('./checkpoint.js')),
  entry(triage, () => import('./triage.js')),
  entry(importCommand, () => import('./import.js')),
  entry(approve, () => import('./approve.js')),
  entry(deny, () => import('./deny.js')),
  entry(revoke, () => import('./revoke.js')),
  entry(reconcile, () => import('./reconcile.js')),
  entry(resolve, () => import('./resolve.js')),
  entry(allowRetry, () => import('./allow-retry.js')),
  entry(compensate, () => import('./compensate.js')),
  entry(reopen, () => import('./reopen.js')),
  entry(abandon, () => import('./abandon.js')),
  entry(cancel, () => import('./cancel.js')),
  entry(defer, () => import('./defer.js')),
  entry(plan, () => import('./plan.js')),
  entry(apply, () => import('./apply.js')),
  entry(note, () => import('./note.js')),
  entry(takeover, () => import('./takeover.js')),
  entry(handback, () => import('./handback.js')),
  entry(claim, () => import('./claim.js')),
  entry(release, () => import('./release.js')),
  entry(exec, () => import('./exec.js')),
  entry(record, () => import('./record.js')),
  entry(init, () => import('./init.js')),
  entry(watch, () => import('./watch.js')),
  entry(verify, () => import('./verify.js')),
  entry(seal, () => import('./seal.js')),
  entry(redact, () => import('./redact.js')),
  entry(backup, () => import('./backup.js')),
  entry(exportCommand, () => import('./export.js')),
  entry(migrate, () => import('./migrate.js')),
  entry(prune, () => import('./prune.js')),
  entry(archive, () => import('./archive.js')),
  entry(doctor, () => import('./doctor.js')),
  entry(trust, () => import('./trust.js')),
  entry(schema, () => import('./schema.js')),
  entry(completion, () => import('./completion.js')),
  entry(complete, () => import('./complete.js')),
  entry(demo, () => import('./demo.js')),
  entry(help, () => import('./help.js')),
]
