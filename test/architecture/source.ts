import { parseSync } from 'oxc-parser'

/** What one file takes from elsewhere. */
export interface Source {
  /** module names as written, those of types too */
  readonly imports: readonly { readonly from: string; readonly isLazy: boolean; readonly isType: boolean }[]
  /** what it uses of the world around the program: `process`, `console`, `Date.now`, `new Date()`, … */
  readonly world: readonly string[]
}

/** Reads a file's syntax tree. */
export function readSource(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const eager = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      from: moduleRequest.value,
      isType: entries.length > 0 && entries.every(entry => entry.isType),
    })),
    ...module.staticExports
      .flatMap(one => one.entries)
      .flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ from: moduleRequest.value, isType }] : [])),
  ]
  const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start, end).slice(1, -1),
  )
  const declared = new Set<string>()
  const used = new Set<string>()
  walk(program, (node, parent, key) => {
    if (node.type === 'Identifier' && isBinding(parent, key)) declared.add(String(node.name))
    const name = worldName(node, parent, key)
    if (name !== undefined) used.add(name)
  })
  return {
    imports: [
      ...new Set(eager.map(one => JSON.stringify({ ...one, isLazy: false }))),
      ...lazy.map(from => JSON.stringify({ from, isLazy: true, isType: false })),
    ].map(one => JSON.parse(one)),
    world: [...used].filter(name => !declared.has(name)).sort(),
  }
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const GLOBALS = new Set(['process', 'console', 'performance', 'navigator'])
const CLOCK_AND_CHANCE = ['Date.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues']

function worldName(node: Node, parent: Node | undefined, key: string): string | undefined {
  if (node.type === 'Identifier' && GLOBALS.has(String(node.name)) && isReference(parent, key))
    return String(node.name)
  if (node.type === 'MemberExpression') {
    const name = `${nameOf(node.object)}.${nameOf(node.property)}`
    return CLOCK_AND_CHANCE.includes(name) ? name : undefined
  }
  const isDate =
    (node.type === 'NewExpression' || node.type === 'CallExpression') && nameOf(node.callee) === 'Date'
  if (!isDate) return undefined
  if (node.type === 'CallExpression') return 'Date()'
  return Array.isArray(node.arguments) && node.arguments.length === 0 ? 'new Date()' : undefined
}

function isReference(parent: Node | undefined, key: string): boolean {
  const isName =
    (key === 'property' || key === 'key') && parent?.computed !== true && parent?.shorthand !== true
  return (
    !isName &&
    !isBinding(parent, key) &&
    parent?.type !== 'TSTypeReference' &&
    parent?.type !== 'TSQualifiedName'
  )
}

// Parameters and declarations: `(process: NodeJS.Process) => …` is given its process.
function isBinding(parent: Node | undefined, key: string): boolean {
  return key === 'params' || (parent?.type === 'VariableDeclarator' && key === 'id')
}

function nameOf(node: unknown): string {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : ''
}

function walk(node: unknown, visit: (node: Node, parent: Node | undefined, key: string) => void): void {
  step(node, undefined, '')
  function step(one: unknown, parent: Node | undefined, key: string): void {
    if (Array.isArray(one)) {
      for (const item of one) step(item, parent, key)
    } else if (isNode(one)) {
      visit(one, parent, key)
      for (const [name, child] of Object.entries(one)) step(child, one, name)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
