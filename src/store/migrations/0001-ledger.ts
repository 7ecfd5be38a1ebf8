import { indexes } from './0001-indexes.js'
import { tables } from './0001-tables.js'
import { triggers } from './0001-triggers.js'

// The first schema. docs/schema.md explains it; fixtures/schema/1.sql is what it leaves in a file.
export const firstSchema = {
  version: 1,
  title: 'the ledger',
  sql: tables + indexes + triggers,
  schemaDigest: '623845f4fdf10dd9d9b21f67cc3db945bf339a047174904d84e15c5e3fedcffa',
}
