/** The rows of one thread, as the algorithm asks for them. Values stay encoded until they are needed. */
export interface ThreadRows {
  readonly threadId: string
  /** the newest checkpoint of a namespace (`''` is the outermost graph); ids are UUIDs v6, so their order is time */
  newest(namespace: string): CheckpointRow | undefined
  checkpoint(namespace: string, checkpointId: string): CheckpointRow | undefined
  /** everything written by the tasks that started from this checkpoint, by task id and then by index */
  writes(namespace: string, checkpointId: string): readonly WriteRow[]
  hasNamespace(namespace: string): boolean
  /** all namespaces of the thread */
  namespaces(): readonly string[]
  /** the namespaces of subgraphs with a state of their own across turns: a node name alone, without a task id */
  persistentNamespaces(): readonly string[]
  /** ids alone, oldest first */
  history(namespace: string): readonly HistoryRow[]
  /** source and step of one checkpoint, without its values */
  metadata(namespace: string, checkpointId: string): Encoded | undefined
  /** bytes of the stored values of one checkpoint */
  bytes(namespace: string, checkpointId: string): number
  /** which task wrote to which channel, in the whole thread, values left where they are */
  index(): readonly WriteKey[]
}

/** A stored value: the serializer's name for it, and its bytes. */
export interface Encoded {
  readonly type: string | null
  readonly bytes: Uint8Array
  /** its bytes were left in the store; what is known of them */
  readonly left?: { readonly bytes: number; readonly digest: string; readonly why: string }
}

export interface CheckpointRow {
  readonly checkpointId: string
  readonly parentId: string | null
  readonly checkpoint: Encoded
  readonly metadata: Encoded
  /** values that the store keeps apart from the checkpoint (PostgreSQL) */
  readonly apart?: readonly StoredChannel[]
}

/** One channel's value in a row of its own. */
export interface StoredChannel {
  readonly channel: string
  /** the serializer's name; `empty`: the channel holds nothing */
  readonly type: string
  /** null: it is there, and was not asked for */
  readonly value: Encoded | null
}

export interface WriteKey {
  readonly namespace: string
  readonly checkpointId: string
  readonly taskId: string
  readonly index: number
  readonly channel: string
}

export interface WriteRow {
  readonly taskId: string
  /** where the task came from, `~__pregel_pull, node`; `''` in stores written before the column existed */
  readonly taskPath: string
  readonly index: number
  readonly channel: string
  readonly value: Encoded
  /** grows with every row written, so of two rows it tells the later one; a replaced row counts as new */
  readonly order: number
}

export interface HistoryRow {
  readonly checkpointId: string
  readonly parentId: string | null
}
