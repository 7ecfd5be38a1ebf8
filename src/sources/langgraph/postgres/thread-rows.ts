import type { ThreadRows } from '../rows.js'
import {
  type Fetching,
  fetchAllWrites,
  fetchCheckpoint,
  fetchHistory,
  fetchIndex,
  fetchMetadata,
  fetchNamespaces,
  fetchWrites,
  writesKey,
} from './fetch.js'

/** Rows that the work asked for and that are not here yet. */
class Missing {
  constructor(
    readonly key: string,
    readonly fetch: () => Promise<unknown>,
  ) {}
}

/**
 * Runs `work`, which asks for rows as it goes, over a database that answers only later: what is not here yet ends the run,
 * is fetched, and `work` starts anew with it. It decides by its rows alone, so each run gets further, and a thread takes
 * as many as it has levels and questions. So the reading itself is one and the same for files and servers.
 */
export async function withThreadRows<T>(fetching: Fetching, work: (rows: ThreadRows) => T): Promise<T> {
  const known = new Map<string, unknown>()
  const rows = rowsFrom(fetching, <Row>(parts: readonly string[], fetch: () => Promise<Row>): Row => {
    const key = JSON.stringify(parts)
    if (!known.has(key)) throw new Missing(key, fetch)
    return known.get(key) as Row // put there by the same fetch
  })
  for (;;)
    try {
      return work(rows)
    } catch (missing) {
      if (!(missing instanceof Missing)) throw missing
      known.set(missing.key, await missing.fetch())
    }
}

type Need = <Row>(key: readonly string[], fetch: () => Promise<Row>) => Row

function rowsFrom(fetching: Fetching, need: Need): ThreadRows {
  const namespaces = () => need(['namespaces'], () => fetchNamespaces(fetching))
  // A walk along a chain is answered from pages of metadata.
  const pages = new Map<string, string>()
  return {
    threadId: fetching.threadId,
    newest: namespace => need(['newest', namespace], () => fetchCheckpoint(fetching, namespace)),
    checkpoint: (namespace, id) =>
      need(['checkpoint', namespace, id], () => fetchCheckpoint(fetching, namespace, id)),
    writes: (namespace, id) =>
      fetching.isWhole
        ? (need(['writes'], () => fetchAllWrites(fetching)).get(writesKey(namespace, id)) ?? [])
        : need(['writes', namespace, id], () => fetchWrites(fetching, namespace, id)),
    hasNamespace: namespace => namespaces().includes(namespace),
    namespaces,
    persistentNamespaces: () =>
      namespaces().filter(namespace => namespace !== '' && !namespace.includes(':')),
    history: namespace => need(['history', namespace], () => fetchHistory(fetching, namespace)),
    metadata: (namespace, id) => {
      const page = pages.get(`${namespace} ${id}`) ?? id
      const found = need(['metadata', namespace, page], () => fetchMetadata(fetching, namespace, page))
      for (const other of found.keys()) pages.set(`${namespace} ${other}`, page)
      return found.get(id)
    },
    // Metadata lies in a column of its own, so the way back costs no values.
    bytes: () => 0,
    index: () => need(['index'], () => fetchIndex(fetching)),
  }
}
