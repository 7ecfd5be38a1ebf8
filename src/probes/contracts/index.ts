import type { SingleProbe } from '../../core/probe.js'

/** A service as data: what it promises, how it is asked, and where that stands. */
export interface ServiceContract {
  readonly title: string
  /** the parameters of `with:`, each with what it means */
  readonly parameters: Readonly<Record<string, { readonly means: string; readonly optional?: true }>>
  /** the probes, asked together, with `{with.name}` where parameters go; grade, settle, keeps stand in each */
  readonly probes: readonly SingleProbe[]
  /** addresses of the documents it rests on */
  readonly sources: readonly string[]
}

/** The services that are known, by the name `service:` gives. */
export const SERVICE_CONTRACTS: Readonly<Record<string, ServiceContract>> = {}
