import fs from 'node:fs'
import Database from 'better-sqlite3'
import type { Pass } from './outside.js'

// The library is used as it is published: what it does is seen where it leaves for the driver and the file system.

type Run = (...given: unknown[]) => unknown

function runOf(object: object, name: string): Run {
  return Reflect.get(object, name)
}

/** Names the passings of BEGIN and COMMIT by what this process is doing. */
export function watchCommits(doing: () => string, pass: Pass): void {
  const prepare = runOf(Database.prototype, 'prepare')
  Object.assign(Database.prototype, {
    prepare(this: Database.Database, sql: string) {
      const statement = prepare.call(this, sql)
      if (sql !== 'commit' && sql !== 'begin immediate') return statement
      const what = sql === 'commit' ? 'commit' : 'begin'
      return withRun(Object(statement), run => {
        pass(`${doing()}_before_${what}`)
        const done = run()
        pass(`${doing()}_after_${what}`)
        return done
      })
    },
  })
}

function withRun(statement: object, around: (run: () => unknown) => unknown): object {
  const run: Run = runOf(statement, 'run').bind(statement)
  return Object.assign(statement, { run: (...given: unknown[]) => around(() => run(...given)) })
}

/** Names the passings of what makes a file. */
export function watchMaking(pass: Pass): void {
  const exec = runOf(Database.prototype, 'exec')
  const close = runOf(Database.prototype, 'close')
  const transaction = runOf(Database.prototype, 'transaction')
  Object.assign(Database.prototype, {
    exec(this: Database.Database, sql: string) {
      pass(`making_exec_${sql.trim().split(/\s/)[0]}`)
      return exec.call(this, sql)
    },
    transaction(this: Database.Database, ...given: unknown[]) {
      pass('making_transaction')
      return transaction.call(this, ...given)
    },
    close(this: Database.Database) {
      pass('making_close')
      return close.call(this)
    },
  })
  const places = { openSync: 'open', fsyncSync: 'fsync', linkSync: 'link', rmSync: 'unlink' } as const
  for (const [name, place] of Object.entries(places)) {
    const real = runOf(fs, name)
    Object.assign(fs, {
      [name]: (...given: unknown[]) => {
        pass(`making_${place}`)
        return real(...given)
      },
    })
  }
}
