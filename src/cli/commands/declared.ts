import type { Command } from '../command.js'
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

/** The declaration of every command, in the order help shows them within their chapter. */
export const DECLARED: readonly Command[] = [
  status,
  list,
  show,
  tasks,
  log,
  check,
  report,
  contracts,
  checkpoint,
  triage,
  importCommand,
  approve,
  deny,
  revoke,
  reconcile,
  resolve,
  allowRetry,
  compensate,
  reopen,
  abandon,
  cancel,
  defer,
  plan,
  apply,
  note,
  takeover,
  handback,
  claim,
  release,
  exec,
  record,
  init,
  watch,
  verify,
  seal,
  redact,
  backup,
  exportCommand,
  migrate,
  prune,
  archive,
  doctor,
  trust,
  schema,
  completion,
  complete,
  demo,
  help,
]
