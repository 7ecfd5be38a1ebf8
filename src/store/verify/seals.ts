import type { Stamp } from '../../core/time.js'
import type { Engine } from '../engine.js'
import { originOf } from '../sealing/checkpoint.js'
import type { PublicKey } from '../sealing/keys.js'
import { EMPTY, grown, rootOf, type Tree } from '../sealing/merkle.js'
import { type Anchor, isSignedBy } from '../sealing/note.js'
import { type SealEvent, sealsAfter } from '../sql-store/seals.js'
import type { Finding, FindingRule } from './finding.js'

/** Checkpoints that were kept where whoever can write the ledger cannot. */
export interface Anchors {
  readonly anchors: readonly Anchor[]
  /** null: the signatures are not looked at, so the file itself must be trusted */
  readonly key: PublicKey | null
}

/** What the seals and anchors cover. */
export interface SealsChecked {
  /** events under the last seal; 0 where there is none */
  readonly sealed: number
  readonly sealed_at: Stamp['at'] | null
  /** anchors given; null: none were */
  readonly anchors: number | null
  /** events under the largest anchor that fits */
  readonly anchored: number
  readonly signatures_checked: boolean
}

/** One size at which the root must be a certain one. */
interface Mark {
  readonly rule: 'seal_differs' | 'anchor_differs'
  readonly size: number
  readonly root: string
  readonly n: number | null
  /** what holds it, in words */
  readonly who: string
}

/** Makes the tree over all events again as they pass by, and holds it against every seal and anchor. */
export interface SealWatch {
  readonly add: (hash: Buffer) => void
  readonly end: () => { readonly findings: Finding[]; readonly checked: SealsChecked }
}

const PAGE = 200

export async function sealWatch(
  engine: Engine,
  ledger_id: string,
  given: Anchors | null,
): Promise<SealWatch> {
  const seals = await allSeals(engine, ledger_id)
  const own = (given?.anchors ?? []).filter(({ origin }) => origin === originOf(ledger_id))
  const found = (rule: FindingRule, message: string, n: number | null = null): Finding => ({
    rule,
    subject: 'ledger',
    id: ledger_id,
    n,
    message,
  })
  const findings = given === null ? [] : strangers(given, ledger_id, found)
  const marks = [...seals.map(markOfSeal), ...own.map(markOfAnchor)].sort((a, b) => a.size - b.size)
  const subtrees = new Map(seals.map(({ said }) => [said.root, said.subtrees]))
  let tree: Tree = EMPTY
  let fits = 0
  let anchored = 0
  let next = 0
  const reached = new Set<string>()
  const compare = () => {
    for (let mark = marks[next]; mark !== undefined && mark.size === tree.size; mark = marks[++next]) {
      if (rootOf(tree).toString('base64') === mark.root) {
        fits = mark.size
        if (mark.rule === 'anchor_differs') anchored = mark.size
        continue
      }
      // what differs once differs in every larger tree
      if (reached.has(mark.rule)) continue
      reached.add(mark.rule)
      const [from, to] = narrowed(tree, subtrees.get(mark.root) ?? [], fits)
      const where = `events ${from + 1} to ${to} of all are not those that were sealed`
      findings.push(found(mark.rule, `${mark.who} is of other events: ${where}`, mark.n))
    }
  }
  compare()
  return {
    add: hash => {
      if (marks[next] === undefined) return
      tree = grown(tree, hash)
      compare()
    },
    end: () => {
      for (const { rule, size, who, n } of marks.slice(next)) {
        if (reached.has(`${rule} cut`)) continue
        reached.add(`${rule} cut`)
        const gone = `of ${size} events, and ${tree.size} are there: the last ones are gone`
        findings.push(found(rule === 'anchor_differs' ? 'anchor_beyond' : rule, `${who} is ${gone}`, n))
      }
      const last = seals.at(-1)
      return {
        findings,
        checked: {
          sealed: last?.said.size ?? 0,
          sealed_at: last?.at ?? null,
          anchors: given === null ? null : given.anchors.length,
          anchored,
          signatures_checked: given !== null && given.key !== null,
        },
      }
    },
  }
}

async function allSeals(engine: Engine, ledger_id: string): Promise<SealEvent[]> {
  const seals: SealEvent[] = []
  for (;;) {
    const page = await engine.read(() => sealsAfter(ledger_id, seals.at(-1)?.seq ?? 0, PAGE))
    seals.push(...page)
    if (page.length < PAGE) return seals
  }
}

function markOfSeal({ n, at, said }: SealEvent): Mark {
  const who = `the seal of ${new Date(at).toISOString()}`
  return { rule: 'seal_differs', size: said.size, root: said.root, n, who }
}

function markOfAnchor({ size, root }: Anchor): Mark {
  return {
    rule: 'anchor_differs',
    size,
    root: root.toString('base64'),
    n: null,
    who: `the anchor of ${size} events`,
  }
}

/** Anchors of another ledger, and those that the key did not sign. */
function strangers(
  { anchors, key }: Anchors,
  ledger_id: string,
  found: (rule: FindingRule, message: string) => Finding,
): Finding[] {
  return anchors.flatMap((anchor, place) => {
    const which = `anchor ${place + 1}, of ${anchor.size} events,`
    if (anchor.origin !== originOf(ledger_id))
      return [found('anchor_differs', `${which} is of ${anchor.origin}, not of ${originOf(ledger_id)}`)]
    if (key !== null && !isSignedBy(anchor, key))
      return [found('anchor_not_signed', `${which} is not signed by the key given`)]
    return []
  })
}

/** The events of which some differ: the first full subtree that is another, within what did not fit before. */
function narrowed({ size, subtrees }: Tree, sealed: readonly string[], fits: number): [number, number] {
  let from = 0
  for (const [place, subtree] of subtrees.entries()) {
    const rest = size - from
    const width = 2 ** Math.floor(Math.log2(rest))
    if (sealed.length === subtrees.length && sealed[place] !== subtree.toString('base64'))
      return [Math.max(from, Math.min(fits, from + width)), from + width]
    from += width
  }
  return [fits, size]
}
