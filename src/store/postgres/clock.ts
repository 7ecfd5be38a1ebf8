import type { Stamp } from '../../core/time.js'

/** Between two looks at the database's clock this machine's own carries it on; a crystal drifts some 50 ms in that time. */
const LOOK_LASTS_MS = 15_000

/** The database's clock as this machine sees it. */
export interface ServerClock {
  /** the clock to use from now on; `look` asks the database for its wall time in milliseconds since 1970 */
  on(machine: () => Stamp, look: () => Promise<number>): Promise<() => Stamp>
  /** asks again where the last look is old or was at another server */
  refresh(look: () => Promise<number>): Promise<void>
  /** the next one to answer may be another server */
  forget(): void
}

/**
 * Many machines write one ledger, and their clocks differ: the database's counts for all. It is read now and then, and
 * carried on by the boot clock, which no setting of the wall clock moves; where a system has none, by the wall clock.
 */
export function serverClock(): ServerClock {
  let machine: (() => Stamp) | null = null
  let ahead: number | null = null
  let looked = Number.NEGATIVE_INFINITY
  let last = 0

  return {
    async on(given, look) {
      machine = given
      await seen(given, look)
      return () => {
        const now = given()
        // The database's clock may be set back a little between two looks; time does not run back for that.
        last = Math.max(last, Math.round(carrier(now) + (ahead ?? 0)))
        return { ...now, at: last }
      }
    },
    async refresh(look) {
      if (machine === null) return
      if (ahead !== null && carrier(machine()) - looked < LOOK_LASTS_MS) return
      await seen(machine, look)
    },
    forget() {
      looked = Number.NEGATIVE_INFINITY
    },
  }

  async function seen(clock: () => Stamp, look: () => Promise<number>): Promise<void> {
    const before = carrier(clock())
    const at = await look()
    const after = carrier(clock())
    ahead = at - (before + after) / 2
    looked = after
  }
}

function carrier({ at, boot_id, boot_ms }: Stamp): number {
  return boot_id === '' ? at : boot_ms
}
