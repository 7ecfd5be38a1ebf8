import { formatAge } from '../duration.js'
import { CLOCK_TOLERANCE_MS } from '../time.js'
import type { ServerHealth } from './facts.js'
import { fail, type Health, type HealthCheck, ok, warn } from './health.js'

/** What is looked at where the ledger is in PostgreSQL. */
export const SERVER_CHECKS: readonly HealthCheck[] = [
  ofServer('server', 'PostgreSQL', 'what it calls durable has to be on the disk', server => {
    const { version, fsync, synchronous_commit } = server
    if (!fsync)
      return fail(
        `version ${version}, with fsync off: a power cut takes back what was answered`,
        'Turn fsync on at the server before anything is sent.',
      )
    if (synchronous_commit === 'off')
      return warn(
        `version ${version}, with synchronous_commit off`,
        'This program turns it on for its own commits; an outbox that uses your own transactions needs it on too.',
      )
    return ok(`version ${version}`)
  }),
  ofServer('role', 'who takes writes', 'a replica can be read and not written', server => {
    if (server.is_replica)
      return warn('this server follows another one', 'Name the primary server to decide and to send.')
    if (server.is_read_only)
      return warn(
        'default_transaction_read_only is on for this user',
        'Deciding and sending needs a user who may write.',
      )
    if (server.trailing_replicas !== null && server.trailing_replicas > 0)
      return warn(
        `${server.trailing_replicas} replicas follow without being waited for`,
        'A failover to one may lose the last commits: then what was prepared waits for a person. synchronous_standby_names waits for them.',
      )
    return ok('this server')
  }),
  ofServer('way', 'the way to it', 'inputs and passwords travel on it', server => {
    if (server.is_plain)
      return warn(
        `it is not encrypted${server.is_pooled ? ', and a pooler stands in front of it' : ''}`,
        'Say sslmode=verify-full with sslrootcert=, unless the way is safe.',
      )
    return server.is_pooled
      ? ok('a pooler stands in front of it: nothing is kept from one transaction to the next')
      : ok('direct')
  }),
  ofServer('server_clock', 'its clock', 'it is the clock of leases and ages for every machine', server => {
    const { clock_ahead_ms } = server
    const says = `${formatAge(Math.abs(clock_ahead_ms))} ${clock_ahead_ms < 0 ? 'behind' : 'ahead of'} this machine`
    return Math.abs(clock_ahead_ms) > CLOCK_TOLERANCE_MS
      ? warn(says, 'Set both clocks. The ledger goes by the server; what agents say of times may not.')
      : ok(says)
  }),
]

function ofServer(
  id: string,
  title: string,
  reason: string,
  judge: (server: ServerHealth) => Health,
): HealthCheck {
  return { id, title, reason, judge: ({ server }) => (server === null ? null : judge(server)) }
}
