import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openStoreForReading } from '../../src/store/open.js'
import { verify } from '../../src/store/verify.js'
import { aLedger, aProcess, reading, taskIds } from './support/ledgers.js'
import { aDirectory } from './support/places.js'

describe('several processes on one ledger', () => {
  it('all get their turn and lose nothing', async () => {
    const { path } = aLedger()
    const counts = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const writer = await aProcess('hundred', path)
        return (await writer.ended()).trim().split('\n').at(-1)
      }),
    )
    expect(counts).toEqual(['100', '100', '100', '100'])
    expect(await taskIds(await reading(path))).toHaveLength(400)
  })

  it('lose no commit that was acknowledged when they are killed, and leave a ledger that verifies', async () => {
    const { path } = aLedger()
    for (let kill = 0; kill < 3; kill++) {
      const writers = await Promise.all([aProcess('teller', path), aProcess('teller', path)])
      await sleep(60 + 60 * kill)
      for (const writer of writers) await writer.kill()
      const told = writers.flatMap(writer => writer.said().split('\n').slice(1, -1))
      const store = await openStoreForReading({ url: path })
      expect(told.length).toBeGreaterThan(0)
      for (const id of [told.at(0), told.at(-1)])
        expect((await store.operation(id ?? ''))?.operation).toBeDefined()
      await store.close()
      const engine = await reading(path)
      expect((await verify(engine)).findings).toEqual([])
      await engine.close()
    }
  })

  it('make one ledger when they all make it at once', async () => {
    const path = join(aDirectory(), 'ledger.db')
    const makers = await Promise.all(Array.from({ length: 4 }, () => aProcess('maker', path)))
    const said = await Promise.all(makers.map(maker => maker.ended()))
    expect(said.filter(each => each.includes('made'))).toHaveLength(1)
    expect(readdirSync(join(path, '..'))).toEqual(['ledger.db'])
  })

  it('leave either no ledger or a whole one when they are killed while making it', async () => {
    const paths = Array.from({ length: 6 }, () => join(aDirectory(), 'ledger.db'))
    await Promise.all(
      paths.map(async (path, kill) => {
        const maker = await aProcess('slow-maker', path)
        await sleep(kill * 3)
        await maker.kill()
      }),
    )
    for (const path of paths.filter(existsSync)) {
      const engine = await reading(path)
      expect((await verify(engine)).findings).toEqual([])
    }
  })
})
