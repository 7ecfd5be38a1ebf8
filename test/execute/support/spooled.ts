import { onTestFinished } from 'vitest'
import { LedgerError } from '../../../src/core/errors.js'
import type { LedgerWarning } from '../../../src/ledger/session.js'
import { type OpenOptions, openLedger } from '../../../src/ledger.js'
import type { Change, Store } from '../../../src/store/store.js'

/** Lets the changes from the n-th on fail: before they are written, or after. */
export function failing(
  from: number,
  how: 'none' | 'unknown before' | 'unknown after',
  times = how === 'none' ? Infinity : 1,
) {
  return (store: Store): Store => {
    let n = 0
    let failed = 0
    return {
      ...store,
      change: async (asked: Change) => {
        n += 1
        const isFailing =
          n >= from && failed < times && asked.operation_id !== 'c' && (how !== 'none' || n === from)
        if (!isFailing) return store.change(asked)
        failed += 1
        // only the first of them is written all the same
        if (how === 'unknown after' && failed === 1) await store.change(asked)
        throw new LedgerError('ledger_unwritable', 'the disk answered with an error', {
          facts: { commit: how === 'none' ? 'none' : 'unknown' },
        })
      },
    }
  }
}

export async function opened(path: string, options: OpenOptions = {}) {
  const warnings: LedgerWarning[] = []
  const ledger = await openLedger(path, {
    create: false,
    onWarning: warning => warnings.push(warning),
    ...options,
  })
  onTestFinished(() => ledger.close())
  return { ledger, taken: () => warnings }
}
