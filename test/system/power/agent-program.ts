import { writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openLedger } from '../../../src/index.js'

// Makes a ledger, carries operations out, and says on stdout what it was told to be durable.

const [path = '', operations = '', synchronous = ''] = process.argv.slice(2)

/** Pages of the log after which they are written back: small, so that a short run sees it often. */
const WRITTEN_BACK_AFTER = 60

// The product sets what durability rests on and reads it back; the weaker setting exists in this program alone.
type Pragma = (text: string, options?: object) => unknown
const pragma: Pragma = Reflect.get(Database.prototype, 'pragma')
Object.assign(Database.prototype, {
  pragma(this: Database.Database, text: string, options?: object) {
    if (text === 'synchronous = full') return pragma.call(this, `synchronous = ${synchronous}`)
    if (text === 'synchronous') return 2
    if (text === 'wal_autocheckpoint = 1000')
      return pragma.call(this, `wal_autocheckpoint = ${WRITTEN_BACK_AFTER}`)
    return text === 'wal_autocheckpoint' ? 1000 : pragma.call(this, text, options)
  },
})

function say(...words: readonly string[]): void {
  writeSync(1, `${words.join(' ')}\n`)
}

async function main(): Promise<void> {
  const ledger = await openLedger(path)
  say('made')
  for (let n = 1; n <= Number(operations); n++) {
    const id = `thing-${n}`
    const outcome = await ledger.run({ id, task: 'task-1', tool: 'things.create', input: { n } }, () => {
      say('sent', id)
      return { id: `THING-${n}` }
    })
    say(outcome.status, id)
  }
  await ledger.close()
}

void main()
