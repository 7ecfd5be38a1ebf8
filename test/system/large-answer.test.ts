import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { aLedger } from '../ledger/support/a-ledger.js'
import { aServer, json } from '../probes/support/server.js'

const ROOT = join(import.meta.dirname, '../..')
const MB = 1 << 20

it.each([
  ['2 GB, with its length said before', 2_048, true],
  ['2 GB', 2_048, false],
  ['no end', Number.POSITIVE_INFINITY, false],
])(
  'an answer of %s is cut at its bound, and what was asked about stays in doubt',
  async (_, size, isSaid) => {
    const sent = { megabytes: 0 }
    const { url } = await aServer((request, response) =>
      request.url === '/' ? json({})(request, response) : long(size, isSaid, sent)(request, response),
    )
    const ledger = await aLedger(Date.now() - 3_600_000)
    await ledger.lost({ operation_id: 'op-1' })
    await ledger.store.close()
    const config = join(dirname(ledger.path), 'agent-ledger.yaml')
    const probe = `{ kind: http, grade: C, url: "${url}/all", parent: "${url}/", match: { key: key }, id: { kind: ticket, value: id } }`
    writeFileSync(config, `ledger: ledger.db\ntools:\n  tickets.create:\n    probe: ${probe}\n`)
    const { exitCode, stdout, stderr } = await execa(
      process.execPath,
      [
        '--require',
        join(ROOT, 'bench/peak-memory.cjs'),
        join(ROOT, 'bin/agent-ledger.js'),
        'reconcile',
        'op-1',
      ],
      { cwd: dirname(ledger.path), reject: false, env: { AGENT_LEDGER: '', AGENT_LEDGER_BY: 'ana' } },
    )
    expect([exitCode, stdout]).toEqual([
      6,
      expect.stringContaining('the answer has more than 16777216 bytes'),
    ])
    // what lies in the buffers of both ends comes on top
    expect(sent.megabytes).toBeLessThan(64)
    expect(Number(/peak-rss-kb (\d+)/.exec(stderr)?.[1]) / 1_024).toBeLessThan(192)
  },
)

/** So many megabytes of one JSON text, as fast as they are taken. */
function long(size: number, isSaid: boolean, sent: { megabytes: number }): RequestListener {
  const piece = Buffer.alloc(MB, 'x')
  return (_, response) => {
    const length = isSaid ? { 'content-length': String(size * MB + 2) } : {}
    response.writeHead(200, { 'content-type': 'application/json', ...length })
    response.write('"')
    const goOn = () => {
      while (sent.megabytes < size && !response.destroyed) {
        sent.megabytes++
        if (!response.write(piece)) {
          response.once('drain', goOn)
          return
        }
      }
      response.end('"')
    }
    goOn()
  }
}
