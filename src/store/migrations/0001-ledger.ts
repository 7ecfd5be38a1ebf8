import { indexes } from './0001-indexes.js'
import { tables } from './0001-tables.js'
import { triggers } from './0001-triggers.js'

// The first schema. docs/schema.md explains it; fixtures/schema/1.sql is what it leaves in a file.
export const firstSchema = {
  version: 1,
  title: 'the ledger',
  sql: tables + indexes + triggers,
  schemaDigest: 'ff44f3c3d043d0d429a9630f68cf930b4a2f9ca897c2c2fd45d5bd2d133e2c02',
}
