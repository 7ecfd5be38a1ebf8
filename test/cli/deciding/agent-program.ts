// An agent: sends one operation, whose handler waits for a line on stdin, then another one; prints how both ended.
import { once } from 'node:events'
import { openLedger } from '../../../src/ledger.js'

const [path = ''] = process.argv.slice(2)
const task = 'task-1'

async function work(): Promise<void> {
  const ledger = await openLedger(path, { actor: 'agent' })
  const first = await ledger.run({ id: 'first', task, tool: 'tickets.create', input: { n: 1 } }, async () => {
    console.log('sending')
    await once(process.stdin, 'data')
    return { id: 'T-1' }
  })
  let sent = false
  const second = await ledger.run({ id: 'second', task, tool: 'tickets.create', input: { n: 2 } }, () => {
    sent = true
  })
  console.log(JSON.stringify({ first, second, sent }))
  await ledger.close()
  process.exit(0)
}

void work()
