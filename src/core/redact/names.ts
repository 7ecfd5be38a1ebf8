/** A name under which a value is a secret whatever it looks like. */
export interface SecretName {
  readonly name: string
  /** the word is also common in prose (`token: expired`), where only a value with a digit is masked */
  readonly inProse?: boolean
  /** a header whose value runs to the end of the line */
  readonly isHeader?: boolean
}

/**
 * Any spelling counts: `api_key`, `apiKey`, `X-API-Key`; so does a longer name that ends in one: `github_token`,
 * `DB_PASSWORD`. The configuration's `redact:` adds to the list.
 */
export const SECRET_NAMES: readonly SecretName[] = [
  { name: 'password' },
  { name: 'passwd' },
  { name: 'pwd' },
  { name: 'passphrase' },
  { name: 'passcode' },
  { name: 'secret' },
  { name: 'secret_key' },
  { name: 'secret_access_key' },
  { name: 'token', inProse: true },
  { name: 'api_key' },
  { name: 'access_key' },
  { name: 'private_key' },
  { name: 'signing_key' },
  { name: 'encryption_key' },
  { name: 'account_key' },
  { name: 'authorization', isHeader: true },
  { name: 'cookie', isHeader: true },
  { name: 'credential', inProse: true },
  { name: 'credentials', inProse: true },
  { name: 'connection_string' },
]

// They end like a secret and are none: what a person on call needs to see, or a place in a list.
const HARMLESS = new Set(['nexttoken', 'pagetoken', 'nextpagetoken', 'continuationtoken', 'idempotencytoken'])

/** What a name and its spellings have in common: `X-API-Key` → `xapikey`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_\-. ]/g, '')
}

/** The names in use, ready to be asked. */
export interface Names {
  /** the listed name that a key is or ends in */
  readonly find: (key: string) => SecretName | undefined
  /** patterns of all spellings, without groups: of every name, and of headers alone */
  readonly pattern: string
  readonly headers: string
  /** a shorter one that finds every name too, and more */
  readonly quick: string
}

export function createNames(extra: readonly string[]): Names {
  const names = [...SECRET_NAMES, ...extra.filter(name => plainName(name) !== '').map(name => ({ name }))]
  // Longest first: `secret_access_key` is named in the mask, not `access_key`.
  const known = names
    .map(one => ({ ...one, plain: plainName(one.name) }))
    .sort((a, b) => b.plain.length - a.plain.length)
  const found = new Map<string, SecretName | undefined>()
  const find = (key: string) => {
    if (found.has(key)) return found.get(key)
    const plain = plainName(key)
    const name = HARMLESS.has(plain) ? undefined : known.find(one => plain.endsWith(one.plain))
    // Keys repeat from row to row; keys made from data do not, and must not fill the memory.
    if (found.size < 10_000) found.set(key, name)
    return name
  }
  const headers = SECRET_NAMES.filter(one => one.isHeader === true)
  const pattern = known.map(one => spellings(one)).join('|')
  return { find, pattern, headers: headers.map(one => spellings(one)).join('|'), quick: quickPattern(known) }
}

// `secret` finds `secret_access_key`, and a run without an end is a shorter program: compiling it is most of what masking
// costs a short command.
function quickPattern(names: readonly SecretName[]): string {
  const isFound = (one: SecretName) =>
    names.some(
      ({ name }) => name !== one.name && /^[a-z]+$/.test(name) && one.name.toLowerCase().includes(name),
    )
  return names
    .filter(one => !isFound(one))
    .map(one => spellings(one, '*'))
    .join('|')
}

// `api_key` also as `apikey`, `api-key`, `api.key`, `api key`.
function spellings({ name }: SecretName, run = '{0,3}'): string {
  return (
    name
      .split(/[_\-. ]+/)
      .filter(part => part !== '')
      // Not by \p{L}, whose table costs every start half a millisecond: outside of u patterns a letter may be escaped too.
      .map(part => part.replace(/\W/g, '\\$&'))
      .join(`[_\\-. ]${run}`)
  )
}
