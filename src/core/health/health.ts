import type { HealthFacts } from './facts.js'

export type HealthStatus = 'ok' | 'warn' | 'fail'

export interface Health {
  readonly status: HealthStatus
  readonly says: string
  /** what to do about it; null where nothing is to be done */
  readonly advice: string | null
  /** the exit code of the error that other commands end with for it */
  readonly exit_code?: number
}

/** One look at the environment. Null: there is nothing to look at, because an earlier check failed. */
export interface HealthCheck {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly judge: (facts: HealthFacts) => Health | null
}

export function ok(says: string): Health {
  return { status: 'ok', says, advice: null }
}

export function warn(says: string, advice: string): Health {
  return { status: 'warn', says, advice }
}

export function fail(says: string, advice: string): Health {
  return { status: 'fail', says, advice }
}
