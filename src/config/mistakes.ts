import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  visit,
} from 'yaml'
import type * as z from 'zod'
import { didYouMean } from '../core/did-you-mean.js'

/** One thing to correct, and where it stands. Lines and columns count from 1. */
export interface Mistake {
  readonly line: number
  readonly column: number
  readonly says: string
}

/** A text as the parser sees it, and the schema it has to fit. */
interface Source {
  readonly document: Document
  readonly lines: LineCounter
  readonly schema: z.ZodType
}

/** What the parser itself found: broken syntax, a key given twice, a tag nobody knows. */
export function syntaxMistakes({ document, lines }: Omit<Source, 'schema'>): Mistake[] {
  const found = [...document.errors, ...document.warnings].map(({ code, message, pos }) => {
    const [theirs = message] = message.replace(/ at line \d+, column \d+:?/, '').split('\n')
    return { ...position(pos[0], lines), says: IN_OUR_WORDS[code] ?? theirs }
  })
  return [...found, ...impossibleNames({ document, lines })]
}

/** Where the parser's own words do not say what to do. */
const IN_OUR_WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands in the same group before: keep one of them',
  TAB_AS_INDENT: 'a tab: YAML is indented with spaces',
}

// JavaScript gives this one name a meaning of its own; left in, it would vanish without a word.
function impossibleNames({ document, lines }: Omit<Source, 'schema'>): Mistake[] {
  const found: Mistake[] = []
  visit(document, {
    Pair: (_, { key }) => {
      if (keyText(key) === '__proto__')
        found.push({ ...position(offset(key) ?? 0, lines), says: '__proto__ cannot be a name' })
    },
  })
  return found
}

/** What does not fit the schema, in the order of the file. */
export function schemaMistakes(issues: readonly z.core.$ZodIssue[], source: Source): Mistake[] {
  return issues
    .flatMap(issue => mistakesOf(issue, source))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

/** Mistakes as facts of an error: where each stands, and what it is. Two in one place keep two entries. */
export function mistakeFacts(mistakes: readonly Mistake[]): Record<string, string> {
  const facts: Record<string, string> = {}
  for (const { line, column, says } of mistakes) {
    const where = `line ${line}, column ${column}`
    let name = where
    for (let n = 2; name in facts; n++) name = `${where} (${n})`
    facts[name] = says
  }
  return facts
}

function mistakesOf(issue: z.core.$ZodIssue, source: Source): Mistake[] {
  const { path } = issue
  const inner = issue.code === 'invalid_union' ? meantBranch(issue.errors) : undefined
  if (inner !== undefined)
    return inner.flatMap(one => mistakesOf({ ...one, path: [...path, ...one.path] }, source))
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({
      ...place([...path, key], source, 'key'),
      says: `${inFull([...path, key])}: no such key${didYouMean(
        key,
        keysAt(path, source.schema).filter(known => known !== key),
      )}`,
    }))
  const says = isAbsent(path, source)
    ? `${inFull(path)} is missing: ${issue.message}`
    : `${inFull(path)}: ${issue.message}`
  return [{ ...place(path, source, issue.code === 'invalid_key' ? 'key' : 'value'), says }]
}

/** Of the branches of a union the only one that fits at its root: what is wrong inside it is what was meant. */
function meantBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] | undefined {
  const meant = branches.filter(issues =>
    issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  )
  return meant.length === 1 && meant[0]?.length !== 0 ? meant[0] : undefined
}

function inFull(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the file' : path.map(String).join('.')
}

/** The keys the schema knows at a path, for "did you mean". */
function keysAt(path: readonly PropertyKey[], schema: z.ZodType): string[] {
  let schemas: unknown[] = [schema]
  for (const step of path) schemas = schemas.flatMap(alternatives).flatMap(schema => inner(schema, step))
  return [...new Set(schemas.flatMap(alternatives).flatMap(schema => Object.keys(shapeOf(schema) ?? {})))]
}

// zod's classes are asked for their definitions, so that the list of keys stands in the schema alone.
function alternatives(schema: unknown): unknown[] {
  const def = definition(schema)
  if (def === undefined) return []
  if ('innerType' in def) return alternatives(def.innerType)
  if ('options' in def && Array.isArray(def.options)) return def.options.flatMap(alternatives)
  return [schema]
}

function inner(schema: unknown, step: PropertyKey): unknown[] {
  const shape = shapeOf(schema)
  if (shape !== undefined) return Object.hasOwn(shape, step) ? [Reflect.get(shape, step)] : []
  const def = definition(schema)
  if (def !== undefined && 'valueType' in def) return [def.valueType]
  return def !== undefined && 'element' in def ? [def.element] : []
}

function shapeOf(schema: unknown): object | undefined {
  const def = definition(schema)
  const shape = def !== undefined && 'shape' in def ? def.shape : undefined
  return typeof shape === 'object' && shape !== null ? shape : undefined
}

function definition(schema: unknown): object | undefined {
  const def = typeof schema === 'object' && schema !== null && 'def' in schema ? schema.def : undefined
  return typeof def === 'object' && def !== null ? def : undefined
}

function isAbsent(path: readonly PropertyKey[], { document }: Pick<Source, 'document'>): boolean {
  return path.length > 0 && !document.hasIn(path)
}

/** Where a path stands; of a path that is not there, where its nearest parent does. */
export function place(
  path: readonly PropertyKey[],
  { document, lines }: Omit<Source, 'schema'>,
  of: 'key' | 'value',
) {
  let node: unknown = document.contents
  let at = offset(node) ?? 0
  for (const [i, step] of path.entries()) {
    const found = childOf(resolved(node, document), step)
    if (found === undefined) break
    const isLast = i === path.length - 1
    at =
      (isLast && of === 'value' ? offset(found.value) : undefined) ??
      offset(found.key) ??
      offset(found.value) ??
      at
    node = found.value
  }
  return position(at, lines)
}

function position(at: number, lines: LineCounter) {
  const { line, col } = lines.linePos(at)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

function childOf(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  if (isSeq(node)) return { key: undefined, value: node.items[Number(step)] }
  if (!isMap(node)) return undefined
  const pair = node.items.find(item => isPair(item) && keyText(item.key) === String(step))
  return pair === undefined ? undefined : { key: pair.key, value: pair.value }
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key)
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node
}

function offset(node: unknown): number | undefined {
  return isNodeWithRange(node) ? node.range?.[0] : undefined
}

function isNodeWithRange(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'range' in node
}
