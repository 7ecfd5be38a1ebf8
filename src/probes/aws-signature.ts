import { createHash, createHmac } from 'node:crypto'

export interface AwsCredential {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken?: string
}

export interface AwsRequest {
  readonly method: 'HEAD' | 'GET'
  /** its path escaped as it is sent */
  readonly url: URL
  readonly region: string
  /** further headers that are signed, small letters */
  readonly headers: Readonly<Record<string, string>>
  /** milliseconds since 1970 UTC */
  readonly at: number
}

const NO_BODY = createHash('sha256').update('').digest('hex')

/**
 * The headers of a signed request without a body: AWS Signature Version 4 for `s3`. Source:
 * docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, whose examples are the test.
 */
export function awsHeaders(
  { method, url, region, headers, at }: AwsRequest,
  { accessKey, secretKey, sessionToken }: AwsCredential,
): Readonly<Record<string, string>> {
  const moment = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = moment.slice(0, 8)
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': NO_BODY,
    'x-amz-date': moment,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(signed).sort()
  const query = [...url.searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')
  const lines = names.map(name => `${name}:${signed[name]?.trim()}\n`).join('')
  const request = [method, url.pathname, query, lines, names.join(';'), NO_BODY].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', moment, scope, sha256(request)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretKey}`)
  const signature = hmac(key, text).toString('hex')
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`,
  }
}

/** Every byte but A–Z a–z 0–9 - . _ ~ as %XX, as the signature has it. */
export function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    one => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
