import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SEAL_FIELDS, type SealBody } from '../../core/documents/seal.js'
import { LedgerError } from '../../core/errors.js'
import { safe, words } from '../../core/safe-text.js'
import { openWhole } from '../../ledger/new-file.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { someText, value } from '../parameters.js'

export const seal = command({
  name: 'seal',
  chapter: 'Keep',
  summary: 'sign one hash over all events so far, to be kept where the ledger cannot be written from',
  details: [
    'The hash is the root of a Merkle tree (RFC 9162) over the hashes of all events, in their order; the signed note is a C2SP tlog-checkpoint. Each seal goes on from the one before, so whoever rewrites the past fits no later seal either.',
    'Keep the note off this machine: in a repository, a ticket, a mail, an object store that only adds. `agent-ledger verify --anchors` then finds a cut tail and a history that was rewritten with all its hashes. It is tamper-evident against anyone who does not control the anchors, and against nobody else.',
    'Make a key once with --new-key, and keep its private half where agents cannot read it.',
  ],
  args: {},
  options: {
    key: value('file', 'the private key that signs (Ed25519, PEM)', someText),
    keyName: value('name', 'who signs, as the note says', someText, { fallback: 'agent-ledger' }),
    output: value('file', 'add the note to this file of anchors; made where there is none', someText),
    newKey: value(
      'file',
      'make a key: the private half goes to this file, the public one is printed',
      someText,
    ),
  },
  examples: [
    {
      line: 'agent-ledger seal --new-key ledger.key',
      does: 'once: a key, and the line that checks what it signs',
    },
    { line: 'agent-ledger seal --key ledger.key --output anchors.txt', does: 'seal, and keep the note' },
    {
      line: 'agent-ledger verify --anchors anchors.txt --public-key ledger.key.pub',
      does: 'hold the ledger against what was kept',
    },
  ],
  documents: ['seal@1'],
  fields: SEAL_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof seal>, deps: Deps): Promise<number> {
  const { key, keyName, output, newKey } = given
  if (newKey !== undefined) return makeKey(newKey, keyName, deps)
  if (key === undefined)
    throw new LedgerError('usage', '--key is missing', {
      path: '--key',
      hint: 'Name the private key, or make one: agent-ledger seal --new-key ledger.key',
    })
  const privateKey = textOf(resolve(deps.io.cwd, key))
  return deps.withLedger(async ledger => {
    const target = output === undefined ? null : resolve(deps.io.cwd, output)
    const sealed = await ledger.seal({
      privateKey,
      waitMs: deps.waitMs,
      ...(keyName === undefined ? {} : { keyName }),
      ...(target === null ? {} : { output: target }),
    })
    const { origin, size, root, before, note, verifier, is_new } = sealed
    const body: SealBody = {
      outcome: is_new ? 'sealed' : 'nothing_new',
      origin,
      size,
      root,
      before,
      note,
      public_key: verifier,
      output: target,
    }
    // Hashes and signatures, of which none is a secret: masked they would prove nothing.
    const text = () => safe(note.trimEnd(), { multiline: true })
    await printDocument({ schema: 'seal@1', ledger: ledger.location, body, fields: SEAL_FIELDS, text }, deps)
    await deps.say(
      is_new
        ? words`sealed ${size} events (${size - before} since the last seal)${kept(target, deps)}`
        : words`nothing was written since the last seal, of ${size} events${kept(target, deps)}`,
    )
    return 0
  })
}

function kept(target: string | null, { show }: Deps) {
  return target === null
    ? words`; keep the note above where the ledger cannot be written from`
    : words`; the note is in ${show(target)}: keep that file where the ledger cannot be written from`
}

async function makeKey(file: string, name: string | undefined, deps: Deps): Promise<number> {
  const { makeSealKey } = await import('../../ledger/sealing.js')
  const { privatePem, verifier } = makeSealKey(name)
  const path = resolve(deps.io.cwd, file)
  const secret = openWhole(path, 'new')
  const open = openWhole(`${path}.pub`, 'new')
  try {
    secret.write(privatePem)
    open.write(`${verifier}\n`)
    secret.finish()
    open.finish()
  } finally {
    secret.discard()
    open.discard()
  }
  const body: SealBody = {
    outcome: 'key_made',
    origin: null,
    size: null,
    root: null,
    before: null,
    note: null,
    public_key: verifier,
    output: secret.path,
  }
  await printDocument(
    { schema: 'seal@1', ledger: null, body, fields: SEAL_FIELDS, text: () => safe(verifier) },
    deps,
  )
  const { show } = deps
  await deps.say(
    words`made ${show(secret.path)} (keep it where no agent can read it) and ${show(open.path)} (what checks the seals)`,
  )
  return 0
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new LedgerError('invalid_input', `the key ${path} cannot be read`, {
      path,
      hint: 'Make one with `agent-ledger seal --new-key <file>`.',
      cause,
    })
  }
}
