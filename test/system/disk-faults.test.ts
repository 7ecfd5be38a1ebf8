import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/host.js'
import { openLedger } from '../../src/index.js'
import { makeLedger, openLedgerForReading } from '../../src/ledger.js'
import { newLedgerFile } from '../../src/store/sqlite/new.js'
import { bundled } from '../support/bundled.js'
import { aFolder, aSmallDisk, isRoot } from './faults/disks.js'
import { effectsIn, type Fault, tried, triedWith } from './faults/failing.js'

const PROGRAM = bundled(join(import.meta.dirname, 'faults/agent-program.ts'))

describe.each<Fault>([
  { call: 'fsync', error: 'EIO', from: 'intent', goesOn: false },
  { call: 'fsync', error: 'EIO', from: 'intent', goesOn: true },
  { call: 'pwrite64', error: 'ENOSPC', from: 'intent', goesOn: false },
  { call: 'pwrite64', error: 'ENOSPC', from: 'intent', goesOn: true },
  { call: 'pwrite64', error: 'EIO', from: 'intent', goesOn: true },
  { call: 'pwrite64', error: 'EROFS', from: 'intent', goesOn: true },
])('$call answers $error when an intent is written (and goes on: $goesOn)', fault => {
  it('so the call is not made, its caller is told that the ledger cannot be written, and the ledger opens again whole', async () => {
    const { path, world, make } = places()
    const { came } = triedWith(fault, make)
    expect(came[0]).toMatchObject({ status: 'confirmed' })
    expect(came[1]).toMatchObject({ status: 'rejected', code: 'ledger_unwritable' })
    expect(came[1]?.message).toContain(path())
    expect(effectsIn(world())).toEqual(fault.goesOn ? ['thing-1'] : ['thing-1', 'thing-3'])
    const after = await reopened(path())
    expect(after.findings).toEqual([])
    expect(after.statuses.get('thing-1')).toBe('confirmed')
    expect([undefined, 'prepared', 'not_executed']).toContain(after.statuses.get('thing-2'))
    expect(after.inDoubt).toEqual([])
  })
})

describe.each<Fault>([
  { call: 'fsync', error: 'EIO', from: 'outcome', goesOn: false },
  { call: 'fsync', error: 'EIO', from: 'outcome', goesOn: true },
  { call: 'pwrite64', error: 'ENOSPC', from: 'outcome', goesOn: true },
])('$call answers $error when an outcome is written (and goes on: $goesOn)', fault => {
  it('so it is kept beside the ledger until it can be, nothing further is sent for the task, and the next open knows it', async () => {
    const { path, world, make } = places()
    const { came } = triedWith(fault, make)
    expect(came[1]).toMatchObject({ status: fault.goesOn ? 'unrecorded' : 'confirmed' })
    expect(effectsIn(world())).toEqual(
      fault.goesOn ? ['thing-1', 'thing-2'] : ['thing-1', 'thing-2', 'thing-3'],
    )
    if (fault.goesOn) {
      expect(came[2]).toMatchObject({ status: 'rejected', code: 'ledger_unwritable' })
      expect(readdirSync(`${path()}.spool`)).toHaveLength(1)
    }
    const after = await reopened(path())
    expect(after.findings).toEqual([])
    expect(after.statuses.get('thing-2')).toBe('confirmed')
    expect(existsSync(`${path()}.spool`) ? readdirSync(`${path()}.spool`) : []).toEqual([])
  })
})

describe('a disk that fills up', () => {
  const READERS = [false, true] as const

  // Only root can make a small disk; without it the error is put into the system calls, above.
  it.each(isRoot ? READERS : [])(
    'sends nothing more, and loses nothing (a reader keeps the log from being reused: %s)',
    async hasReader => {
      const { place, remount } = aSmallDisk('1m')
      const path = join(place, 'ledger.db')
      const world = join(aFolder(), 'world.txt')
      await makeLedger(path)
      if (hasReader) readingOn(path)
      const { came } = tried({ program: PROGRAM, path, world, operations: 120 })
      const rejected = came.filter(({ status }) => status === 'rejected')
      expect(rejected.length).toBeGreaterThan(0)
      for (const each of rejected) expect(each.code).toBe('ledger_unwritable')
      const sent = came.filter(({ status }) => status !== 'rejected').map(({ id }) => id)
      expect(effectsIn(world)).toEqual(sent)
      remount('size=8m')
      const after = await reopened(path)
      expect(after.findings).toEqual([])
      for (const { id, status } of came) {
        const isKnown = after.statuses.get(id) === 'confirmed' || after.inDoubt.includes(id)
        expect([id, isKnown]).toEqual([id, status !== 'rejected'])
        if (status === 'confirmed') expect(after.statuses.get(id), id).toBe('confirmed')
      }
    },
  )
})

describe('a ledger that may not be written any more', () => {
  it('is refused with its path before anything is sent, and opens again whole', async () => {
    const { path, world, forbid, allow } = readOnlyPlace()
    const first = tried({ program: PROGRAM, path, world, operations: 1 })
    expect(first.came).toMatchObject([{ status: 'confirmed' }])
    forbid()
    const { refused, came } = tried({ program: PROGRAM, path, world, operations: 3 })
    expect(came).toEqual([])
    expect(refused).toMatchObject({ code: 'ledger_unwritable' })
    expect(refused?.message).toContain(path)
    expect(effectsIn(world)).toEqual(['thing-1'])
    allow()
    const after = await reopened(path)
    expect([after.findings, [...after.statuses]]).toEqual([[], [['thing-1', 'confirmed']]])
  })

  it('as by another user, is refused in the same way', async () => {
    const folder = aFolder()
    const path = join(folder, 'ledger.db')
    const world = join(aFolder(), 'world.txt')
    await makeLedger(path)
    chmodSync(folder, 0o555)
    onTestFinished(() => chmodSync(folder, 0o755))
    // whoever runs this is kept out by the folder; root is kept out by nothing, so it becomes somebody else
    const other = isRoot ? { uid: 65_534, gid: 65_534 } : {}
    const { refused, came } = tried({ program: PROGRAM, path, world, operations: 1 }, other)
    expect(came).toEqual([])
    expect(['ledger_unwritable', 'ledger_unreadable']).toContain(refused?.code)
    expect(effectsIn(world)).toEqual([])
  })
})

// Only root can have a disk of its own to fill.
describe.runIf(isRoot)('a ledger on a disk that is full', () => {
  it('can be looked at all the same, and nothing is left there', async () => {
    const { place } = aSmallDisk('1m')
    const path = join(place, 'ledger.db')
    tried({ program: PROGRAM, path, world: join(aFolder(), 'world.txt'), operations: 1 })
    expect(() => writeFileSync(join(place, 'filling'), Buffer.alloc(2 ** 21))).toThrow('ENOSPC')
    const ledger = await openLedgerForReading(path)
    try {
      const { operations } = await ledger.list({ show: 'all' })
      expect(operations).toMatchObject([{ operation_id: 'thing-1', status: 'confirmed' }])
    } finally {
      await ledger.close()
    }
    expect(readdirSync(place).sort()).toEqual(['filling', 'ledger.db'])
  })
})

/** A new ledger and a new world for every run; `path` and `world` are those of the last. */
function places() {
  let last = { path: '', world: '' }
  return {
    path: () => last.path,
    world: () => last.world,
    make: () => {
      const folder = aFolder()
      last = { path: join(folder, 'ledger.db'), world: join(folder, 'world.txt') }
      newLedgerFile({ path: last.path, now: systemClock()(), program: 'a test' })
      return { program: PROGRAM, ...last, operations: 3 }
    },
  }
}

/** A place that can be made read-only: a disk of its own for root, else its folder and file. */
function readOnlyPlace() {
  const world = join(aFolder(), 'world.txt')
  if (isRoot) {
    const { place, remount } = aSmallDisk('8m')
    return { path: join(place, 'ledger.db'), world, forbid: () => remount('ro'), allow: () => remount('rw') }
  }
  const folder = aFolder()
  const path = join(folder, 'ledger.db')
  const set = (file: number, directory: number) => {
    chmodSync(path, file)
    chmodSync(folder, directory)
  }
  return { path, world, forbid: () => set(0o400, 0o500), allow: () => set(0o600, 0o700) }
}

/** Somebody who looks for a long time: SQLite cannot begin its log anew meanwhile. */
function readingOn(path: string): void {
  const database = new Database(path, { readonly: true })
  database.exec('begin; select count(*) from ledger_meta')
  database.prepare('select count(*) from ledger_meta').get()
  onTestFinished(() => void database.close())
}

async function reopened(path: string) {
  const ledger = await openLedger(path, { create: false })
  try {
    const { findings } = await ledger.verify()
    const { operations } = await ledger.list({ show: 'all' })
    const doubted = await ledger.list({ show: 'unknown' })
    return {
      findings,
      statuses: new Map(operations.map(({ operation_id, status }) => [operation_id, status])),
      inDoubt: doubted.operations.map(({ operation_id }) => operation_id),
    }
  } finally {
    await ledger.close()
  }
}
