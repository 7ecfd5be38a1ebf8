import { indexes } from './0001-indexes.js'
import { tables } from './0001-tables.js'
import { triggers } from './0001-triggers.js'

// The first schema. docs/schema.md explains it; fixtures/schema/1.sql is what it leaves in a file.
export const firstSchema = {
  version: 1,
  title: 'the ledger',
  sql: tables + indexes + triggers,
  schemaDigest: 'c7cb267df0f972c9d09083d574ced20452b5450f338e0d1ea492b82d1cd09188',
}
