import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStore, openStoreForReading } from '../../../src/store/open.js'
import { NOON, stampAt } from '../../core/builders.js'
import { type PostgresServer, startPostgres } from '../../postgres/server.js'

const NOBODY = 65_534
const folder = mkdtempSync(join(tmpdir(), 'tls-'))
let server: PostgresServer
let port = 0

/** An authority, and a certificate for `localhost` that it signed. */
function authority(name: string): { readonly ca: string; readonly cert: string; readonly key: string } {
  const at = (file: string) => join(folder, `${name}-${file}`)
  const openssl = (...argv: string[]) => execFileSync('openssl', argv, { stdio: 'ignore' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  )
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    at('key.pem'),
    '-out',
    at('csr.pem'),
  )
  openssl(
    'x509',
    '-req',
    '-days',
    '2',
    '-in',
    at('csr.pem'),
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-copy_extensions',
    'copy',
    '-out',
    at('cert.pem'),
  )
  return { ca: at('ca.pem'), cert: at('cert.pem'), key: at('key.pem') }
}

const ours = authority('ours')
const theirs = authority('theirs')

beforeAll(async () => {
  chmodSync(folder, 0o755)
  chmodSync(ours.key, 0o600)
  if (process.getuid?.() === 0) chownSync(ours.key, NOBODY, NOBODY)
  port = await freePort()
  server = await startPostgres({
    password: 'secret',
    settings: {
      ssl: 'on',
      ssl_cert_file: ours.cert,
      ssl_key_file: ours.key,
      listen_addresses: '127.0.0.1',
      port: String(port),
    },
  })
  await createStore(asked(`postgresql://ledger:secret@localhost:${port}/postgres?sslmode=require`))
})
afterAll(async () => {
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
})

const asked = (url: string) => ({ url, waitMs: 5_000, clock: () => stampAt(NOON), program: 'a test' })
const over = (host: string, rest: string) =>
  asked(`postgresql://ledger:secret@${host}:${port}/postgres?${rest}`)

describe('a server with TLS', () => {
  it.each(['prefer', 'require', 'disable'])('is read with sslmode=%s', async mode => {
    const store = await openStoreForReading(over('localhost', `sslmode=${mode}`))
    await store.close()
  })

  it.each(['verify-ca', 'verify-full'])(
    'is believed with sslmode=%s by the authority that signed it',
    async mode => {
      const store = await openStoreForReading(over('localhost', `sslmode=${mode}&sslrootcert=${ours.ca}`))
      await store.close()
    },
  )

  it.each([
    [
      'another authority',
      () => over('localhost', `sslmode=verify-full&sslrootcert=${theirs.ca}`),
      /not hold \(\w/,
    ],
    ['no authority of ours', () => over('localhost', 'sslmode=verify-full'), /not hold \(\w/],
    [
      'another name',
      () => over('127.0.0.1', `sslmode=verify-full&sslrootcert=${ours.ca}`),
      /not for the host 127/,
    ],
  ])('is refused by %s, and says what to name', async (_, options, message) => {
    await expect(openStoreForReading(options())).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/sslrootcert=/),
    })
  })

  it('counts a name that is another for nothing with verify-ca', async () => {
    const store = await openStoreForReading(over('127.0.0.1', `sslmode=verify-ca&sslrootcert=${ours.ca}`))
    await store.close()
  })
})

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
