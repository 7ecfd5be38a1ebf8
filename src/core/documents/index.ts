import type { ZodType } from 'zod'
import { applyDocument } from './apply-schema.js'
import { archiveDocument } from './archive-schema.js'
import { backupDocument } from './backup-schema.js'
import { checkDocument } from './check-schema.js'
import { checkpointDocument } from './checkpoint-schema.js'
import { contractsDocument } from './contracts-schema.js'
import { decisionDocument } from './decision-schema.js'
import { doctorDocument } from './doctor-schema.js'
import { errorDocument } from './error.js'
import { importDocument } from './import-schema.js'
import { initDocument } from './init-schema.js'
import { listDocument } from './list-schema.js'
import { logDocument } from './log-schema.js'
import { migrateDocument } from './migrate-schema.js'
import { pruneDocument } from './prune-schema.js'
import { reconcileDocument } from './reconcile-schema.js'
import { recordDocument } from './record-schema.js'
import { redactDocument } from './redact-schema.js'
import { reportDocument } from './report-schema.js'
import { resolveDocument } from './resolve-schema.js'
import { sealDocument } from './seal-schema.js'
import { showDocument } from './show-schema.js'
import { statusDocument } from './status-schema.js'
import { tasksDocument } from './tasks-schema.js'
import { trustDocument } from './trust-schema.js'
import { verifyDocument } from './verify-schema.js'
import { versionDocument } from './version.js'
import { watchDocument } from './watch-schema.js'

/** Every JSON document the command line prints, by its name. A new document is its file and one line here. */
export const DOCUMENTS: Readonly<Record<string, ZodType>> = {
  'list@1': listDocument,
  'tasks@1': tasksDocument,
  'report@1': reportDocument,
  'checkpoint@1': checkpointDocument,
  'show@1': showDocument,
  'status@1': statusDocument,
  'log@1': logDocument,
  'backup@1': backupDocument,
  'check@1': checkDocument,
  'contracts@1': contractsDocument,
  'apply@1': applyDocument,
  'decision@1': decisionDocument,
  'doctor@1': doctorDocument,
  'error@1': errorDocument,
  'import@1': importDocument,
  'init@1': initDocument,
  'migrate@1': migrateDocument,
  'prune@1': pruneDocument,
  'archive@1': archiveDocument,
  'reconcile@1': reconcileDocument,
  'record@1': recordDocument,
  'redact@1': redactDocument,
  'resolve@1': resolveDocument,
  'seal@1': sealDocument,
  'trust@1': trustDocument,
  'verify@1': verifyDocument,
  'watch@1': watchDocument,
  'version@1': versionDocument,
}
