import { indexes } from './0001-indexes.js'
import { tables } from './0001-tables.js'
import { triggers } from './0001-triggers.js'

// The first schema. docs/schema.md explains it; fixtures/schema/1.sql is what it leaves in a file.
export const firstSchema = {
  version: 1,
  title: 'the ledger',
  sql: tables + indexes + triggers,
  schemaDigest: 'c18b7cd75283bd1a88feb130db82516239b1e189a73bf7f3d3f036ab6bc3e963',
}
