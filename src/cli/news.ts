import { type News, newsOf } from '../ledger/news.js'
import { chosenLedger } from './chosen-ledger.js'

/** What says that the ledger in use was written. Where it cannot be found the look itself says so. */
export async function newsInUse(wishes: Parameters<typeof chosenLedger>[0]): Promise<News> {
  const { location } = await chosenLedger(wishes)
  return newsOf(location)
}
