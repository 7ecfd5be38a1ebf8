import { appendFileSync, writeSync } from 'node:fs'
import { isLedgerError, type Ledger, openLedger } from '../../../src/index.js'

// Carries three operations out on a disk that may fail, and says how each came out, a line each. The outside world is a
// file on another disk.

const [path = '', world = '', operations = ''] = process.argv.slice(2)

function say(...words: readonly string[]): void {
  writeSync(1, `${words.join(' ')}\n`)
}

async function outcomeOf(ledger: Ledger, id: string): Promise<object> {
  try {
    return await ledger.run({ id, task: 'task-1', tool: 'things.create', input: { id } }, () => {
      appendFileSync(world, `${id}\n`)
      say('called', id)
      return { id }
    })
  } catch (error) {
    if (!isLedgerError(error)) throw error
    const { code, message, hint, facts = {} } = error
    return { status: 'rejected', code, message, hint, facts }
  }
}

async function main(): Promise<void> {
  let ledger: Ledger
  try {
    ledger = await openLedger(path)
  } catch (error) {
    if (!isLedgerError(error)) throw error
    say('cannot open', JSON.stringify({ code: error.code, message: error.message }))
    return
  }
  for (let n = 1; n <= Number(operations); n++) {
    say('asked', `thing-${n}`)
    say('came', JSON.stringify({ id: `thing-${n}`, ...(await outcomeOf(ledger, `thing-${n}`)) }))
  }
  await ledger.close().catch(() => undefined) // a disk that is gone cannot be said goodbye to
}

void main()
