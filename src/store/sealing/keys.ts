import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { LedgerError } from '../../core/errors.js'

export interface SigningKey {
  /** who signs, in the signature's line: no spaces and no plus */
  readonly name: string
  readonly key: KeyObject
}

export interface PublicKey {
  /** null: any name, where only the key itself was given */
  readonly name: string | null
  /** the 32 bytes of the Ed25519 key */
  readonly bytes: Buffer
}

export const KEY_NAME = 'agent-ledger'

/** The type of an Ed25519 key in a signed note. */
const ED25519 = Buffer.from([1])
/** What stands before the 32 bytes in a public key of this kind (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** A new key: the private one as PEM (PKCS #8), and the line that names the public one. */
export function newKey(name: string): { readonly privatePem: string; readonly verifier: string } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const privatePem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
  return { privatePem, verifier: verifierOf({ name, key: privateKey }) }
}

/** @throws LedgerError invalid_input for anything but an Ed25519 key without a passphrase */
export function signingKey(pem: string, name: string): SigningKey {
  if (!/^[^\s+]+$/.test(name))
    throw new LedgerError('invalid_input', `${JSON.stringify(name)} cannot name a key`, {
      hint: 'A name holds no blanks and no plus.',
    })
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw noKey('it is no private key that can be read', cause)
  }
  if (key.asymmetricKeyType !== 'ed25519') throw noKey(`it is of the kind ${key.asymmetricKeyType}`)
  return { name, key }
}

/** The public key in one line: name, four bytes that name the key, the key. */
export function verifierOf({ name, key }: SigningKey): string {
  const bytes = publicBytes(createPublicKey(key))
  return `${name}+${keyId(name, bytes).toString('hex')}+${Buffer.concat([ED25519, bytes]).toString('base64')}`
}

/** @throws LedgerError invalid_input for what is neither such a line nor a public key as PEM */
export function publicKey(text: string): PublicKey {
  const line = text.trim()
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
  if (name !== undefined) {
    const whole = Buffer.from(base64 ?? '', 'base64')
    const bytes = whole.subarray(1)
    if (whole[0] === ED25519[0] && bytes.length === 32 && keyId(name, bytes).toString('hex') === id)
      return { name, bytes }
  }
  if (line.startsWith('-----BEGIN PUBLIC KEY-----')) {
    try {
      const key = createPublicKey(line)
      if (key.asymmetricKeyType === 'ed25519') return { name: null, bytes: publicBytes(key) }
    } catch {
      // said below
    }
  }
  throw new LedgerError('invalid_input', `${JSON.stringify(line.slice(0, 40))} is no public key`, {
    hint: 'Give the line that `agent-ledger seal --new-key` printed, or a file that holds it.',
  })
}

/** The four bytes that name the key, then the signature. */
export function signed(text: string, { name, key }: SigningKey): Buffer {
  const bytes = publicBytes(createPublicKey(key))
  return Buffer.concat([keyId(name, bytes), sign(null, Buffer.from(text), key)])
}

export function hasSigned(
  { text, name, bytes }: { readonly text: string; readonly name: string; readonly bytes: Buffer },
  key: PublicKey,
): boolean {
  if (key.name !== null && key.name !== name) return false
  if (!keyId(name, key.bytes).equals(bytes.subarray(0, 4))) return false
  const object = createPublicKey({ key: Buffer.concat([SPKI, key.bytes]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), object, bytes.subarray(4))
}

function publicBytes(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length)
}

function keyId(name: string, bytes: Buffer): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), ED25519, bytes]), 'buffer').subarray(0, 4)
}

function noKey(why: string, cause?: unknown): LedgerError {
  return new LedgerError('invalid_input', `the key cannot be used: ${why}`, {
    hint: 'Make one with `agent-ledger seal --new-key <file>`: an Ed25519 key, PEM, without a passphrase.',
    ...(cause === undefined ? {} : { cause }),
  })
}
