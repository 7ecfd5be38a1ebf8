import type { JsonObject } from './json.js'
import type { Grade } from './observation.js'

/**
 * A probe as its tool declares it, durations in milliseconds. `{placeholders}` are filled in from the record of the
 * operation (docs/reconcile.md); `{env.NAME}` in headers and database addresses from the environment, never kept.
 */
export type ProbeDeclaration =
  | HttpProbe
  | CommandProbe
  | SqlProbe
  | FileProbe
  | GitProbe
  | NpmProbe
  | S3Probe
  | ModuleProbe
  | ServiceProbe
  | AllProbe

/** What every kind can say of how its answers count. */
export interface ProbeTerms {
  readonly grade?: Grade
  /** session, account or region that is asked: ids made in another one are not asked for */
  readonly scope?: string
  readonly settle_ms?: number
  readonly reads?: number
  readonly spacing_ms?: number
  readonly keeps_ms?: number
  /** for one request, or one run of a program */
  readonly timeout_ms?: number
  /** the ready contract it comes from, with its version: kept with each reading */
  readonly contract?: string
}

/** Where in an object something of ours stands; with `marker` as a part of a longer text. */
export interface MarkerPlace {
  /** JMESPath */
  readonly path: string
  /** `<!-- op:{operation_id} -->`; without it the value itself is compared */
  readonly marker?: string
}

/** What makes an object ours, the strongest first. */
export interface MatchBy {
  readonly key?: MarkerPlace
  readonly operation_id?: MarkerPlace
  /** JMESPath of a digest, and what it must be: `{input.integrity}` */
  readonly digest?: { readonly path: string; readonly equals: string }
  /** values by JMESPath that make it a candidate */
  readonly attributes?: Readonly<Record<string, string>>
  /** who made it, by JMESPath: what carries our mark and is by somebody else is a candidate */
  readonly by?: { readonly path: string; readonly equals: string }
  /** the object was asked for by a name made of the key or the id: being there is being ours */
  readonly named_by?: 'key' | 'operation_id'
}

/** How what was found is named in the ledger; JMESPath in the object. */
export interface IdOf {
  readonly kind: string
  readonly value: string
  readonly url?: string
}

/** Reading objects: common to http and sql. */
export interface ObjectReading {
  readonly match: MatchBy
  readonly id: IdOf
  /** JMESPath in the object that was found */
  readonly result?: string
}

export interface RemoteReading {
  /** JMESPath of the state */
  readonly state: string
  /** JMESPath of what else it says */
  readonly says?: string
  /** the service's words by what they mean; a word in none of them says nothing */
  readonly working?: readonly string[]
  readonly input_needed?: readonly string[]
  readonly completed?: readonly string[]
  readonly failed?: readonly string[]
  readonly cancelled?: readonly string[]
  /** JMESPath of what exists only once it is done */
  readonly artifact?: string
  /** a task that failed or was cancelled leaves nothing behind */
  readonly left_nothing?: true
  /** JMESPath that is true where the service has no record of the task */
  readonly not_found?: string
}

/** Where the next page is: `link` for the header of that name, JMESPath of an address, or of a value for one parameter. */
export type NextPage = string | { readonly param: string; readonly value: string }

export interface HttpProbe extends ProbeTerms, Partial<ObjectReading> {
  readonly kind: 'http'
  readonly grade: Grade
  readonly url: string
  /**
   * A question that is asked by POST: GraphQL, JSON-RPC. Its placeholders are filled in. Only ready contracts have one:
   * that it reads and changes nothing is theirs to know.
   */
  readonly post?: JsonObject
  /** what holds the object: read first, with the same headers */
  readonly parent?: string
  /** JMESPath that is true where what holds it can be read: in the answer of `parent`, without one in the answer itself */
  readonly readable?: string
  readonly headers?: Readonly<Record<string, string>>
  /** further hosts that requests may go to; those written out in `url`, `parent` and `point` are named already */
  readonly hosts?: readonly string[]
  /** addresses of this machine and of private networks are allowed */
  readonly allow_private?: true
  /** JMESPath of the objects in an answer; default: a list itself, or the one object */
  readonly items?: string
  readonly next?: NextPage
  /** the most pages that are read */
  readonly pages?: number
  /** JMESPath that is true where the answer is all there is */
  readonly complete?: string
  /** statuses that say "no such object"; default 404 for grades A and B */
  readonly none_on?: readonly number[]
  /** JMESPath that is true where a 2xx carries an error */
  readonly error?: string
  /** JMESPath that is true where the service says so of every attempt, by what it says */
  readonly statements?: Readonly<Partial<Record<'aborted' | 'never_sent' | 'refused', string>>>
  readonly remote?: RemoteReading
  /** facts of one answer that contradict each other */
  readonly disagrees?: readonly { readonly when: string; readonly says: string }[]
  /** grade D: the address by which a hit is read again, `{found}` filled in */
  readonly point?: string
  /** the largest answer, in bytes */
  readonly max_bytes?: number
}

export interface CommandProbe extends ProbeTerms {
  readonly kind: 'command'
  /** program and arguments; no shell */
  readonly run: readonly string[]
  /** names of environment variables that it is given */
  readonly env?: readonly string[]
}

export interface SqlProbe extends ProbeTerms, Partial<ObjectReading> {
  readonly kind: 'sql'
  /** a SQLite file, or `{env.NAME}` of an environment variable that holds a PostgreSQL address */
  readonly database: string
  /** one select; `$1`, `$2`, … stand for `params` */
  readonly query: string
  readonly params?: readonly string[]
  /** a select that answers a row where the table can be read whole */
  readonly parent?: string
  /** the row is the state of a task or a transaction */
  readonly remote?: RemoteReading
}

export interface FileProbe extends ProbeTerms {
  readonly kind: 'file'
  readonly path: string
  /** `sha256:<hex>` of the content that was to be written */
  readonly digest: string
}

export interface GitProbe extends ProbeTerms {
  readonly kind: 'git'
  /** address or path of the repository */
  readonly remote: string
  readonly ref: string
  /** the commit that was pushed */
  readonly commit: string
  /** false: only the commit itself counts, not one that contains it */
  readonly contains?: boolean
  /** where the ref stood before; anywhere else without the commit it may have been moved on from it */
  readonly before?: string
}

export interface NpmProbe extends ProbeTerms {
  readonly kind: 'npm'
  readonly package: string
  readonly version: string
  /** `sha512-…` of the packed tarball */
  readonly integrity: string
  /** default https://registry.npmjs.org */
  readonly registry?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly allow_private?: true
}

export interface S3Probe extends ProbeTerms {
  readonly kind: 's3'
  readonly bucket: string
  readonly key: string
  readonly region: string
  /** of another store with the same protocol; default AWS in that region */
  readonly endpoint?: string
  /** the object's own metadata that holds the operation id or the key; without the `x-amz-meta-` before it */
  readonly metadata: string
  /** SHA-256 of the content in base64, or its ETag */
  readonly digest?: string
  /** names of the environment variables with the credential */
  readonly access_key_env: string
  readonly secret_key_env: string
  readonly session_token_env?: string
  readonly allow_private?: true
}

export interface ModuleProbe extends ProbeTerms {
  readonly kind: 'module'
  /** a JavaScript module whose export `probe` is called with the question */
  readonly path: string
  /** names of environment variables that it is given */
  readonly env?: readonly string[]
}

/** A ready contract of a service, with its parameters filled in. */
export interface ServiceProbe {
  readonly kind: 'service'
  readonly service: string
  readonly with?: Readonly<Record<string, string>>
  /** instead of what the contract says */
  readonly settle_ms?: number
}

/** Several sources, all asked and judged together: where they disagree, nothing is concluded. */
export interface AllProbe {
  readonly kind: 'all'
  readonly of: readonly Exclude<ProbeDeclaration, AllProbe>[]
}

/** A probe that can be asked as it stands. */
export type SingleProbe = Exclude<ProbeDeclaration, AllProbe | ServiceProbe>
