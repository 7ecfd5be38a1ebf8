import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Observed } from '../core/observation.js'
import type { FileProbe } from '../core/probe.js'
import { cannotAsk, fillPlain } from './fill.js'
import type { ProbeFacts, Prober, ProbeWorld } from './probe.js'

/** A file inside the folder of the configuration, and the digest of what was to be written into it. */
export const file: Prober<FileProbe> = {
  plan: ({ probe, facts }) => {
    const path = fillPlain(probe.path, facts)
    return 'problem' in path
      ? [{ what: `read ${probe.path}`, problem: path.problem }]
      : [{ what: `read ${path.text}` }]
  },
  ask: async ({ probe, facts }, world) => {
    const path = fillPlain(probe.path, facts)
    const reading = { observed_at: 0, scope: probe.scope ?? null, response_digest: null }
    const request = { kind: 'file', path: 'text' in path ? path.text : probe.path }
    const looked =
      'text' in path
        ? await look(path.text, { probe, facts, world })
        : { observed: cannotAsk(path.problem), digest: null }
    return {
      ...reading,
      request,
      observed_at: world.clock().at,
      response_digest: looked.digest,
      ...looked.observed,
    }
  },
}

interface Asking {
  readonly probe: FileProbe
  readonly facts: ProbeFacts
  readonly world: ProbeWorld
}

interface Looked {
  readonly observed: Observed
  readonly digest: string | null
}

async function look(path: string, { probe, facts, world }: Asking): Promise<Looked> {
  const wanted = fillPlain(probe.digest, facts)
  if ('problem' in wanted) return only(cannotAsk(wanted.problem))
  if (!/^sha256:[0-9a-f]{64}$/.test(wanted.text))
    return only(cannotAsk(`${wanted.text.slice(0, 100)} is no digest: sha256:<hex> is wanted`))
  const place = resolve(world.folder, path)
  const answer = { statements: [], remote: null, disagreements: [] }
  try {
    const root = await realpath(world.folder)
    const holding = await realpath(dirname(place))
    const real = join(holding, place.slice(dirname(place).length))
    if (!isInside(root, holding))
      return only(cannotAsk(`${path} leads out of the folder of the configuration`))
    const digest = await digestOf(real)
    if (digest === null) return only({ ...answer, completeness: 'complete', matches: [], parent: 'readable' })
    const external_id = { kind: 'file', value: path }
    const same = digest === wanted.text
    const match = same
      ? { external_id, matched_by: 'digest' as const, digest }
      : {
          external_id,
          matched_by: 'attributes' as const,
          digest,
          differs: `its content is ${digest}, ours is ${wanted.text}`,
        }
    return { observed: { ...answer, completeness: 'complete', matches: [match], parent: 'readable' }, digest }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return only({ completeness: 'failed', code: 'unreachable', why, retry_after_ms: null })
  }
}

function only(observed: Observed): Looked {
  return { observed, digest: null }
}

/** Null: there is none. A link is not followed, a pipe is not waited for. */
async function digestOf(path: string): Promise<string | null> {
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} is no regular file`)
    const hash = createHash('sha256')
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk)
    return `sha256:${hash.digest('hex')}`
  } finally {
    await handle.close()
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
