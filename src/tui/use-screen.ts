import { useSyncExternalStore } from 'react'
import type { State } from './state.js'
import type { Store } from './store.js'

/** The state, and a new picture whenever it changes. */
export function useScreen(store: Store): State {
  return useSyncExternalStore(store.subscribe, store.state)
}
