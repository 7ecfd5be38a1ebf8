import { type Answer, type Asked, type FakeOf, fakeOf } from './service.js'

interface Published {
  readonly integrity: string
  readonly at: number
}

/** An npm registry: versions are for ever, publishing is done behind the answer, and 404 is for what is hidden too. */
export interface FakeRegistry extends FakeOf {
  publish(name: string, version: string, integrity: string): Answer
  /** in `time` and not in `versions`, as it was seen */
  half(name: string, version: string): void
  /** packages that are shown to nobody without the token */
  readonly hidden: Set<string>
}

export interface RegistryOptions {
  readonly now: () => number
  readonly lagMs?: number
}

export async function startRegistry({ now, lagMs = 0 }: RegistryOptions): Promise<FakeRegistry> {
  const packages = new Map<string, Map<string, Published>>()
  const halves = new Map<string, string>()
  const hidden = new Set<string>()
  const publish: FakeRegistry['publish'] = (name, version, integrity) => {
    const versions = packages.get(name) ?? new Map<string, Published>()
    packages.set(name, versions)
    if (versions.has(version))
      return { status: 403, body: { error: 'You cannot publish over the previously published versions' } }
    versions.set(version, { integrity, at: now() })
    return { status: 201, body: { ok: true } }
  }
  const fake = await fakeOf(answer)
  return { ...fake, publish, half: (name, version) => void halves.set(name, version), hidden }

  function answer({ method, url, body, headers }: Asked): Answer {
    const name = decodeURIComponent(url.pathname.slice(1))
    if (method === 'PUT') {
      const given = Object(body)
      return publish(name, String(given.version), String(given.integrity))
    }
    const versions = packages.get(name)
    const isHidden = hidden.has(name) && headers.authorization !== 'Bearer npm_token'
    if (isHidden || (versions === undefined && !halves.has(name)))
      return { status: 404, body: { error: 'Not found' } }
    const shown = [...(versions ?? [])].filter(([, { at }]) => at + lagMs <= now())
    const half = halves.get(name)
    return {
      status: 200,
      body: {
        name,
        versions: Object.fromEntries(
          shown.map(([version, { integrity }]) => [version, { dist: { integrity } }]),
        ),
        time: {
          ...Object.fromEntries(shown.map(([version, { at }]) => [version, new Date(at).toISOString()])),
          ...(half === undefined ? {} : { [half]: '2026-03-10T11:00:00Z' }),
        },
      },
    }
  }
}
