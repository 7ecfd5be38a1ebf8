import type { ZodType } from 'zod'
import { errorDocument } from './error.js'
import { versionDocument } from './version.js'

/** Every JSON document the command line prints, by its name. A new document is its file and one line here. */
export const DOCUMENTS: Readonly<Record<string, ZodType>> = {
  'error@1': errorDocument,
  'version@1': versionDocument,
}
