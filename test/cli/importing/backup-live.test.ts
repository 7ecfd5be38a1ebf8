import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

const PROGRAM = join(import.meta.dirname, '../../../bin/agent-ledger.js')

/** A process that writes one intent after another until it is stopped; `more` waits for a further one and says how many are durable. */
function writing(path: string) {
  const child = spawn(process.execPath, [PROGRAM, 'record', '--stream', '--ledger', path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let written = 0
  let isStopped = false
  const writeOne = async () => {
    const intent = { operation_id: `op-${written}`, task_id: 't', tool: 'post', input: { n: written } }
    child.stdin.write(`${JSON.stringify({ verb: 'prepare', ...intent })}\n`)
    expect(JSON.parse((await answers.next()).value ?? '{}')).toMatchObject({ ok: true })
    written++
  }
  const ended = (async () => {
    while (!isStopped) await writeOne()
    child.stdin.end()
  })()
  const more = async () => {
    for (const before = written; written === before; ) await sleep(5)
    return written
  }
  const stop = async () => {
    isStopped = true
    await ended
  }
  return { more, stop }
}

it('P7: a backup made while another process writes holds all that was durable when it began, and verifies', async () => {
  const { path, store } = await aLedger()
  await store.close()
  const writer = writing(path)
  const folder = aDirectory()
  for (const name of ['first.db', 'second.db', 'third.db']) {
    const output = join(folder, name)
    const before = await writer.more()
    expect(await runCli(['backup', '--ledger', path, '--output', output])).toMatchObject({ code: 0 })
    const after = await writer.more()
    expect((await runCli(['verify', '--ledger', output])).code).toBe(0)
    const { out } = await runCli(['list', '--all', '--limit', '100000', '--json', '--ledger', output])
    const kept = listDocument.parse(JSON.parse(out)).operations.length
    expect(kept).toBeGreaterThanOrEqual(before)
    expect(kept).toBeLessThanOrEqual(after)
  }
  await writer.stop()
})
