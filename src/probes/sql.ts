import { createHash } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import type { Observed } from '../core/observation.js'
import type { SqlProbe } from '../core/probe.js'
import { cannotAsk, fillFromEnv, fillPlain, namedInEnv } from './fill.js'
import { remoteIn } from './http/told.js'
import { resultAt, sortObjects } from './objects.js'
import type { Brought, ProbeFacts, Prober, ProbeWorld } from './probe.js'
import { queryPostgres } from './sql/postgres.js'
import { MOST_ROWS } from './sql/question.js'
import { querySqlite } from './sql/sqlite.js'

const DEFAULT_TIMEOUT_MS = 30_000

/** A select on SQLite or PostgreSQL, in a connection that cannot write. */
export const sql: Prober<SqlProbe> = {
  plan: ({ probe, facts }, { env }) => {
    const params = paramsOf(probe, facts)
    const place = fillFromEnv(probe.database, env)
    const problem = 'problem' in params ? params.problem : 'problem' in place ? place.problem : undefined
    const what = `${probe.database}: ${probe.query}${'params' in params ? ` ${JSON.stringify(params.params)}` : ''}`
    return [{ what, ...(problem === undefined ? {} : { problem }) }]
  },
  ask: async ({ probe, facts }, world) => {
    const digest = createHash('sha256')
    const observed = await asked(probe, facts, { world, note: text => digest.update(text) })
    return {
      observed_at: world.clock().at,
      scope: probe.scope ?? null,
      request: { kind: 'sql', database: probe.database, query: probe.query },
      response_digest: observed.completeness === 'failed' ? null : `sha256:${digest.digest('hex')}`,
      ...observed,
    } satisfies Brought
  },
}

interface Asking {
  readonly world: ProbeWorld
  readonly note: (text: string) => void
}

async function asked(probe: SqlProbe, facts: ProbeFacts, { world, note }: Asking): Promise<Observed> {
  const params = paramsOf(probe, facts)
  if ('problem' in params) return cannotAsk(params.problem)
  const place = fillFromEnv(probe.database, world.env)
  if ('problem' in place) return cannotAsk(place.problem)
  const isServer = namedInEnv(probe.database).length > 0 && /^postgres(?:ql)?:\/\//i.test(place.text)
  const path = isAbsolute(place.text) ? place.text : join(world.folder, place.text)
  const shape = { timeoutMs: probe.timeout_ms ?? DEFAULT_TIMEOUT_MS, signal: world.signal }
  const select = (query: string, values: readonly string[]) => {
    const question = { ...shape, query, params: values }
    return isServer ? queryPostgres(place.text, question) : querySqlite(path, question)
  }
  let parent: 'readable' | 'unreadable' | 'not_asked' = 'not_asked'
  if (probe.parent !== undefined) {
    const holding = await select(probe.parent, [])
    if ('problem' in holding) return unreachable(holding.problem)
    parent = holding.rows.length > 0 ? 'readable' : 'unreadable'
  }
  const found = await select(probe.query, params.params)
  if ('problem' in found) return unreachable(found.problem)
  note(JSON.stringify(found.rows))
  const { match, id } = probe
  const { matches, first, problem } =
    match === undefined || id === undefined
      ? { matches: [], first: found.rows[0], problem: null }
      : sortObjects(found.rows, {
          reading: { match, id },
          facts,
          // Asked for by our own key: a row that does not carry it is something to look at.
          isOwnName: probe.grade === undefined || probe.grade === 'A' || probe.grade === 'B',
          scope: probe.scope ?? null,
        })
  if (problem !== null) return notUnderstood(problem)
  const remote = probe.remote === undefined ? null : remoteIn(found.rows[0] ?? null, probe.remote)
  if (remote !== null && 'code' in remote) return notUnderstood(remote.why)
  const answer = {
    parent,
    matches,
    statements: [],
    remote,
    disagreements: [],
    ...resultAt(first, probe.result),
  }
  return found.isCut
    ? { ...answer, completeness: 'partial', why: `more than ${MOST_ROWS} rows` }
    : { ...answer, completeness: 'complete' }
}

function paramsOf(
  { params = [] }: SqlProbe,
  facts: ProbeFacts,
): { readonly params: readonly string[] } | { readonly problem: string } {
  const values: string[] = []
  for (const template of params) {
    const value = fillPlain(template, facts)
    if ('problem' in value) return value
    values.push(value.text)
  }
  return { params: values }
}

function notUnderstood(why: string): Observed {
  return { completeness: 'failed', code: 'not_understood', why, retry_after_ms: null }
}

function unreachable(why: string): Observed {
  return { completeness: 'failed', code: 'unreachable', why, retry_after_ms: null }
}
