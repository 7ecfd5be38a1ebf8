import * as z from 'zod'

const count = z.int().min(0)

/** seal@1: a checkpoint over all events so far, or a new key for such checkpoints. */
export const sealDocument = z
  .strictObject({
    schema: z.literal('agent-ledger/seal@1'),
    ledger: z.string().nullable().describe('null where only a key was made'),
    as_of: z.iso.datetime(),
    outcome: z
      .enum(['sealed', 'nothing_new', 'key_made'])
      .describe('`nothing_new`: nothing was written since the last seal, and this is that one'),
    origin: z.string().nullable().describe('agent-ledger/<ledger id>'),
    size: count.nullable().describe('how many events it is over'),
    root: z.string().nullable().describe('of the RFC 9162 tree over their hashes, base64'),
    before: count.nullable().describe('events under the seal before; 0 for the first'),
    note: z.string().nullable().describe('the C2SP signed note, to be kept elsewhere'),
    public_key: z.string().describe('the line that names the public key'),
    output: z.string().nullable().describe('the file of anchors, or of the new key'),
  })
  .meta({ title: 'seal', description: 'A signed checkpoint over all events of a ledger.' })
