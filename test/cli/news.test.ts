import { describe, expect, it } from 'vitest'
import { newsInUse } from '../../src/cli/news.js'

const NOWHERE = { ledger: '/nowhere/ledger.db', config: undefined, env: {}, cwd: '/' }

describe('waiting for what is written to the ledger in use', () => {
  it('goes on where the ledger was moved away since it was read', async () => {
    const news = newsInUse(NOWHERE)
    await expect(news.wait(1)).resolves.toBeUndefined()
    await expect(news.wait(1)).resolves.toBeUndefined()
  })

  it('fails by what is no matter of the ledger', async () => {
    const broken = new Proxy(NOWHERE, {
      get: () => {
        throw new TypeError('broken')
      },
    })
    await expect(newsInUse(broken).wait(1)).rejects.toThrow('broken')
  })
})
