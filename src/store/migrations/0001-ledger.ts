import { indexes } from './0001-indexes.js'
import { tables } from './0001-tables.js'
import { triggers } from './0001-triggers.js'

// The first schema. docs/schema.md explains it; 0001-lines.ts and fixtures/schema/1.sql are what it leaves in a file.
export const firstSchema = {
  version: 1,
  title: 'the ledger',
  sql: tables + indexes + triggers,
}
