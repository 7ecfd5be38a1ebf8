import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY, grown, isTree, rootOf, type Tree } from '../../../src/store/sealing/merkle.js'

const treeOf = (leaves: readonly Buffer[]): Tree => leaves.reduce(grown, EMPTY)

describe('the tree over all events', () => {
  // The leaves and roots that implementations of certificate transparency test with (RFC 6962, whose tree RFC 9162 keeps).
  const LEAVES = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ]
  it.each([
    [0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    [4, 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
    [5, '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
    [6, '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
    [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
    [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  ])('has the known root over %i leaves', (count, root) => {
    const leaves = LEAVES.slice(0, count).map(hex => Buffer.from(hex, 'hex'))
    expect(rootOf(treeOf(leaves)).toString('hex')).toBe(root)
  })

  it('is what the definition says, for any number of leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 70 }), given => {
        const leaves = given.map(bytes => Buffer.from(bytes))
        const tree = treeOf(leaves)
        expect(rootOf(tree)).toEqual(defined(leaves))
        expect(isTree(tree)).toBe(true)
      }),
    )
  })

  it('is no tree with a subtree too many or too few', () => {
    const tree = treeOf(LEAVES.map(hex => Buffer.from(hex, 'hex')))
    expect(isTree({ ...tree, size: 7 })).toBe(false)
    expect(isTree({ ...tree, size: -1 })).toBe(false)
    expect(isTree({ ...tree, subtrees: [] })).toBe(false)
  })
})

/** RFC 9162 2.1.1, as it is written there. */
function defined(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves
  if (first === undefined) return hash('sha256', '', 'buffer')
  if (leaves.length === 1) return hash('sha256', Buffer.concat([Buffer.from([0]), first]), 'buffer')
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  const parts = [Buffer.from([1]), defined(leaves.slice(0, half)), defined(leaves.slice(half))]
  return hash('sha256', Buffer.concat(parts), 'buffer')
}
