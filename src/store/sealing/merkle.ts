import { hash } from 'node:crypto'

/**
 * A Merkle tree as RFC 9162 section 2.1 defines it, that only grows: a leaf is SHA-256 over 0x00 and its data, an inner
 * node SHA-256 over 0x01, left and right. Of a tree of n leaves only the roots of its full subtrees are kept, at most
 * 48 for 2^48 leaves.
 */
export interface Tree {
  /** how many leaves it has */
  readonly size: number
  /** the roots of the full subtrees, largest first: one for each bit of `size` */
  readonly subtrees: readonly Buffer[]
}

export const EMPTY: Tree = { size: 0, subtrees: [] }

/** The tree with one more leaf; `data` is what the leaf is the hash of. */
export function grown({ size, subtrees }: Tree, data: Buffer): Tree {
  const roots = [...subtrees]
  let node = leafHash(data)
  for (let bits = size; bits % 2 === 1; bits = Math.floor(bits / 2)) {
    const left = roots.pop()
    if (left === undefined) throw new Error('a tree has a subtree for each bit of its size')
    node = nodeHash(left, node)
  }
  return { size: size + 1, subtrees: [...roots, node] }
}

/** RFC 9162 2.1.1: of no leaf the hash of nothing. */
export function rootOf({ subtrees }: Tree): Buffer {
  const last = subtrees.at(-1)
  if (last === undefined) return hash('sha256', '', 'buffer')
  return subtrees.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last)
}

/** Whether there are as many subtrees as a tree of this size has. */
export function isTree({ size, subtrees }: Tree): boolean {
  let bits = 0
  for (let left = size; left > 0; left = Math.floor(left / 2)) bits += left % 2
  return Number.isSafeInteger(size) && size >= 0 && subtrees.length === bits
}

function leafHash(data: Buffer): Buffer {
  return hash('sha256', Buffer.concat([LEAF, data]), 'buffer')
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer')
}

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])
