import { LedgerError } from '../../core/errors.js'
import { type Checkpoint, checkpointText, parseCheckpoint } from './checkpoint.js'
import { hasSigned, type PublicKey, type SigningKey, signed } from './keys.js'

/** A checkpoint with its signatures: a signed note (https://c2sp.org/signed-note). */
export interface Anchor extends Checkpoint {
  /** what the signatures are over */
  readonly text: string
  readonly signatures: readonly Signature[]
}

interface Signature {
  readonly name: string
  /** the first four bytes name the key */
  readonly bytes: Buffer
}

/** The note as it is kept and handed on; it ends in a line feed. */
export function signedNote(checkpoint: Checkpoint, key: SigningKey): string {
  const text = checkpointText(checkpoint)
  return `${text}\n— ${key.name} ${signed(text, key).toString('base64')}\n`
}

/**
 * Reads a file of anchors: signed notes, one after the other. `from` is where they come from, for people.
 * @throws LedgerError invalid_input, naming the line at which it is none
 */
export function parseAnchors(content: string, from = 'the text of the anchors'): Anchor[] {
  const anchors: Anchor[] = []
  const lines = content.replaceAll('\r\n', '\n').split('\n')
  for (let at = 0; at < lines.length; ) {
    if (lines[at] === '') {
      at++
      continue
    }
    const first = at
    while (at < lines.length && lines[at] !== '') at++
    const text = `${lines.slice(first, at).join('\n')}\n`
    const signatures: Signature[] = []
    for (at++; lines[at]?.startsWith('— ') === true; at++)
      signatures.push(signatureOf(lines[at] ?? '', { from, at }))
    if (signatures.length === 0)
      throw noAnchor({ from, at: first }, 'a checkpoint without a signature begins')
    anchors.push({ ...checkpointAt(text, { from, at: first }), text, signatures })
  }
  return anchors
}

interface Spot {
  readonly from: string
  /** the line, counted from 0 */
  readonly at: number
}

function signatureOf(line: string, spot: Spot): Signature {
  const [, name, base64] = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
  const bytes = Buffer.from(base64 ?? '', 'base64')
  if (name === undefined || bytes.length < 5) throw noAnchor(spot, 'no signature stands')
  return { name, bytes }
}

function checkpointAt(text: string, spot: Spot): Checkpoint {
  try {
    return parseCheckpoint(text)
  } catch (cause) {
    throw noAnchor(spot, 'no checkpoint begins', cause)
  }
}

function noAnchor({ from, at }: Spot, what: string, cause?: unknown): LedgerError {
  return new LedgerError('invalid_input', `${from} cannot be read: ${what} in line ${at + 1}`, {
    hint: 'The file holds what `agent-ledger seal --output` wrote, and nothing else.',
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Whether one of the signatures is by this key. */
export function isSignedBy({ text, signatures }: Anchor, key: PublicKey): boolean {
  return signatures.some(({ name, bytes }) => hasSigned({ text, name, bytes }, key))
}
