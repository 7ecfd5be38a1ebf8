import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa, type Options } from 'execa'
import { openLedger } from '../../../src/ledger.js'
import { openStoreForReading } from '../../../src/store/open.js'
import { aDirectory } from '../../store/support/places.js'
import { bundled } from '../../support/bundled.js'

const MAIN = bundled(join(import.meta.dirname, '..', 'main-program.ts'))

/** A folder with a ledger, in which commands are guarded by the real program. */
export async function aPlace({ config }: { readonly config?: string } = {}) {
  const folder = aDirectory()
  const path = join(folder, 'ledger.db')
  await (await openLedger(path)).close()
  const configPath = join(folder, 'agent-ledger.yaml')
  writeFileSync(configPath, config ?? '')
  const argv = (words: readonly string[]) => [...MAIN.argv, ...words]
  const all = ['--ledger', path, '--config', configPath, '--by', 'agent']
  return {
    folder,
    path,
    /** what comes after `node`, for programs that are started otherwise */
    argvOf: (words: readonly string[], command: readonly string[]) =>
      argv(['exec', ...all, ...guardOf(words), '--', ...command]),
    env: MAIN.env,
    exec: (command: readonly string[], words: readonly string[] = [], options: Options = {}) =>
      execa(process.execPath, argv(['exec', ...all, ...guardOf(words), '--', ...command]), {
        reject: false,
        stdin: 'ignore',
        cwd: folder,
        ...options,
        env: { ...MAIN.env, ...options.env },
      }),
    run: (...words: string[]) =>
      execa(process.execPath, argv(['--ledger', path, '--config', configPath, ...words]), {
        reject: false,
        env: MAIN.env,
      }),
    record: () => recordIn(path),
  }
}

const GUARD = { '--task': 'task-1', '--tool': 'tool-1', '--op': 'op-1' }

function guardOf(words: readonly string[]): string[] {
  const given = Object.entries(GUARD).filter(([option]) => !words.includes(option))
  return [...given.flat(), ...words]
}

async function recordIn(path: string, id = 'op-1') {
  const store = await openStoreForReading({ url: path })
  try {
    const record = await store.operation(id)
    if (record === null) throw new Error(`${id} is not in the ledger`)
    return record
  } finally {
    await store.close()
  }
}

/** Waits until it holds; the time limit of the test ends the waiting. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 10))
}
