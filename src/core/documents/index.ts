import type { ZodType } from 'zod'
import { decisionDocument } from './decision-schema.js'
import { doctorDocument } from './doctor-schema.js'
import { errorDocument } from './error.js'
import { initDocument } from './init-schema.js'
import { recordDocument } from './record-schema.js'
import { resolveDocument } from './resolve-schema.js'
import { verifyDocument } from './verify-schema.js'
import { versionDocument } from './version.js'

/** Every JSON document the command line prints, by its name. A new document is its file and one line here. */
export const DOCUMENTS: Readonly<Record<string, ZodType>> = {
  'decision@1': decisionDocument,
  'doctor@1': doctorDocument,
  'error@1': errorDocument,
  'init@1': initDocument,
  'record@1': recordDocument,
  'resolve@1': resolveDocument,
  'verify@1': verifyDocument,
  'version@1': versionDocument,
}
