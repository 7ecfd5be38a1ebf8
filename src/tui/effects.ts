import { isLedgerError } from '../core/errors.js'
import { safe, words } from '../core/safe-text.js'
import type { Effect, Over } from './event.js'
import { alarm, said, type Tab } from './state.js'
import type { Store } from './store.js'
import type { Terminal } from './terminal.js'
import { choices, detailOf, look, type Tail, tick, troubleWords } from './work.js'
import type { World } from './world.js'

/** Time between two looks at the ledger. */
export const EVERY_MS = 2_000
/** The selection rests when it has not moved for so long. */
const REST_MS = 80

export interface Effects {
  readonly act: (effect: Effect, store: Store) => void
  /** looks whether anything changed, unless a look is under way */
  readonly tick: (store: Store) => void
  readonly stop: () => void
}

interface Given {
  readonly world: World
  readonly terminal: Terminal
  readonly repaint: () => void
  readonly leave: (code: number) => void
  /** a fault of ours: the screen ends with it */
  readonly fail: (error: unknown) => void
  /** when the list that is shown at first was made */
  readonly madeAt: number
}

/** Does what the state asks for, and tells the store what came of it. What fails of the ledger is told on the screen. */
export function createEffects({ world, terminal, repaint, leave, fail, madeAt }: Given): Effects {
  let tail: Tail = { since: madeAt, afterSeq: 0, idle: 0 }
  let resting: ReturnType<typeof setTimeout> | undefined
  let isLooking = false
  let isOver = false

  /** Runs one look; what stands against it is told in the head of the screen. */
  const looking = async (store: Store, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (isOver) return
      if (!isLedgerError(error)) return fail(error)
      store.send({ kind: 'look_failed', why: troubleWords(error, world.show) })
    }
  }

  const lookAgain = async (store: Store, { turn, isMore }: Extract<Effect, { kind: 'look' }>) => {
    isLooking = true
    const { asked, rows } = store.state()
    const wanted = isMore ? { ...asked, limit: asked.limit * 2 } : asked
    const since = world.now()
    await looking(store, async () => {
      const seen = await look(world, wanted, new Set(isMore ? rows.map(({ id }) => id) : []))
      if (!isMore) tail = { since, afterSeq: 0, idle: 0 }
      store.send({ kind: 'looked', turn, isMore, limit: wanted.limit, ...seen })
    })
    isLooking = false
  }

  const tickOnce = (store: Store) => {
    if (isLooking || isOver) return
    isLooking = true
    const { asked, turn, trouble } = store.state()
    const from: Tail = trouble === null ? tail : { ...tail, idle: 0 }
    void looking(store, async () => {
      const seen = await tick(world, asked, from)
      tail = seen.tail
      if (seen.ticked !== null) store.send({ kind: 'ticked', turn, ...seen.ticked })
    }).then(() => {
      isLooking = false
    })
  }

  const readDetail = (store: Store, id: string, tab: Tab) =>
    void looking(store, async () => store.send({ kind: 'detailed', detail: await detailOf(world, id, tab) }))

  /** Runs what a dialog asked for; null: it told the store itself. */
  const deciding = async (store: Store, asking: number, work: () => Promise<Over | null>) => {
    try {
      const over = await work()
      if (!isOver && over !== null) store.send({ kind: 'over', asking, at: world.now(), ...over })
    } catch (error) {
      if (!isLedgerError(error)) return fail(error)
      const lines = [safe(world.show(error.hint))]
      store.send({
        kind: 'over',
        asking,
        at: world.now(),
        title: words`Not done: ${world.show(error.message)}`,
        lines,
        isRefused: true,
        decided: [],
        undo: null,
      })
    }
  }

  const act = (effect: Effect, store: Store): void => {
    switch (effect.kind) {
      case 'look':
        void lookAgain(store, effect)
        return
      case 'tick':
        // A decision of one's own may leave no entry: a claim. So the rows are compared whatever was written.
        tail = { ...tail, idle: 0 }
        tickOnce(store)
        return
      case 'detail': {
        const { id, tab, isSoon } = effect
        clearTimeout(resting)
        if (isSoon) resting = setTimeout(() => readDetail(store, id, tab), REST_MS)
        // after the frame that the same event brought: opening the ledger takes longer than painting
        else void world.breathe().then(() => readDetail(store, id, tab))
        return
      }
      case 'choices':
        void looking(store, async () =>
          store.send({ kind: 'chosen', id: effect.id, choices: await choices(world, effect.id) }),
        )
        return
      case 'foresee': {
        const { asking } = effect
        void deciding(store, asking, async () => {
          const { foresee } = await import('./foresee.js')
          const foreseen = await foresee(world, effect)
          store.send({ kind: 'foreseen', asking, foreseen, at: world.now() })
          return null
        })
        return
      }
      case 'carry_out': {
        const { asking, action, foreseen } = effect
        const tell = (line: Over['title']) => store.send({ kind: 'progress', asking, line })
        void deciding(store, asking, async () =>
          (await import('./carry-out.js')).carryOut(world, action, foreseen, tell),
        )
        return
      }
      case 'stage':
        void deciding(store, effect.asking, async () =>
          (await import('./carry-out.js')).stage(world, effect.foreseen),
        )
        return
      case 'edit': {
        const { field, text } = effect
        void terminal.edit(text).then(edited => store.send({ kind: 'edited', field, text: edited }), fail)
        return
      }
      case 'copy': {
        const isCopied = terminal.copy(effect.id)
        const name = world.show(effect.id)
        const message = isCopied
          ? said(words`copied: ${name}`)
          : alarm(words`not copied, it is not made of plain letters only: ${name}`)
        store.send({ kind: 'said', message })
        return
      }
      case 'repaint':
        repaint()
        return
      case 'suspend':
        terminal.suspend()
        return
      case 'leave':
        leave(effect.code)
        return
    }
  }
  return {
    act,
    tick: tickOnce,
    stop: () => {
      isOver = true
      clearTimeout(resting)
    },
  }
}
