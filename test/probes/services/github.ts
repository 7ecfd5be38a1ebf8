import { type Answer, type Asked, bearer, type FakeOf, fakeOf, type ServiceClock } from './service.js'

export interface GithubObject {
  readonly id: number
  readonly number: number
  readonly title?: string
  readonly body: string | null
  readonly login: string
  readonly createdAt: number
  readonly pull_request?: object
  readonly tag_name?: string
  readonly draft?: boolean
}

type Kind = 'issues' | 'comments' | 'releases'

export interface GithubOptions extends ServiceClock {
  readonly perPage?: number
  /** how long what was made stays out of lists */
  readonly lagMs?: number
}

/** GitHub as its REST API answers: one private repository `acme/shop`, read with `tok_reader` or `tok_writer`. */
export interface FakeGithub extends FakeOf {
  add(kind: Kind, object: Partial<GithubObject>): GithubObject
  readonly refs: Map<string, string>
  all(kind: Kind): readonly GithubObject[]
}

export async function startGithub({ now, perPage = 2, lagMs = 0 }: GithubOptions): Promise<FakeGithub> {
  const made: Record<Kind, GithubObject[]> = { issues: [], comments: [], releases: [] }
  const refs = new Map<string, string>()
  let last = 0
  const add: FakeGithub['add'] = (kind, object) => {
    last += 1
    const whole = {
      id: 1_000 + last,
      number: last,
      body: null,
      login: 'acme-bot',
      createdAt: now(),
      ...object,
    }
    made[kind].push(whole)
    return whole
  }
  const fake = await fakeOf(answer)
  return { ...fake, add, refs, all: kind => made[kind] }

  function answer(asked: Asked): Answer {
    const who = bearer(asked)
    const { pathname } = asked.url
    const isKnown = who === 'tok_writer' || who === 'tok_reader'
    if (who === 'tok_revoked') return { status: 401, body: { message: 'Bad credentials' } }
    // A private repository is not there for whoever may not see it.
    if (!isKnown || !pathname.startsWith('/repos/acme/shop')) return NOT_FOUND
    const path = pathname.slice('/repos/acme/shop'.length)
    if (path === '') return { status: 200, body: { id: 1, permissions: { push: who === 'tok_writer' } } }
    if (asked.method === 'POST') return create(path, asked)
    if (path.startsWith('/git/ref/')) return ref(path.slice('/git/ref/'.length))
    if (path === '/issues') return list('issues', asked)
    if (path === '/releases')
      return list('releases', asked, who === 'tok_writer' ? undefined : one => !one.draft)
    const [, number, rest] = /^\/issues\/(\d+)(\/comments)?$/.exec(path) ?? []
    const found = made.issues.find(one => one.number === Number(number))
    if (found === undefined) return NOT_FOUND
    return rest === undefined ? { status: 200, body: shown('issues', found) } : list('comments', asked)
  }

  function create(path: string, { body }: Asked): Answer {
    const given = Object(body)
    if (path === '/issues') return created('issues', add('issues', { title: given.title, body: given.body }))
    if (path === '/releases')
      return created('releases', add('releases', { tag_name: given.tag_name, body: given.body }))
    if (path === '/git/refs') {
      if (refs.has(given.ref)) return { status: 422, body: { message: 'Reference already exists' } }
      refs.set(given.ref, given.sha)
      return { status: 201, body: shownRef(given.ref, given.sha) }
    }
    return created('comments', add('comments', { body: given.body }))
  }

  function created(kind: Kind, object: GithubObject): Answer {
    return { status: 201, body: shown(kind, object) }
  }

  function ref(name: string): Answer {
    const sha = refs.get(`refs/${name}`)
    return sha === undefined ? NOT_FOUND : { status: 200, body: shownRef(`refs/${name}`, sha) }
  }

  function list(kind: Kind, { url }: Asked, isShown = (_: GithubObject) => true): Answer {
    const since = Date.parse(url.searchParams.get('since') ?? '1970-01-01T00:00:00Z')
    const found = made[kind]
      .filter(({ createdAt }) => createdAt >= since && createdAt + lagMs <= now())
      .filter(isShown)
    const page = Number(url.searchParams.get('page') ?? '1')
    const next = new URL(url.pathname + url.search, fake.url)
    next.searchParams.set('page', String(page + 1))
    const isLast = page * perPage >= found.length
    return {
      status: 200,
      headers: isLast ? {} : { link: `<${next.href}>; rel="next"` },
      body: found.slice((page - 1) * perPage, page * perPage).map(one => shown(kind, one)),
    }
  }
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } }

const WEB = 'https://github.com/acme/shop'

function shown(kind: Kind, { login, createdAt, ...rest }: GithubObject): object {
  const places: Record<Kind, string> = {
    issues: `${WEB}/issues/${rest.number}`,
    comments: `${WEB}/issues/1#issuecomment-${rest.id}`,
    releases: `${WEB}/releases/tag/${rest.tag_name}`,
  }
  const by = kind === 'releases' ? { author: { login } } : { user: { login } }
  const created_at = new Date(createdAt).toISOString()
  return { ...rest, ...by, created_at, node_id: `N_${rest.id}`, html_url: places[kind] }
}

function shownRef(ref: string, sha: string): object {
  return { ref, url: `https://api.github.com/repos/acme/shop/git/${ref}`, object: { sha, type: 'commit' } }
}
