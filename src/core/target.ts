import type { ExternalId } from './operation.js'

/** One way to see that evidence names another target than was asked for. */
interface TargetRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  /** what was asked and what was touched where they differ; null where this rule cannot compare the two */
  readonly compare: (target: string, touched: readonly ExternalId[]) => Difference | null
}

interface Difference {
  readonly asked: string
  readonly touched: string
}

/**
 * Only what is written alike is compared: the id of a new ticket says nothing against the tracker it was made in.
 * Differences that no rule can see are left to the person's eyes.
 */
export const TARGET_RULES: readonly TargetRule[] = [
  {
    id: 'named_target',
    title: 'an external id of kind `target` is another target',
    reason: 'whoever recorded it said which target was touched',
    compare: (target, touched) =>
      firstOf(touched, ({ kind, value }) => (kind === 'target' ? unequal(target, value) : null)),
  },
  {
    id: 'same_kind',
    title: 'target and external id are of one kind and differ',
    reason: '`release/v2.1.0` and the release v2.1.0-rc1 are two objects of one kind',
    compare: (target, touched) => {
      const asked = divided(target)
      if (asked === null) return null
      return firstOf(touched, ({ kind, value }) => {
        const one = divided(value) ?? { kind, value }
        return one.kind === asked.kind ? unequal(asked.value, one.value) : null
      })
    },
  },
  {
    id: 'version',
    title: 'the external ids name other versions than the target, and none names its own',
    reason: 'one tag in place of another is the usual way to touch the wrong target',
    compare: (target, touched) => {
      const asked = versionIn(target)
      const versions = touched.map(({ value }) => versionIn(value)).filter(one => one !== undefined)
      const [first] = versions
      return asked === undefined || first === undefined || versions.includes(asked)
        ? null
        : unequal(asked, first)
    },
  },
]

/** `asked v2.1.0, touched v2.1.0-rc1` where an external id shows another target than was asked for, else null. */
export function targetDifference(target: string | null, touched: readonly ExternalId[]): string | null {
  if (target === null || touched.length === 0) return null
  const found = firstOf(TARGET_RULES, rule => rule.compare(target, touched))
  return found === null ? null : `asked ${found.asked}, touched ${found.touched}`
}

function firstOf<A>(ones: readonly A[], find: (one: A) => Difference | null): Difference | null {
  for (const one of ones) {
    const found = find(one)
    if (found !== null) return found
  }
  return null
}

function unequal(asked: string, touched: string): Difference | null {
  return asked.normalize('NFC') === touched.normalize('NFC') ? null : { asked, touched }
}

// `release/v2.1.0`, `release:v2.1.0`: a kind in letters, then its value. A URL or a path of several parts is no such pair.
function divided(text: string): { readonly kind: string; readonly value: string } | null {
  const found = /^([a-z][a-z_-]*)[/:]([^/:\s]+)$/i.exec(text)
  const [, kind, value] = found ?? []
  return kind === undefined || value === undefined ? null : { kind, value }
}

// A version as semver.org 2.0 writes it, with or without v, with the pre-release that makes it another one.
function versionIn(text: string): string | undefined {
  return /(?<![\w.])v?\d+\.\d+\.\d+(?:-[0-9a-z.-]+)?(?![\w.])/i.exec(text)?.[0].replace(/^v/i, '')
}
