import { MINUTE, type ServiceContract } from './contract.js'

export const postgresTransaction: ServiceContract = {
  title: 'a transaction of PostgreSQL whose COMMIT was lost',
  version: 1,
  parameters: {
    database: { means: 'environment variable with the address of the database', default: 'DATABASE_URL' },
    xid: { means: 'id of the transaction, of 64 bits', default: '{external_id.xid}' },
  },
  effect: 'compensable',
  repeat: { kind: 'none' },
  arrival_ms: 15 * MINUTE,
  ids: [],
  marker:
    "none: select pg_current_xact_id() inside the transaction, named with context.externalId('xid', …) before COMMIT",
  look_here: { check: `psql -c "select pg_xact_status('{with.xid}')"` },
  probes: [
    {
      kind: 'sql',
      grade: 'A',
      database: '{env.{with.database}}',
      query: 'select $1::text as xid, pg_xact_status($1::text::xid8) as status',
      params: ['{with.xid}'],
      remote: {
        state: 'status',
        working: ['in progress'],
        completed: ['committed'],
        failed: ['aborted'],
        left_nothing: true,
        not_found: 'status == null',
      },
    },
  ],
  answers: [
    'committed and aborted are final. in progress counts prepared transactions too: look again.',
    'No status: the server keeps the outcome of old transactions no longer. That says nothing.',
    'Ask the server that ran it: another cluster numbers its transactions alike.',
  ],
  sources: [
    { url: 'https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT', read: null },
  ],
}
