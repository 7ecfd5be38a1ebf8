import { digestOf } from '../core/digest.js'
import type { Grade, Observation, ReadTerms } from '../core/observation.js'
import type { SingleProbe } from '../core/probe.js'
import { command, module } from './command.js'
import { file } from './file.js'
import { namedInEnv } from './fill.js'
import { git } from './git.js'
import { http } from './http/read.js'
import { npm } from './npm.js'
import type { Brought, Planned, ProbeFacts, Prober, ProbeWorld } from './probe.js'
import { s3 } from './s3.js'
import { sql } from './sql.js'

export type { Planned, ProbeFacts, ProbeWorld } from './probe.js'

type Kind = SingleProbe['kind']

/** Every kind of probe. A new one is its file and one line here, its grade and its lag below. */
const PROBERS: { readonly [K in Kind]: Prober<Extract<SingleProbe, { kind: K }>> } = {
  http,
  command,
  sql,
  file,
  git,
  npm,
  s3,
  module,
}

/** What a kind is worth where its declaration does not say; a program of unknown make is worth no more than a search. */
const GRADES: Readonly<Record<Kind, Grade>> = {
  http: 'D',
  command: 'D',
  sql: 'B',
  file: 'B',
  git: 'B',
  npm: 'B',
  s3: 'B',
  module: 'D',
}

const MINUTE = 60_000
/** Lists lag for minutes where their services say nothing of it: reference figures stand in docs/reconcile.md. */
const SETTLES: Readonly<Record<Grade, number>> = { A: 0, B: 0, C: 15 * MINUTE, D: 15 * MINUTE }
/** A publish has been seen to show after two hours (npm/cli#8936). */
const NPM_SETTLE_MS = 3 * 60 * MINUTE
const DEFAULT_READS = 2
const DEFAULT_SPACING_MS = MINUTE

/** What `ask` would send. */
export function planProbe(probe: SingleProbe, facts: ProbeFacts, world: ProbeWorld): readonly Planned[] {
  return proberOf(probe).plan({ probe, facts }, world)
}

interface Asking {
  readonly facts: ProbeFacts
  readonly world: ProbeWorld
  /** of the tool, where the probe does not say */
  readonly settleMs: number | undefined
  readonly keepsMs?: number | undefined
}

/** Asks once. Never rejects for what is outside: a probe that fails is an observation that failed. */
export async function askProbe(
  probe: SingleProbe,
  { facts, world, settleMs, keepsMs }: Asking,
): Promise<Observation> {
  const started = world.clock()
  const brought = await broughtBy(probe, facts, world)
  const { grade = gradeOf(probe), ...rest } = withoutSecrets(brought, secretsOf(probe, world), world.mask)
  return {
    source: digestOf({ probe, settleMs: settleMs ?? null }),
    grade,
    terms: termsOf(probe, settleMs, keepsMs),
    started,
    ...rest,
    // Which contract, in which version, it was asked by: what it says of its service may be corrected later.
    request: { ...rest.request, ...(probe.contract === undefined ? {} : { contract: probe.contract }) },
  }
}

async function broughtBy(probe: SingleProbe, facts: ProbeFacts, world: ProbeWorld): Promise<Brought> {
  try {
    return await proberOf(probe).ask({ probe, facts }, world)
  } catch (error) {
    // A fault in a probe must not pass for an answer, nor keep the other operations from being asked about.
    const why = error instanceof Error ? error.message : String(error)
    return {
      observed_at: world.clock().at,
      scope: null,
      request: { kind: probe.kind },
      response_digest: null,
      completeness: 'failed',
      code: 'cannot_ask',
      why,
      retry_after_ms: null,
    }
  }
}

/** The kind chooses the prober, so the two fit; the compiler cannot see that of a union. */
function proberOf<P extends SingleProbe>(probe: P): Prober<P> {
  return PROBERS[probe.kind] as unknown as Prober<P>
}

export function gradeOf({ kind, grade }: SingleProbe): Grade {
  return grade ?? GRADES[kind]
}

/** How long and how often it must be looked at. `settleMs` and `keepsMs`: of the tool, where the probe does not say. */
export function termsOf(probe: SingleProbe, settleMs: number | undefined, keepsMs?: number): ReadTerms {
  const usual = probe.kind === 'npm' ? NPM_SETTLE_MS : SETTLES[gradeOf(probe)]
  return {
    settle_ms: probe.settle_ms ?? settleMs ?? usual,
    reads: Math.max(DEFAULT_READS, probe.reads ?? DEFAULT_READS),
    spacing_ms: probe.spacing_ms ?? DEFAULT_SPACING_MS,
    keeps_ms: probe.keeps_ms ?? keepsMs ?? null,
  }
}

/** Names of the variables that a probe hands out. */
export function envOf(probe: SingleProbe): readonly string[] {
  switch (probe.kind) {
    case 'http':
    case 'npm':
      return Object.values(probe.headers ?? {}).flatMap(namedInEnv)
    case 'sql':
      return namedInEnv(probe.database)
    case 's3':
      return [probe.access_key_env, probe.secret_key_env, probe.session_token_env ?? []].flat()
    case 'command':
    case 'module':
      return probe.env ?? []
    case 'file':
    case 'git':
      return []
  }
}

function secretsOf(
  probe: SingleProbe,
  { env }: ProbeWorld,
): readonly (readonly [name: string, value: string])[] {
  return envOf(probe).flatMap(name => {
    const value = env[name]
    // What is shorter is no secret, and masking it would mask everything.
    return value === undefined || value.length < 4 ? [] : [[name, value] as const]
  })
}

/** What was handed out may come back: in an error, a page, an id. It is masked wherever it stands. */
function withoutSecrets(
  brought: Brought,
  secrets: readonly (readonly [string, string])[],
  mask: (text: string) => string,
): Brought {
  const masked = (text: string) =>
    mask(
      secrets.reduce((rest, [name, value]) => {
        const forms = new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
        return [...forms].reduce((one, form) => one.replaceAll(form, `[masked env.${name}]`), rest)
      }, text),
    )
  return walked(brought, masked) as Brought
}

// The shape stays as it was: only texts are exchanged for texts.
function walked(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map(one => walked(one, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [text(name), walked(one, text)]))
}
