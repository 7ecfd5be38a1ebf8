import { LedgerError } from '../../core/errors.js'
import type { Stamp } from '../../core/time.js'
import type { Engine } from '../engine.js'
import type { CreateStore, OpenStore } from '../open.js'
import type { OpenStoreForReading } from '../open-for-reading.js'
import { spoolFolderOf } from '../spool-folder.js'
import { sqlStore } from '../sql-store/index.js'
import { type Meta, moveHome } from '../sql-store/meta.js'
import { sqlReader } from '../sql-store/reading.js'
import type { Store, StoreReader } from '../store.js'
import { DEFAULT_WAIT_MS, whichLedger } from '../which-ledger.js'
import {
  refuseDifferences,
  refuseNoLedger,
  refuseSchema,
  refuseServer,
  type ServerFacts,
  schemaDifferences,
  schemaNumber,
  serverFacts,
} from './check.js'
import { explained, sqlState } from './errors.js'
import { homeOf, isSameHome } from './home.js'
import { newLedgerSchema } from './new.js'
import { type PostgresPlace, placeOf } from './place.js'
import { postgresEngine } from './postgres.js'
import { type GivenRole, makeRoles, mayMakeNoRoles } from './roles.js'

/** Opens a ledger in PostgreSQL to write it. Throws as openStore does. */
export async function openPostgres(options: OpenStore): Promise<Store> {
  const place = placeOf(options.url)
  return opened(place, options.waitMs, 'writing', async engine => {
    const meta = await whichLedger(engine, place.shown)
    const incarnation = await incarnationHere(engine, meta, { place, options })
    const store = sqlStore({
      engine,
      ledger: { ledger_id: meta.ledger_id, incarnation },
      location: place.shown,
    })
    return { ...store, ...spoolOf(options, meta) }
  })
}

/** Opens a ledger in PostgreSQL to look at it, on a replica too. Throws as openStoreForReading does. */
export async function openPostgresForReading(options: OpenStoreForReading): Promise<StoreReader> {
  const place = placeOf(options.url)
  return opened(place, options.waitMs, 'reading', async engine => {
    const ledger = await whichLedger(engine, place.shown)
    return { ...sqlReader({ engine, ledger, location: place.shown }), ...spoolOf(options, ledger) }
  })
}

/** Makes an empty ledger in its schema. False: there is one already, and it was left as it is. */
export async function createPostgres(options: CreateStore): Promise<boolean> {
  const place = placeOf(options.url)
  const engine = postgresEngine({ place, waitMs: options.waitMs ?? DEFAULT_WAIT_MS, for: 'writing' })
  try {
    const facts = await engine.read(() => serverFacts(place.schema))
    refuseServer(facts, place)
    if (facts.tables.includes('ledger_meta') && facts.tables.includes('ledger_schema')) return false
    if (facts.tables.length > 0) refuseNoLedger(facts, place)
    refuseReadOnly(facts, place)
    const now = (await clockFor(engine, options))()
    return await engine.write(() =>
      newLedgerSchema({
        schema: place.schema,
        now,
        program: options.program,
        hasSchema: facts.has_schema,
        partitions: options.partitions ?? null,
      }),
    )
  } catch (error) {
    throw explained(error, { place, doing: 'writing' })
  } finally {
    await engine.close()
  }
}

function spoolOf({ stateFolder }: { readonly stateFolder?: string }, { ledger_id }: Pick<Meta, 'ledger_id'>) {
  return stateFolder === undefined ? {} : { spoolFolder: spoolFolderOf(stateFolder, ledger_id) }
}

/** Lets the three roles of the server use a ledger that is there. @throws LedgerError ledger_unwritable */
export async function grantPostgres(options: OpenStore): Promise<readonly GivenRole[]> {
  const place = placeOf(options.url)
  return opened(place, options.waitMs, 'writing', async engine => {
    try {
      return await engine.write(() => makeRoles(place.schema))
    } catch (error) {
      const { cause } = error instanceof Error ? error : { cause: undefined }
      throw sqlState(cause) === '42501' ? mayMakeNoRoles(place.shown, error) : error
    } finally {
      await engine.close()
    }
  })
}

/** A schema that was checked, with or without the mark of a move. */
export async function opened<T>(
  place: PostgresPlace,
  waitMs: number | undefined,
  doing: 'reading' | 'writing',
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = postgresEngine({ place, waitMs: waitMs ?? DEFAULT_WAIT_MS, for: doing })
  try {
    const facts = await engine.read(() => serverFacts(place.schema))
    refuseServer(facts, place)
    refuseNoLedger(facts, place)
    refuseSchema(await engine.read(schemaNumber), place, doing)
    refuseDifferences(await engine.read(() => schemaDifferences(place.schema)), place)
    if (doing === 'writing') refuseReadOnly(facts, place)
    return await work(engine)
  } catch (error) {
    await engine.close()
    throw explained(error, { place, doing: doing === 'reading' ? 'reading' : 'opening' })
  }
}

function refuseReadOnly({ is_replica, is_read_only }: ServerFacts, { shown }: PostgresPlace): void {
  if (!is_replica && !is_read_only) return
  throw new LedgerError(
    'ledger_unwritable',
    `${shown} is read-only: ${is_replica ? 'this server follows another one' : 'default_transaction_read_only is on'}`,
    {
      path: shown,
      hint: 'Commands that only look work here. To decide and to send, name the primary server.',
      facts: { commit: 'none' },
    },
  )
}

async function incarnationHere(
  engine: Engine,
  meta: Meta,
  { place, options }: { readonly place: PostgresPlace; readonly options: OpenStore },
): Promise<number> {
  const home = await engine.read(() => homeOf(place.schema))
  if (isSameHome(home, meta.home)) return meta.incarnation
  const clock = await clockFor(engine, options)
  return engine.write(() => moveHome({ clock, program: options.program, home }))
}

/** The database's clock where the one given is only this machine's. */
async function clockFor(engine: Engine, { clock, isMachineClock }: OpenStore): Promise<() => Stamp> {
  return isMachineClock === true ? engine.clockOn(clock) : clock
}
