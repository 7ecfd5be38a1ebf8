import { shownUrl } from '../../../core/shown-url.js'
import { unreadable } from '../../unreadable.js'

/** Where a PostgresSaver keeps its tables. */
export interface Address {
  /** what the driver connects to: the URL without our own parameters */
  readonly connection: string
  /** the URL as it may be shown: without its password */
  readonly shown: string
  /** undefined: where the database's own search path finds the table */
  readonly schema: string | undefined
  readonly tables: TableNames
}

export interface TableNames {
  readonly checkpoints: string
  readonly blobs: string
  readonly writes: string
}

/** Is it an address that the driver of PostgreSQL understands? */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(url)
}

/**
 * `postgresql://user@host/database?schema=…&table=…`. The schema is the saver's; a table other than `checkpoints` names
 * its blobs and writes after itself (`agent_checkpoints`, `agent_checkpoint_blobs`, `agent_checkpoint_writes`). All other
 * parameters are the driver's. Throws `ledger_unreadable`.
 */
export function parseAddress(url: string): Address {
  const shown = shownUrl(url)
  const [base = '', query = ''] = cut(url, '?')
  const parts = query.split('&').filter(part => part !== '')
  const given = (name: string) => {
    const values = parts.flatMap(part => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []))
    if (values.length > 1)
      throw unreadable(shown, `names ${name} ${values.length} times`, `Leave one ${name}= in it.`)
    return values[0] === undefined ? undefined : decoded(values[0], name, shown)
  }
  const others = parts.filter(part => !/^(?:schema|table)=/.test(part))
  const checkpoints = given('table') ?? 'checkpoints'
  const stem = checkpoints.replace(/s$/, '')
  return {
    connection: others.length === 0 ? base : `${base}?${others.join('&')}`,
    shown,
    schema: given('schema'),
    tables: { checkpoints, blobs: `${stem}_blobs`, writes: `${stem}_writes` },
  }
}

function decoded(text: string, name: string, shown: string): string {
  const value = (() => {
    try {
      return decodeURIComponent(text)
    } catch {
      return ''
    }
  })()
  if (value === '' || value.includes('\0'))
    throw unreadable(
      shown,
      `has a ${name}= that names nothing`,
      `Write ${name}=name, with % signs as %25, or leave it out.`,
    )
  return value
}

function cut(text: string, at: string): [string, string] {
  const index = text.indexOf(at)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

/** A name as SQL text has it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
