import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkpointDocumentSchema } from '../../../src/core/checkpoint-schema.js'
import { canonicalize } from '../../../src/core/digest.js'
import { isLedgerError } from '../../../src/core/errors.js'
import type { ImportedRecord } from '../../../src/core/imported.js'
import { checkId } from '../../../src/core/operation-id.js'
import { openSourceFile } from '../../../src/sources/source-file.js'
import { temporal } from '../../../src/sources/temporal/index.js'
import { below, damagedText, type Outcome, pick, randomOf } from '../damage.js'
import { readRecords } from './build-history.js'

// Histories with something wrong in them, each made from a seed. Whatever is in there, the reader gives records that can be
// stored and a document of the right shape, or refuses the file by name; it never crashes, hangs or writes.

const root = join(import.meta.dirname, '../../../fixtures/temporal')

let loaded: readonly Buffer[] | undefined

/** Every input of the fixtures; those of one case one after the other. */
function inputs(): readonly Buffer[] {
  loaded ??= readdirSync(root, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => {
      const folder = existsSync(join(root, name, 'input')) ? join(root, name, 'input') : join(root, name)
      const names = readdirSync(folder).filter(file => !/^expected|^origin/.test(file))
      return Buffer.concat(names.flatMap(file => [readFileSync(join(folder, file)), Buffer.from('\n')]))
    })
  return loaded
}

/** Half of the seeds damage the text, half the values inside it. Throws where a rule above is broken. */
export async function readDamaged(seed: number, folder: string): Promise<Outcome> {
  const random = randomOf(seed)
  const path = join(folder, 'history.json')
  const original = pick(random, inputs())
  const bytes = seed % 2 === 0 ? damagedText(random, original) : damagedValues(random, original)
  writeFileSync(path, bytes)
  const options = { now: 1_900_000_000_000, assumeWorkersStopped: random() < 0.1 }
  const outcome = await outcomeOf(path, options)
  if (!readFileSync(path).equals(bytes)) throw new Error(`${path} was changed`)
  rmSync(path)
  return outcome
}

async function outcomeOf(path: string, options: object): Promise<Outcome> {
  const file = openSourceFile(path)
  try {
    temporal.detect(file)
    const records = await readRecords(path, options)
    checkRecords(records)
    const reading = await temporal.read?.(file, options)
    checkpointDocumentSchema.parse(reading?.document)
    return 'read'
  } catch (error) {
    if (isLedgerError(error) && error.code === 'ledger_unreadable') return 'refused'
    throw error
  } finally {
    file.close()
  }
}

function checkRecords(records: readonly ImportedRecord[]): void {
  const tasks = new Set<string>()
  for (const record of records) {
    canonicalize(record)
    if (record.record === 'warning') continue
    if (record.record === 'task') tasks.add(checkId(record.task_id, 'task id'))
    if (!tasks.has(record.task_id)) throw new Error(`a ${record.record} before its task ${record.task_id}`)
    if (record.record === 'operation') {
      checkId(record.operation_id, 'operation id')
      checkId(record.tool, 'tool')
      const settled = record.attempts.map(({ end }) => end)
      if (record.status === 'not_executed' && settled.includes('ambiguous'))
        throw new Error('in doubt, and not executed')
      if (record.status === 'confirmed' && !settled.includes('applied'))
        throw new Error('confirmed by no attempt')
    }
    for (const [name, value] of Object.entries(record))
      if (name.endsWith('_at') && value !== null && !Number.isSafeInteger(value))
        throw new Error(`${name} ${value}`)
  }
}

// What a value may be replaced by inside its JSON, so that damage gets past the splitter.
const STRANGE: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  '',
  '0',
  '99999999999999999999',
  '5',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '315360000000s',
  '__proto__',
  '\u0000\u001b[31m\u202e\ud800',
  [],
  {},
  [[], true],
  { payloads: null },
  { payloads: [{ metadata: { encoding: 'AAAA' }, data: '%%%' }, 3] },
  { seconds: '1', nanos: {} },
  { message: 'x', cause: { message: 'y', timeoutFailureInfo: { timeoutType: 9 } } },
  'EVENT_TYPE_ACTIVITY_TASK_COMPLETED',
  'ActivityTaskScheduled',
  10,
]

function damagedValues(random: () => number, bytes: Buffer): Buffer {
  const rate = random() < 0.5 ? 0.01 : 0.1
  const damaged = (document: unknown) =>
    JSON.stringify(document, (key, value: unknown) => {
      if (Array.isArray(value) && key === 'events' && random() < 0.3) return shuffled(random, value)
      return random() < rate ? structuredClone(pick(random, STRANGE)) : value
    })
  const documents: string[] = []
  for (const part of bytes.toString('utf8').split(/\n(?=\{)/))
    try {
      documents.push(damaged(JSON.parse(part)) ?? 'null')
    } catch {
      documents.push(part)
    }
  return Buffer.from(documents.join('\n'))
}

/** An event taken out, one twice, or two that change places. */
function shuffled(random: () => number, events: readonly unknown[]): unknown[] {
  const changed = [...events]
  const [one, other] = [below(random, changed.length), below(random, changed.length)]
  const kind = below(random, 4)
  if (kind === 0) changed.splice(one, 1)
  if (kind === 1) changed.splice(one, 0, changed[other])
  if (kind === 2) [changed[one], changed[other]] = [changed[other], changed[one]]
  if (kind === 3) changed.reverse()
  return changed
}
