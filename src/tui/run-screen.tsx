import chalk from 'chalk'
import { render } from 'ink'
import type { Safe } from '../core/safe-text.js'
import { App } from './components/app.js'
import { Fault } from './components/fault.js'
import { createEffects, EVERY_MS } from './effects.js'
import type { Looked } from './event.js'
import { type Cursor, FrameSink } from './frame-sink.js'
import { keyParser, type Typed } from './keys.js'
import { layoutOf } from './layout.js'
import { layoutReady } from './layout-ready.js'
import { FIRST_ASKED, type State, startState } from './state.js'
import { createStore } from './store.js'
import type { Terminal } from './terminal.js'
import { firstLook } from './work.js'
import type { World } from './world.js'

export interface ScreenGiven {
  readonly world: World
  /** takes the terminal over; called once there is something to show */
  readonly open: () => Terminal
  readonly hasColour: boolean
  readonly isReadOnly: boolean
  /** how long an Escape may wait for what could follow it, milliseconds */
  readonly escapeMs: number
  /** aborted: leave at once */
  readonly signal: AbortSignal
}

/** Shows the screen until the person leaves it. @throws LedgerError where there is no ledger to show, and our own faults */
export async function runScreen(given: ScreenGiven): Promise<number> {
  const { world, open, hasColour } = given
  const madeAt = world.now()
  const [{ ledger, ...first }] = await Promise.all([firstLook(world, FIRST_ASKED), layoutReady])
  // Ink colours by this one; chalk itself knows nothing of NO_COLOR.
  chalk.level = hasColour ? 1 : 0
  return shown({ ...given, ledger, first: { ...first, limit: FIRST_ASKED.limit }, madeAt, terminal: open() })
}

interface Showing extends ScreenGiven {
  readonly terminal: Terminal
  readonly ledger: Safe
  readonly first: Omit<Looked, 'turn' | 'isMore'>
  readonly madeAt: number
}

function shown(showing: Showing): Promise<number> {
  const { world, terminal, first, madeAt, isReadOnly, ledger, signal } = showing
  const sink = new FrameSink(terminal)
  return new Promise<number>((resolve, reject) => {
    const ends: (() => void)[] = []
    const end = () => {
      sink.end()
      for (const one of ends.splice(0)) one()
    }
    const leave = (code: number) => {
      end()
      resolve(code)
    }
    const fail = (error: unknown) => {
      end()
      reject(error)
    }
    const guarded = (work: () => void) => {
      try {
        work()
      } catch (error) {
        fail(error)
      }
    }
    const effects = createEffects({ world, terminal, repaint: () => sink.repaint(), leave, fail, madeAt })
    const start = startState({ size: terminal.size(), isReadOnly, planPath: world.planPath, ledger })
    const store = createStore(start, effects.act)
    const send: typeof store.send = event => guarded(() => store.send(event))
    const guardedStore = { ...store, send }
    store.subscribe(() => sink.place(cursorOf(store.state())))
    store.send({ kind: 'looked', turn: 0, isMore: false, ...first })
    // Ink wants a stream of Node; in its debug mode it only writes, and asks for the size.
    const stdout = sink as unknown as NodeJS.WriteStream
    const screen = (
      <Fault onFault={fail}>
        <App store={store} />
      </Fault>
    )
    const app = render(screen, {
      stdout,
      debug: true,
      patchConsole: false,
      exitOnCtrlC: false,
    })
    const left = new AbortController()
    const ticking = async () => {
      for (;;) {
        await world.untilWritten(EVERY_MS, left.signal)
        if (left.signal.aborted) return
        guarded(() => effects.tick(guardedStore))
      }
    }
    ticking().catch(fail)
    const typing = typedOn(showing, typed => {
      for (const one of typed) send({ kind: 'typed', typed: one, at: world.now() })
    })
    ends.push(
      typing,
      () => left.abort(),
      effects.stop,
      terminal.onRepaint(() =>
        guarded(() => {
          sink.spoil()
          store.send({ kind: 'resized', size: terminal.size() })
          sink.repaint()
        }),
      ),
      terminal.onGone(() => leave(129)),
      () => app.unmount(),
    )
    // Whoever stops the program finds the terminal as it was: the exit code is theirs to choose.
    signal.addEventListener('abort', () => leave(130), { once: true })
  })
}

/** Reads keys; an Escape alone is one once nothing follows it. */
function typedOn({ terminal, escapeMs }: Showing, take: (typed: readonly Typed[]) => void): () => void {
  const parser = keyParser()
  let waiting: ReturnType<typeof setTimeout> | undefined
  const stop = terminal.onInput(chunk => {
    clearTimeout(waiting)
    take(parser.feed(chunk))
    if (parser.isWaiting()) waiting = setTimeout(() => take(parser.flush()), escapeMs)
  })
  return () => {
    clearTimeout(waiting)
    stop()
  }
}

const HEAD_ROWS = 2

/** On the selected row, so that a magnifier and a screen reader follow it. */
function cursorOf(state: State): Cursor {
  const { at, top, overlay, size, focus } = state
  if (overlay !== null) return { row: size.rows - 1, column: 0 }
  const { body, isSplit } = layoutOf(state)
  const row = Math.min(Math.max(0, at - top), body - 1)
  return { row: HEAD_ROWS + (focus === 'detail' && !isSplit ? 0 : row), column: 0 }
}
