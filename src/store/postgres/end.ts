import type { End, MadeBy } from '../moving/place.js'
import { writeMeta } from '../moving/place.js'
import type { Meta } from '../sql-store/meta.js'
import { serverFacts } from './check.js'
import { explained } from './errors.js'
import { homeOf } from './home.js'
import { newLedgerSchema } from './new.js'
import { opened } from './open.js'
import { placeOf } from './place.js'
import { postgresEngine } from './postgres.js'

/** A schema of PostgreSQL as an end of a move. */
export function postgresEnd(url: string, waitMs: number, { program, partitions }: MadeBy): End {
  const place = placeOf(url)
  const { schema, shown } = place
  const asking = async <T>(work: (engine: ReturnType<typeof postgresEngine>) => Promise<T>): Promise<T> => {
    const engine = postgresEngine({ place, waitMs, for: 'writing' })
    try {
      return await work(engine)
    } catch (error) {
      throw explained(error, { place, doing: 'writing' })
    } finally {
      await engine.close()
    }
  }
  return {
    shown,
    schema,
    open: doing => opened(place, waitMs, doing, async engine => engine),
    isThere: () => asking(async engine => (await engine.read(() => serverFacts(schema))).tables.length > 0),
    make: (meta: Meta, now) =>
      asking(async engine => {
        const { has_schema } = await engine.read(() => serverFacts(schema))
        return engine.write(() =>
          newLedgerSchema({
            schema,
            now,
            program,
            partitions,
            hasSchema: has_schema,
            begin: () => writeMeta(meta),
          }),
        )
      }),
    home: () => homeOf(schema),
  }
}
