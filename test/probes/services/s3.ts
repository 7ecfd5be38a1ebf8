import { awsHeaders } from '../../../src/probes/aws-signature.js'
import { type Answer, type Asked, type FakeOf, fakeOf } from './service.js'

interface Stored {
  readonly etag: string
  readonly checksum?: string
  readonly marker?: string
  readonly at: number
}

/** S3 as far as HEAD and PUT go: one bucket `shop`, signed requests, If-None-Match, delete markers, leave to list. */
export interface FakeS3 extends FakeOf {
  put(key: string, object: Partial<Stored>): void
  remove(key: string): void
  /** without it, what is not there is answered with 403 */
  mayList: boolean
  /** without it, the bucket itself is answered with 403 */
  maySee: boolean
}

export const S3_CREDENTIAL = { accessKey: 'AKIDEXAMPLE', secretKey: 'secret-of-the-shop' }

export async function startS3(now: () => number): Promise<FakeS3> {
  const objects = new Map<string, Stored>()
  const deleted = new Set<string>()
  const put: FakeS3['put'] = (key, object) => void objects.set(key, { etag: 'e1', at: now(), ...object })
  const fake: FakeS3 = {
    ...(await fakeOf(answer)),
    put,
    remove: key => {
      objects.delete(key)
      deleted.add(key)
    },
    mayList: true,
    maySee: true,
  }
  return fake

  function answer(asked: Asked): Answer {
    if (!isSigned(asked)) return { status: 403 }
    const key = decodeURIComponent(asked.url.pathname.replace(/^\/shop\/?/, ''))
    if (!asked.url.pathname.startsWith('/shop/')) return { status: 404 }
    if (key === '') return { status: fake.maySee ? 200 : 403 }
    const found = objects.get(key)
    if (found === undefined)
      return {
        status: fake.mayList ? 404 : 403,
        headers: deleted.has(key) ? { 'x-amz-delete-marker': 'true' } : {},
      }
    return {
      status: 200,
      headers: {
        etag: `"${found.etag}"`,
        'last-modified': new Date(found.at).toUTCString(),
        ...(found.checksum === undefined ? {} : { 'x-amz-checksum-sha256': found.checksum }),
        ...(found.marker === undefined ? {} : { 'x-amz-meta-operation-id': found.marker }),
      },
    }
  }

  // The signer is held to the examples of AWS by a test of its own: here it is the judge of what is sent.
  function isSigned({ method, url, headers }: Asked): boolean {
    if (method !== 'HEAD') return false
    const own = awsHeaders(
      {
        method,
        url: new URL(`${url.pathname}${url.search}`, `http://${headers.host}`),
        region: 'eu-central-1',
        headers: { 'x-amz-checksum-mode': String(headers['x-amz-checksum-mode']) },
        at: now(),
      },
      S3_CREDENTIAL,
    )
    return own.authorization === headers.authorization
  }
}
