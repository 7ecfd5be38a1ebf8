import type { ZodType } from 'zod'
import { decisionDocument } from './decision-schema.js'
import { errorDocument } from './error.js'
import { initDocument } from './init-schema.js'
import { resolveDocument } from './resolve-schema.js'
import { versionDocument } from './version.js'

/** Every JSON document the command line prints, by its name. A new document is its file and one line here. */
export const DOCUMENTS: Readonly<Record<string, ZodType>> = {
  'decision@1': decisionDocument,
  'error@1': errorDocument,
  'init@1': initDocument,
  'resolve@1': resolveDocument,
  'version@1': versionDocument,
}
