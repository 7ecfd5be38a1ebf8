// The port's part about transactions that the application holds open itself.

/** A connection of the application's own to the database of the ledger, as better-sqlite3 gives it. */
export interface GuestConnection {
  readonly name: string
  readonly open: boolean
  readonly inTransaction: boolean
  pragma(source: string, options?: { readonly simple?: boolean }): unknown
  prepare(source: string): unknown
}

/** A client of the application's own, connected to the database of the ledger, as `pg` gives it. */
export interface GuestClient {
  query(config: {
    readonly text: string
    readonly values: unknown[]
    readonly rowMode: 'array'
    readonly types: { getTypeParser(): (field: string | Uint8Array) => unknown }
  }): Promise<{
    readonly rows: readonly (readonly unknown[])[]
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
    readonly rowCount: number | null
  }>
}
