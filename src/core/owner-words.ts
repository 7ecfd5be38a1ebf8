/**
 * The holder of a lease in words: `process 4711 on web-1`. Owners of this program are six parts, percent-encoded and
 * divided by `/` (src/host/owner.ts); whatever another writer took for one is shown as it is.
 */
export function ownerWords(owner: string): string {
  const parts = owner.split('/')
  const [host = '', , pid = ''] = parts.map(decoded)
  if (parts.length !== OWNER_PARTS || host === '') return owner
  // behind the `~` stands which machine it is, for a comparison and not for a reader
  const name = host.split('~')[0] ?? host
  return pid === '' ? `a process on ${name}` : `process ${pid} on ${name}`
}

const OWNER_PARTS = 6

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
