import type { Effect, Event } from './event.js'
import { reduce } from './reduce.js'
import type { State } from './state.js'

/** Holds the state, outside of whatever shows it. */
export interface Store {
  readonly state: () => State
  readonly subscribe: (listener: () => void) => () => void
  /** Lets something happen to the state, and does what follows from it. */
  readonly send: (event: Event) => void
}

export function createStore(start: State, act: (effect: Effect, store: Store) => void): Store {
  let state = start
  const listeners = new Set<() => void>()
  const store: Store = {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    send: event => {
      const step = reduce(state, event)
      if (step.state !== state) {
        state = step.state
        for (const listener of listeners) listener()
      }
      for (const effect of step.effects) act(effect, store)
    },
  }
  return store
}
