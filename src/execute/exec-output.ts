import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { LARGEST_RESULT } from '../core/kept-result.js'
import type { Output, Tap } from './exec-streams.js'

const LONGEST_TAIL = 600
/** As far back as a secret may begin that reaches into the tail: longer than a private key in PEM form. */
const LOOK_BACK = 16_384

export interface Pumped extends Output {
  /** settles when the stream has ended, or its reader is gone */
  readonly done: Promise<void>
  /** called at every chunk */
  onChunk: () => void
  /** reads no further */
  readonly letGo: () => void
}

/** Passes a stream on as it is, at the pace of its reader, and remembers what it was. */
export function pump(stream: Readable, tap: Tap): Pumped {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let bytes = 0
  let last = Buffer.alloc(0)
  const pumped: Pumped = {
    done: passOn().catch(() => {}),
    onChunk: () => {},
    letGo: () => void stream.destroy(),
    receipt: () => ({ bytes, digest: `sha256:${hash.copy().digest('hex')}` }),
    text: () => (bytes > LARGEST_RESULT ? null : utf8(Buffer.concat(kept))),
    tail: mask => mask(last.toString('utf8')).slice(-LONGEST_TAIL).toWellFormed().trim(),
  }
  return pumped

  async function passOn(): Promise<void> {
    for await (const chunk of stream) {
      const piece: Buffer = Buffer.from(chunk)
      hash.update(piece)
      bytes += piece.length
      if (bytes <= LARGEST_RESULT) kept.push(piece)
      last = Buffer.concat([last, piece]).subarray(-LOOK_BACK)
      pumped.onChunk()
      // Left here the loop closes the stream, so that the command learns of it as in any pipeline.
      if (!(await tap(piece))) return
    }
  }
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
