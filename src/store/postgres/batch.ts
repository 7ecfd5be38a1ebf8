import type { Client, Connection, Submittable } from 'pg'
import { changesRow, type Places, placesOf, type Row } from '../engine.js'
import { type CellParser, parserOf, type Statement, type Value } from './cells.js'

/**
 * Sends statements in one journey and answers for each. The first that fails ends it: what stands behind is not
 * carried out. Rejects with the server's error or that of the connection.
 */
export function batch(client: Client, statements: readonly Statement[]): Promise<(readonly Row[])[]> {
  return new Promise((resolve, reject) => {
    client.query(submittable(keptBy(client), statements, { resolve, reject }))
  })
}

interface Kept {
  readonly name: string
  /** how its rows are read; undefined until it was answered once, null where it gives none */
  shape: Shape | null | undefined
}

interface Shape {
  readonly places: Places
  readonly parsers: readonly CellParser[]
}

interface Connected {
  readonly statements: Map<string, Kept>
  names: number
}

const connections = new WeakMap<Client, Connected>()

function keptBy(client: Client): Connected {
  let known = connections.get(client)
  if (known === undefined) {
    known = { statements: new Map(), names: 0 }
    connections.set(client, known)
  }
  return known
}

interface Settle {
  readonly resolve: (answers: (readonly Row[])[]) => void
  readonly reject: (error: unknown) => void
}

/** What the driver asks of a query of one's own: https://node-postgres.com/apis/client#clientquery */
function submittable(connected: Connected, statements: readonly Statement[], { resolve, reject }: Settle) {
  const answers: (readonly Row[])[] = []
  const sent: (Kept | null)[] = []
  const fresh: string[] = []
  let rows: Row[] = []
  let shape: Shape | null = null
  let failed = false

  function send(connection: Wire, { text, values, isKept }: Statement): void {
    let kept = isKept ? connected.statements.get(text) : undefined
    const isNew = kept === undefined
    if (isKept && kept === undefined) {
      connected.names += 1
      kept = { name: `ledger_${connected.names}`, shape: undefined }
      connected.statements.set(text, kept)
      fresh.push(text)
    }
    const statement = kept?.name ?? ''
    if (isNew) connection.parse({ name: statement, text, types: [] })
    connection.bind({ portal: '', statement, values: [...values] })
    if (kept?.shape === undefined) connection.describe({ type: 'P', name: '' })
    connection.execute({ portal: '', rows: 0 })
    sent.push(kept ?? null)
  }

  function fail(error: unknown): void {
    if (failed) return
    failed = true
    // Whether the server has those names now is not known: they are parsed again, under other names.
    for (const text of fresh) connected.statements.delete(text)
    reject(error)
  }

  const query = {
    submit(given: Connection): undefined {
      const connection = wireOf(given)
      connection.stream.cork()
      try {
        for (const statement of statements) send(connection, statement)
        connection.sync()
      } finally {
        connection.stream.uncork()
      }
      begin()
      return undefined
    },
    handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
      shape = {
        places: placesOf(fields.map(({ name }) => name)),
        parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
      }
    },
    handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
      const { places, parsers } = shape ?? { places: NO_PLACES, parsers: [] }
      rows.push({
        cells: fields.map((field, n) => (field === null ? null : (parsers[n]?.(field) ?? field))),
        places,
      })
    },
    handleCommandComplete({ text }: { readonly text: string }): void {
      const kept = sent[answers.length]
      if (kept !== null && kept !== undefined && kept.shape === undefined) kept.shape = shape
      answers.push(shape === null ? [changesRow(changesSaid(text))] : rows)
      begin()
    },
    handleReadyForQuery(): void {
      if (!failed) resolve(answers)
    },
    handleError: fail,
    handleEmptyQuery: () => fail(new Error('an empty statement was sent')),
    handlePortalSuspended: () => fail(new Error('a statement was cut off')),
    handleCopyInResponse: () => fail(new Error('a statement asked for data to copy')),
    handleCopyData: () => undefined,
  }

  /** Before the answer of the next statement: its shape is known where the server was not asked for it. */
  function begin(): void {
    rows = []
    shape = sent[answers.length]?.shape ?? null
  }

  // The types of the driver know of one method only; it calls all of these.
  return query as Submittable
}

const NO_PLACES: Places = new Map()

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

/** `UPDATE 3`, `INSERT 0 1`, `COMMIT`: the last word, where it is a number. */
function changesSaid(tag: string): number {
  const count = Number(tag.slice(tag.lastIndexOf(' ') + 1))
  return Number.isNaN(count) ? 0 : count
}

/** The messages of the protocol, as the driver's connection sends them: its types name fewer of their fields. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  parse(message: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void
  bind(message: { readonly portal: string; readonly statement: string; readonly values: Value[] }): void
  describe(message: { readonly type: 'P' | 'S'; readonly name: string }): void
  execute(message: { readonly portal: string; readonly rows: number }): void
  sync(): void
}

function wireOf(connection: Connection): Wire {
  // see Wire
  return connection as unknown as Wire
}
