import { LedgerError } from '../../core/errors.js'

/** What is known of a ledger's history at one moment: how many events there were, and the root over them. */
export interface Checkpoint {
  /** `agent-ledger/<ledger id>` */
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

export function originOf(ledger_id: string): string {
  return `agent-ledger/${ledger_id}`
}

/** The text that is signed, as C2SP tlog-checkpoint has it (https://c2sp.org/tlog-checkpoint). */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

/** @throws LedgerError invalid_input for a text that is no checkpoint */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', count = '', root = ''] = text.split('\n')
  const bytes = Buffer.from(root, 'base64')
  const isWhole = origin !== '' && /^(?:0|[1-9]\d{0,14})$/.test(count) && bytes.length === 32
  if (!isWhole || bytes.toString('base64') !== root)
    throw new LedgerError('invalid_input', `${JSON.stringify(text.slice(0, 80))} is no checkpoint`, {
      hint: 'A checkpoint is three lines: the origin, the number of events and the root. `agent-ledger seal` writes them.',
    })
  return { origin, size: Number(count), root: bytes }
}
