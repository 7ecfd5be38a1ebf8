import type { ImportWarning } from '../imported.js'

/** What became of the records of one kind. */
export interface KindCounts {
  /** new here */
  readonly added: number
  /** here already; their record moved it on, or told more of it */
  readonly changed: number
  /** here already, with nothing new */
  readonly unchanged: number
}

export interface OperationCounts extends KindCounts {
  /** of the changed: their record says the opposite of how it was settled here */
  readonly contradicted: number
  /** of the changed: kept as evidence alone, because it was decided about here */
  readonly kept_as_evidence: number
  /** another operation stands under the id: nothing of the record was taken */
  readonly refused: number
}

export interface ImportCounts {
  readonly tasks: KindCounts
  readonly operations: OperationCounts
  readonly phases: KindCounts
  readonly notes: KindCounts
  readonly actions: KindCounts
}

/** A kind of warning with how often it came, and the first places. */
export interface CountedWarning {
  readonly code: string
  readonly count: number
  /** of the first one */
  readonly message: string
  readonly where: readonly string[]
}

const PLACES_SHOWN = 5

/** Folds warnings into one line a code; memory does not grow with their number. */
export function warningCounter(): {
  readonly add: (warning: Pick<ImportWarning, 'code' | 'message' | 'where'>) => void
  readonly all: () => CountedWarning[]
} {
  const seen = new Map<string, { count: number; message: string; where: string[] }>()
  return {
    add: ({ code, message, where }) => {
      const one = seen.get(code) ?? { count: 0, message, where: [] }
      one.count += 1
      if (where !== null && one.where.length < PLACES_SHOWN) one.where.push(where)
      seen.set(code, one)
    },
    all: () => [...seen].map(([code, one]) => ({ code, ...one })),
  }
}

/** Did it change anything? */
export function hasChanged(counts: ImportCounts): boolean {
  return Object.values(counts).some(({ added, changed }) => added + changed > 0)
}

type Writable<T> = { -readonly [K in keyof T]: T[K] extends object ? Writable<T[K]> : T[K] }

export function noCounts(): Writable<ImportCounts> {
  const none = () => ({ added: 0, changed: 0, unchanged: 0 })
  return {
    tasks: none(),
    operations: { ...none(), contradicted: 0, kept_as_evidence: 0, refused: 0 },
    phases: none(),
    notes: none(),
    actions: none(),
  }
}
