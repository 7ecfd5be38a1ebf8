import type { Lookup } from './level.js'
import type { ThreadRows } from './rows.js'

/** What the thread as a whole knows of names; its namespaces are read only when somebody asks for one. */
export function createLookup(rows: ThreadRows, nodeNames: readonly string[]): Lookup {
  let nodes: Map<string, string> | undefined
  return {
    hasNamespace: rows.hasNamespace,
    nodeNames,
    nodeOf: (namespace, taskId) => {
      nodes ??= nodesByTask(rows.namespaces())
      return nodes.get(key(namespace, taskId))
    },
  }
}

// `outer:id|inner:id|1`: each part names a task inside the graph that the parts before it are.
function nodesByTask(namespaces: readonly string[]): Map<string, string> {
  const nodes = new Map<string, string>()
  for (const namespace of namespaces) {
    const parts = namespace.split('|')
    for (const [index, part] of parts.entries()) {
      const colon = part.indexOf(':')
      if (colon > 0)
        nodes.set(key(parts.slice(0, index).join('|'), part.slice(colon + 1)), part.slice(0, colon))
    }
  }
  return nodes
}

function key(namespace: string, taskId: string): string {
  return `${taskId} ${namespace}`
}
