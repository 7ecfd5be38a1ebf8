import { writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { query } from '../../../src/store/engine.js'
import { openStore } from '../../../src/store/open.js'
import { newLedgerFile } from '../../../src/store/sqlite/new.js'
import { openForWriting } from '../../../src/store/sqlite/open.js'
import { ANA, did, PREPARE, SEND } from './changes.js'
import { addTask } from './ledgers.js'

// What a process of its own does to a ledger. It says `ready` when it is done, and stays until it is killed.

const [role = '', path = ''] = process.argv.slice(2)

// A connection that nothing refers to is closed by the garbage collector, and its lock is gone.
let kept: Database.Database | null = null

const ROLES: Record<string, () => Promise<void>> = {
  /** one commit, the connection left open */
  writer: async () => {
    const engine = await openForWriting({ path, waitMs: 5_000 })
    await engine.write(addTask('from-the-writer'))
  },
  /** holds the write lock inside a transaction that never ends */
  locker: async () => {
    kept = new Database(path).exec('begin immediate')
  },
  /** nobody else can even read */
  hermit: async () => {
    const database = new Database(path)
    database.pragma('locking_mode = exclusive')
    database.exec('begin immediate; update ledger_meta set home = home; commit')
    kept = database
  },
  /** a hundred commits among others that do the same, then the end */
  hundred: async () => {
    const engine = await openForWriting({ path, waitMs: 60_000 })
    for (let n = 0; n < 100; n++) await engine.write(addTask(`${process.pid}-${n}`))
    await engine.close()
    console.log('100')
    process.exit(0)
  },
  /** prepares and sends as fast as it can and tells each id once it is durable */
  teller: async () => {
    const store = await openStore({ url: path, waitMs: 60_000, clock: () => ANA.clock(), program: 'a test' })
    const next = async (n: number): Promise<void> => {
      const id = `told-${process.pid}-${n}`
      await did(store, id, [PREPARE(id), SEND()])
      writeSync(1, `${id}\n`)
      return next(n + 1)
    }
    writeSync(1, 'ready\n')
    await next(0)
  },
  /** makes the ledger, unless another was first */
  maker: async () => {
    const isMade = newLedgerFile({ path, now: ANA.clock(), program: 'a test' })
    console.log(isMade ? 'made' : 'there already')
    process.exit(0)
  },
  /** says that it begins, and makes the ledger */
  'slow-maker': async () => {
    writeSync(1, 'ready\n')
    newLedgerFile({ path, now: ANA.clock(), program: 'a test' })
  },
  /** commits as fast as it can, for ever */
  busy: async () => {
    const engine = await openForWriting({ path, waitMs: 60_000 })
    let n = 0
    const next = (): Promise<void> => engine.write(addTask(`busy-${process.pid}-${n++}`)).then(next)
    await engine.write(() => query('select 1 as one'))
    void next()
  },
}

await ROLES[role]?.()
console.log(kept === null ? 'ready' : 'ready and holding')
setInterval(() => undefined, 1_000)
