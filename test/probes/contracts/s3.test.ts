import { describe, expect, it } from 'vitest'
import { awsHeaders } from '../../../src/probes/aws-signature.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { S3_CREDENTIAL, startS3 } from '../services/s3.js'
import { contracted } from '../support/contract.js'

async function s3(given: Record<string, string> = {}) {
  const ledger = await aLedger()
  const fake = await startS3(() => ledger.clock().at)
  const env = {
    AWS_ACCESS_KEY_ID: S3_CREDENTIAL.accessKey,
    AWS_SECRET_ACCESS_KEY: S3_CREDENTIAL.secretKey,
    WRONG: 'another-secret',
  }
  const shop = contracted({
    service: 's3.objects',
    with: { endpoint: fake.url, region: 'eu-central-1', digest: '{input.sha256}', ...given },
    env,
    ledger,
  })
  return { fake, ...shop }
}

const INPUT = { bucket: 'shop', key: 'reports/März (1).csv', sha256: 'c2hhMjU2' }

describe('a signed request', () => {
  // The examples of docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
  const at = Date.parse('2013-05-24T00:00:00Z')
  const credential = {
    accessKey: 'AKIAIOSFODNN7EXAMPLE',
    secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  it.each([
    ['/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
    ['/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['/?max-keys=2&prefix=J', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('of GET %s carries the signature that AWS gives as its example', (path, headers, signature) => {
    const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
    const signed = awsHeaders({ method: 'GET', url, region: 'us-east-1', headers, at }, credential)
    expect(signed.authorization).toContain(`Signature=${signature}`)
  })
})

describe('s3.objects', () => {
  it('confirms the object under our key with our mark, or with our content and no mark', async () => {
    for (const object of [{ marker: 'op-1' }, { checksum: 'c2hhMjU2' }]) {
      const { fake, lost, ask, ledger } = await s3()
      await lost('op-1', INPUT)
      fake.put(INPUT.key, object)
      expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed', external_ids: [{ kind: 's3_object' }] })
      expect(fake.asked).toEqual(['HEAD /shop/', 'HEAD /shop/reports/M%C3%A4rz%20%281%29.csv'])
      const record = JSON.stringify(await ledger.store.operation('op-1'))
      expect(record).not.toContain(S3_CREDENTIAL.secretKey)
    }
  })

  it('hands to a person what another write put under our key, whatever its content', async () => {
    for (const object of [{ marker: 'op-2', checksum: 'c2hhMjU2' }, { checksum: 'b3RoZXI=' }]) {
      const { fake, lost, ask, pastArrival } = await s3()
      await lost('op-1', INPUT)
      fake.put(INPUT.key, object)
      pastArrival()
      expect(await ask('op-1')).toMatchObject({
        outcome: 'in_doubt',
        rule: 'candidates',
        waits_for: 'person',
      })
    }
  })

  it('tells two writes of one key apart', async () => {
    const { fake, lost, ask } = await s3()
    await lost('op-1', INPUT)
    await lost('op-2', INPUT, { task_id: 'task-2' })
    fake.put(INPUT.key, { marker: 'op-1', etag: 'e1' })
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
    fake.put(INPUT.key, { marker: 'op-2', etag: 'e2' })
    expect(await ask('op-2')).toMatchObject({ outcome: 'confirmed' })
  })

  it('is absent after arrival and two reads', async () => {
    const { lost, askTo } = await s3()
    await lost('op-1', INPUT)
    expect((await askTo('op-1', 3)).map(({ outcome }) => outcome)).toEqual([
      'in_doubt',
      'in_doubt',
      'not_executed',
    ])
  })

  it('is never absent without leave to list, without leave for the bucket, and where something was deleted', async () => {
    for (const hide of ['list', 'bucket', 'deleted']) {
      const { fake, lost, ask, pastArrival, ledger } = await s3()
      await lost('op-1', INPUT)
      pastArrival()
      if (hide === 'list') fake.mayList = false
      if (hide === 'bucket') fake.maySee = false
      if (hide === 'deleted') {
        fake.put(INPUT.key, {})
        fake.remove(INPUT.key)
      }
      await ask('op-1')
      ledger.clock.advance(60 * 60_000)
      const { status, outcome } = await ask('op-1', { early: true })
      expect({ hide, status, outcome }).toEqual({
        hide,
        status: 'unknown',
        outcome: hide === 'list' ? 'probe_failed' : 'in_doubt',
      })
    }
  })

  it.each([
    ['a wrong secret', { secret_key: 'WRONG' }, 'may not read'],
    ['no secret', { secret_key: 'NOT_THERE' }, 'the environment has no NOT_THERE'],
    ['a key that leads elsewhere', { key: 'a/../b' }, 'cannot be asked for by an address'],
    ['a bucket that is none', { bucket: 'A_B' }, 'no name of a bucket'],
  ])('concludes nothing with %s', async (_, given, why) => {
    const { lost, ask, pastArrival } = await s3(given)
    await lost('op-1', INPUT)
    pastArrival()
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', reason: expect.stringContaining(why) })
  })

  it('concludes nothing while S3 asks to slow down', async () => {
    const { fake, lost, ask, pastArrival } = await s3()
    await lost('op-1', INPUT)
    pastArrival()
    fake.trouble({ on: 'reports', status: 503, times: 3 })
    expect(await ask('op-1')).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
  })
})
