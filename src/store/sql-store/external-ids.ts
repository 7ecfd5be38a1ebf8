import type { ExternalId } from '../../core/operation.js'
import { text } from '../cells.js'
import { type Query, query, type Sql } from '../engine.js'
import { externalIdOf } from '../rows.js'

export function* externalIdsOfOperation(operation_id: string): Sql<ExternalId[]> {
  const rows = yield* query(
    `select kind, value, scope, url
     from ledger_external_ref
     where operation_id = $1
     order by at, kind, value, scope`,
    [operation_id],
  )
  return rows.map(externalIdOf)
}

/** Those of `added` that are new: a known id is the same id, whatever URL it came with. */
export function newIds(known: readonly ExternalId[], added: readonly ExternalId[]): ExternalId[] {
  const fresh: ExternalId[] = []
  for (const id of added) {
    if (![...known, ...fresh].some(other => isSameId(other, id))) fresh.push(id)
  }
  return fresh
}

export function idInsertions(operation_id: string, ids: readonly ExternalId[], at: number): Query[] {
  return ids.map(id => ({
    text: INSERT,
    params: [operation_id, id.kind, id.value, id.scope ?? '', id.url ?? null, at],
  }))
}

const INSERT = `
insert into ledger_external_ref (operation_id, kind, value, scope, url, at)
values ($1, $2, $3, $4, $5, $6)`

function isSameId(a: ExternalId, b: ExternalId): boolean {
  return a.kind === b.kind && a.value === b.value && (a.scope ?? '') === (b.scope ?? '')
}

export function* externalIdsOf(operation_ids: readonly string[]): Sql<ReadonlyMap<string, ExternalId[]>> {
  // json_each: one text for any number of ids (PostgreSQL says it otherwise)
  const rows = yield* query(
    `select operation_id, kind, value, scope, url
     from ledger_external_ref
     where operation_id in (select value from json_each($1))
     order by operation_id, at, kind, value, scope`,
    [JSON.stringify(operation_ids)],
  )
  const found = new Map<string, ExternalId[]>()
  for (const row of rows) {
    const id = text(row, 'operation_id')
    const ids = found.get(id) ?? []
    ids.push(externalIdOf(row))
    found.set(id, ids)
  }
  return found
}
