import { MINUTE, type ServiceContract } from './contract.js'

export const s3Objects: ServiceContract = {
  title: 'an object of S3',
  version: 1,
  parameters: {
    bucket: { means: 'the bucket', default: '{input.bucket}' },
    key: { means: 'the key of the object', default: '{input.key}' },
    region: { means: 'the region of the bucket' },
    endpoint: { means: 'of another store with this protocol', default: '' },
    metadata: { means: 'name of its own metadata that holds the operation id', default: 'operation-id' },
    digest: { means: 'SHA-256 of the content in base64, or its ETag', default: '' },
    access_key: { means: 'environment variable with the access key', default: 'AWS_ACCESS_KEY_ID' },
    secret_key: { means: 'environment variable with the secret key', default: 'AWS_SECRET_ACCESS_KEY' },
    session_token: { means: 'environment variable with the session token', default: 'AWS_SESSION_TOKEN' },
  },
  effect: 'compensable',
  // If-None-Match: * makes it so; a key is free again once the object is deleted.
  repeat: { kind: 'conditional', names: 'reusable' },
  arrival_ms: 15 * MINUTE,
  ids: [],
  marker: 'x-amz-meta-operation-id, with If-None-Match: *',
  look_here: {
    check: 'aws s3api head-object --bucket {with.bucket} --key {with.key} --checksum-mode ENABLED',
  },
  probes: [
    {
      kind: 's3',
      settle_ms: 0,
      bucket: '{with.bucket}',
      key: '{with.key}',
      region: '{with.region}',
      endpoint: '{with.endpoint}',
      metadata: '{with.metadata}',
      digest: '{with.digest}',
      access_key_env: '{with.access_key}',
      secret_key_env: '{with.secret_key}',
      session_token_env: '{with.session_token}',
    },
  ],
  answers: [
    'Reads see every write that was done before them.',
    '412 after a lost answer may be our own first write: metadata or checksum tell.',
    'Who may not list gets 403 for what is not there; the bucket is read first.',
    'A delete marker says that something was there: a person decides.',
    'Without If-None-Match: * a repeat overwrites: declare repeat: { kind: none } then.',
  ],
  sources: [
    { url: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html', read: '2026-11' },
    { url: 'https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html', read: null },
    {
      url: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/Welcome.html#ConsistencyModel',
      read: null,
    },
  ],
}
