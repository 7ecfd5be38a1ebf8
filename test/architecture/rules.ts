import { posix } from 'node:path'
import type { Source } from './source.js'

/** The import table of the project: which layer may know which. A layer always knows itself. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  host: ['core'],
  version: [],
  store: ['core'],
  sources: ['core'],
  probes: ['core'],
  report: ['core'],
  // a ready contract of a service gives a tool what it does not declare itself
  config: ['core', 'probes'],
  execute: ['store', 'core'],
  supervise: ['execute', 'store', 'core'],
  ledger: [
    'supervise',
    'execute',
    'store',
    'sources',
    'probes',
    'report',
    'config',
    'core',
    'host',
    'version',
  ],
  demo: ['ledger', 'store', 'config', 'core'],
  testing: ['core', 'host'],
  cli: ['ledger', 'config', 'core', 'report', 'host', 'version', 'testing'],
  tui: ['ledger', 'config', 'core', 'report'],
  index: ['ledger', 'config', 'core', 'report', 'host', 'version'],
}

/** What a layer may know only through `import()`. */
const LAZY: Readonly<Record<string, readonly string[]>> = { cli: ['tui', 'demo'] }

/** Packages, and the only places that may import them. Any other package is refused: name it here first. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  zod: /^src\/(?:core|config|sources|probes|execute|ledger)\/|^src\/cli\/commands\/schema\.ts$/,
  '@noble/hashes': /^src\/(?:core\/decision-code|host\/owner)\.ts$/,
  canonicalize: /^src\/core\/digest\.ts$/,
  commander: /^src\/cli\//,
  chalk: /^src\/(?:cli|tui)\//,
  'string-width': /^src\/(?:cli|tui|report)\//,
  '@bomb.sh/tab': /^src\/cli\//,
  yaml: /^src\/(?:config|cli)\//,
  ink: /^src\/tui\//,
  react: /^src\/tui\//,
  pg: /^src\/(?:store\/postgres\/|probes\/sql\/postgres\.ts$|sources\/langgraph\/)/,
  'better-sqlite3': /^src\/(?:store\/sqlite\/|sources\/|probes\/sql\/sqlite\.ts$)/,
  // the file says where values stand, and probes look there
  jmespath: /^src\/(?:config\/probe-checks\.ts$|probes\/)/,
  'p-retry': /^src\/probes\//,
  '@msgpack/msgpack': /^src\/sources\/langgraph\//,
  'hash-wasm': /^src\/sources\/langgraph\//,
  '@opentelemetry/api': /^src\/execute\/events\/telemetry\.ts$/,
}

/** Where the process, the console, the environment and the clock may appear. */
const WORLDLY = /^(?:bin|src\/cli|src\/host)\/|^src\/host\.ts$/
const WORLDLY_FILES: Readonly<Record<string, string>> = {
  'src/testing/crash-point.ts': 'it kills the process it runs in, as the environment asks',
}

// Chance is no clock: below the core it may spread waiting times.
const PURE_ONLY = new Set(['Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'])
const VAGUE = /(?:^|[-/])(?:utils?|helpers?|types|common|misc|shared)(?:\.|\/|$)/
export const LONGEST = 300
/** Tests are lists of cases; they grow a little longer. */
export const LONGEST_TEST = 500

/** Every way in which a file breaks the architecture, in words. */
export function violations(path: string, source: Source, lines: number): string[] {
  return [
    ...source.imports.flatMap(({ from, isLazy }) => importViolation(path, from, isLazy) ?? []),
    ...source.world.flatMap(name => worldViolation(path, name) ?? []),
    ...nameViolations(path),
    ...(lines > LONGEST ? [`${path} has ${lines} lines; split it before ${LONGEST}`] : []),
  ]
}

/** What holds for a file of any kind, tests and scripts too. */
export function nameViolations(path: string): string[] {
  const name = posix.basename(path).replace(/(?:\.test|\.config|\.d)?\.[a-z]+$/, '')
  return [
    ...(VAGUE.test(path) ? [`${path} is named after no subject`] : []),
    ...(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) ? [] : [`${path} is not in kebab-case`]),
  ]
}

function importViolation(path: string, from: string, isLazy: boolean): string | undefined {
  if (from.startsWith('node:')) {
    const isAllowed = layerOf(path) !== 'core' || (path === 'src/core/digest.ts' && from === 'node:crypto')
    return isAllowed ? undefined : `${path} imports ${from}, but core is pure`
  }
  if (!from.startsWith('.')) return packageViolation(path, from)
  const target = posix.normalize(posix.join(posix.dirname(path), from))
  const [layer, known] = [layerOf(path), layerOf(target)]
  if (layer === known || LAYERS[layer]?.includes(known) === true) return undefined
  if (isLazy && LAZY[layer]?.includes(known) === true) return undefined
  return `${path} imports ${target}, but ${layer} may not know ${known}`
}

function packageViolation(path: string, from: string): string | undefined {
  const name = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
  const place = PACKAGES[name]
  if (place === undefined) return `${path} imports ${name}, which the table of packages does not name`
  return place.test(path) ? undefined : `${path} imports ${name}, which only ${place.source} may`
}

function worldViolation(path: string, name: string): string | undefined {
  const isPure = layerOf(path) === 'core'
  if (PURE_ONLY.has(name)) return isPure ? `${path} uses ${name}, but core is pure` : undefined
  if (WORLDLY.test(path) || WORLDLY_FILES[path] !== undefined) return undefined
  return `${path} uses ${name}, which only bin, cli and host may; have it passed in`
}

// `src/ledger.ts` and `src/ledger/` are one layer.
function layerOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.[jt]sx?$/, '')
}
