import { isLedgerError } from '../core/errors.js'
import { type News, newsOf, SILENT } from '../ledger/news.js'
import { chosenLedger } from './chosen-ledger.js'

/**
 * What says that the ledger in use was written. It is found when it is first waited for, and looked for again while it
 * cannot be found: it may have been moved away since it was read. The look itself says so, this only waits.
 */
export function newsInUse(wishes: Parameters<typeof chosenLedger>[0]): Pick<News, 'wait'> {
  let found: News | undefined
  return {
    wait: async (ms, signal) => {
      found ??= await newsOfChosen(wishes)
      await (found ?? SILENT).wait(ms, signal)
    },
  }
}

async function newsOfChosen(wishes: Parameters<typeof chosenLedger>[0]): Promise<News | undefined> {
  try {
    return await newsOf((await chosenLedger(wishes)).location)
  } catch (error) {
    if (isLedgerError(error)) return undefined
    throw error
  }
}
