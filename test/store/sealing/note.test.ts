import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasSigned, newKey, publicKey, signingKey, verifierOf } from '../../../src/store/sealing/keys.js'
import { isSignedBy, parseAnchors, signedNote } from '../../../src/store/sealing/note.js'

const CHECKPOINT = { origin: 'agent-ledger/one', size: 7, root: Buffer.alloc(32, 5) }

function aKey(name = 'agent-ledger') {
  const { privatePem, verifier } = newKey(name)
  return { key: signingKey(privatePem, name), verifier }
}

const only = (text: string) => {
  const [anchor, ...more] = parseAnchors(text)
  if (anchor === undefined || more.length > 0) throw new Error('one note is wanted')
  return anchor
}

describe('a signed note', () => {
  it('is three lines, a blank one and the signature', () => {
    const { key } = aKey('ops')
    const lines = signedNote(CHECKPOINT, key).split('\n')
    expect(lines.slice(0, 4)).toEqual(['agent-ledger/one', '7', CHECKPOINT.root.toString('base64'), ''])
    expect(lines[4]).toMatch(/^— ops [A-Za-z0-9+/]+={0,2}$/)
    expect(lines.slice(5)).toEqual([''])
  })

  it('is read back and checked by the public key, and by no other', () => {
    const { key, verifier } = aKey()
    const anchor = only(signedNote(CHECKPOINT, key))
    expect(anchor).toMatchObject(CHECKPOINT)
    expect(isSignedBy(anchor, publicKey(`${verifier}\n`))).toBe(true)
    expect(isSignedBy(anchor, publicKey(aKey().verifier))).toBe(false)
  })

  it.each([
    ['the size', (note: string) => note.replace('\n7\n', '\n8\n')],
    ['the root', (note: string) => note.replace(/BQUF/, 'BQUE')],
    ['the origin', (note: string) => note.replace('/one', '/two')],
    ['the name of the key', (note: string) => note.replace('— agent-ledger', '— other')],
  ])('is none by the key once %s was changed', (_, change) => {
    const { key, verifier } = aKey()
    const note = signedNote(CHECKPOINT, key)
    expect(change(note)).not.toBe(note)
    expect(isSignedBy(only(change(note)), publicKey(verifier))).toBe(false)
  })

  // The example of the format's first implementation, golang.org/x/mod/sumdb/note.
  it('checks what another program signed', () => {
    const text =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    const key = publicKey('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
    const signature =
      'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM='
    const signed = { text, name: 'PeterNeumann', bytes: Buffer.from(signature, 'base64') }
    expect(hasSigned(signed, key)).toBe(true)
    expect(hasSigned({ ...signed, text: text.replace('answer', 'Answer') }, key)).toBe(false)
  })

  it('stands among others in a file, whatever the ends of its lines', () => {
    const { key } = aKey()
    const notes = [7, 9].map(size => signedNote({ ...CHECKPOINT, size }, key))
    expect(parseAnchors(notes.join('\n')).map(({ size }) => size)).toEqual([7, 9])
    expect(parseAnchors(notes.join('').replaceAll('\n', '\r\n')).map(({ size }) => size)).toEqual([7, 9])
    expect(parseAnchors('')).toEqual([])
  })

  it.each([
    ['a text', 'hello\n', /line 1/],
    ['a note without a signature', 'a/b\n7\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n\nx', /signature/],
    ['a size that is no number', 'a/b\n07\nBQUF\n\n— a AAAAAAAA\n', /checkpoint/],
    [
      'a signature that is none',
      'a/b\n7\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n\n— a b c\n',
      /line 5/,
    ],
  ])('is refused as %s, with the line', (_, text, message) => {
    expect(() => parseAnchors(text)).toThrow(message)
  })
})

describe('a key for seals', () => {
  it('is named by a line, and by its PEM under any name', () => {
    const pair = generateKeyPairSync('ed25519')
    const key = signingKey(String(pair.privateKey.export({ format: 'pem', type: 'pkcs8' })), 'ana')
    const anchor = only(signedNote(CHECKPOINT, key))
    expect(isSignedBy(anchor, publicKey(verifierOf(key)))).toBe(true)
    const pem = String(pair.publicKey.export({ format: 'pem', type: 'spki' }))
    expect(isSignedBy(anchor, publicKey(pem))).toBe(true)
  })

  it('is refused where it is none, of another kind, or its name holds a blank', () => {
    const other = generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
    expect(() => signingKey('hello', 'a')).toThrow(/no private key/)
    expect(() => signingKey(String(other), 'a')).toThrow(/x25519/)
    expect(() => signingKey(newKey('a').privatePem, 'a b')).toThrow(/cannot name a key/)
    const { verifier } = aKey()
    expect(() => publicKey(verifier.replace('agent', 'Agent'))).toThrow(/no public key/)
    expect(() => publicKey('')).toThrow(/no public key/)
  })
})
