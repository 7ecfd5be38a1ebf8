import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from '../test/postgres/server.js'

// Runs a command beside a PostgreSQL server of its own, whose address stands in FIXTURE_POSTGRES, and ends the server with
// it: npx tsx scripts/with-postgres.ts node fixtures/langgraph/make-js.mjs --saver=postgres

const [program, ...args] = process.argv.slice(2)
if (program === undefined) {
  console.error('Name the command that needs a server.')
  process.exit(2)
}
const server = await startPostgres({ settings: { fsync: 'off' } })
try {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, FIXTURE_POSTGRES: server.url() },
  })
  const [code] = await once(child, 'exit')
  process.exitCode = typeof code === 'number' ? code : 1
} finally {
  await server.remove()
}
