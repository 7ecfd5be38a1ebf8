/** True for `postgresql://…` and the like; a drive letter is none. */
export function isRemote(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location)
}

/**
 * The URL as it may be shown: each password in it is `***`, before the host and among the parameters. Works on what is
 * no proper URL too, and rather hides too much: what stands before the last `@`.
 */
export function shownUrl(url: string): string {
  return url.replace(BEFORE_HOST, '$1***@').replace(AMONG_PARAMETERS, '$1***')
}

/** What tells one store from another whoever asks for it: the URL without user, password and the settings of a connection. */
export function storeOf(url: string): string {
  const [, scheme = '', place = ''] =
    /^([a-z][a-z0-9+.-]+:\/\/)(?:[^?#]*@)?(.*)$/is.exec(url.replace(BEFORE_HOST, '$1***@')) ?? []
  const [path = '', query = ''] = place.split('?', 2)
  const kept = query.split('&').filter(part => /^(?:host|port|dbname|schema|table)=/.test(part))
  return `${scheme.toLowerCase().replace(/^postgres:/, 'postgresql:')}${path}?${kept.sort().join('&')}`
}

const BEFORE_HOST = /^([a-z][a-z0-9+.-]+:\/\/[^:@/?#]*:).*@/is
const AMONG_PARAMETERS = /([?&](?:ssl)?password=)[^&]*/gi
