import { actorWords } from '../../core/actor.js'
import { counted } from '../../core/counted.js'
import { isoOrNull } from '../../core/documents/parts.js'
import { partName } from '../../core/documents/redaction-item.js'
import { VERIFY_FIELDS, type VerifyBody, type VerifyFinding } from '../../core/documents/verify.js'
import { LedgerError } from '../../core/errors.js'
import { isoTime } from '../../core/iso-time.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { FOUND } from '../exit-codes.js'
import { printDocument } from '../output/document.js'
import { withProgress } from '../output/progress.js'
import { flag, someText, value } from '../parameters.js'

export const verify = command({
  name: 'verify',
  chapter: 'Keep',
  summary: 'recompute the ledger from its events and name whatever does not fit',
  details: [
    'Each link of each chain, the evidence that events rest on, every row from its events, and the pages of the file. Nothing is written, and agents may go on writing.',
    'Phases of open tasks are held against their workspaces too: what is not as it was is named, and is no fault of the ledger.',
    'It finds what was changed, removed, reordered or inserted. Whoever can write the file can also write a whole chain anew, or cut off the end: only anchors kept elsewhere show that (see `seal`). --anchors holds all events against them; with --public-key only what that key signed counts.',
    'Bodies that were blanked (`redact`) and operations that were archived (`prune`) are named, and are no fault.',
  ],
  args: {},
  options: {
    anchors: value('file', 'signed notes of `seal`, kept elsewhere', someText),
    publicKey: value('key', 'the line that `seal --new-key` printed, or a file that holds it', someText),
    follow: flag('of phases: look at what lies outside the workspace too'),
  },
  examples: [
    { line: 'agent-ledger verify', does: 'exit 0 when all fits, 12 when something was found' },
    {
      line: 'agent-ledger verify --anchors anchors.txt --public-key ledger.key.pub',
      does: 'find a cut tail and a rewritten history too',
    },
    { line: 'agent-ledger verify --json --ledger copy.db', does: 'the findings as a document' },
  ],
  documents: ['verify@1'],
  fields: VERIFY_FIELDS,
})

export async function run(given: Given<typeof verify>, deps: Deps): Promise<number> {
  const { follow } = given
  const anchors = await anchorsGiven(given, deps)
  return deps.withLedgerForReading(async ledger => {
    const { FINDING_RULES } = await import('../../ledger/findings.js')
    const { ledger_id, checked, archived, seals, redacted, findings, is_cut } = await withProgress(
      'operations',
      deps,
      progress => ledger.verify({ onProgress: progress.at, ...(anchors === null ? {} : { anchors }) }),
    )
    const body: VerifyBody = {
      ok: findings.length === 0,
      ledger_id,
      checked,
      findings: findings.map(({ rule, subject, id, n, message }) => ({
        rule,
        title: FINDING_RULES[rule].title,
        subject,
        id,
        n,
        message,
      })),
      archived,
      seals: { ...seals, sealed_at: isoOrNull(seals.sealed_at) },
      redacted: redacted.map(({ operation_id, parts, at, actor, reason }) => ({
        operation_id,
        parts: parts.map(({ part, n }) => partName(part, n)),
        at: isoTime(at),
        by: actor,
        reason,
      })),
      phases: (await ledger.brokenPhases({ follow: follow ?? false })).map(one => ({ ...one })),
      is_cut,
    }
    await printDocument(
      {
        schema: 'verify@1',
        ledger: ledger.location,
        body,
        fields: VERIFY_FIELDS,
        text: () => lines(body, deps),
      },
      deps,
    )
    return body.ok ? 0 : FOUND.other
  })
}

/** @throws LedgerError usage, invalid_input for a file that cannot be read or holds none */
async function anchorsGiven({ anchors, publicKey }: Given<typeof verify>, deps: Deps) {
  if (anchors === undefined && publicKey !== undefined)
    throw new LedgerError('usage', '--public-key needs --anchors', {
      path: '--public-key',
      hint: 'Name the file that `seal --output` wrote: --anchors <file>',
    })
  if (anchors === undefined) return null
  const { existsSync, readFileSync } = await import('node:fs')
  const { resolve } = await import('node:path')
  const { readAnchors } = await import('../../ledger/sealing.js')
  const path = resolve(deps.io.cwd, anchors)
  if (!existsSync(path)) throw new LedgerError('invalid_input', `there is no file ${path}`, { path })
  const file = publicKey === undefined ? null : resolve(deps.io.cwd, publicKey)
  const key = file !== null && existsSync(file) ? readFileSync(file, 'utf8') : (publicKey ?? null)
  return readAnchors(readFileSync(path, 'utf8'), key, path)
}

function lines(body: VerifyBody, deps: Deps): Safe {
  const { ok, checked, findings, phases, is_cut } = body
  const { show } = deps
  const broken = phases.map(
    ({ task_id, phase, why }) =>
      words`phase ${show(phase)} of ${show(task_id)} is not as it was left: ${show(why.join('; '))}`,
  )
  const { operations, tasks, events, evidence } = checked
  const sum = words`${counted(operations, 'operation')}, ${counted(tasks, 'task')}, ${counted(events, 'event')}, ${evidence} evidence`
  const beside = [...besideLines(body, deps), ...broken]
  if (ok) return join([words`${sum}: all fits`, ...beside], '\n')
  const found = findings.map(finding => findingLine(finding, deps))
  const more = is_cut ? [words`more was found than is listed`] : []
  return join([words`${sum}: ${findings.length} found`, ...found, ...more, ...beside], '\n')
}

/** What is no fault, and what the seals and anchors cover. */
function besideLines({ archived, seals, redacted, checked }: VerifyBody, { show }: Deps): Safe[] {
  const { sealed, sealed_at, anchors, anchored, signatures_checked } = seals
  const all = checked.events + archived.events
  const by = signatures_checked
    ? words`signatures held against the key given`
    : words`signatures not checked: no key was given`
  return [
    ...(archived.operations === 0
      ? []
      : [
          words`archived: ${counted(archived.operations, 'operation')}; their ids, keys and hashes are as they were left`,
        ]),
    ...(sealed_at === null
      ? []
      : [words`sealed: the first ${sealed} of ${counted(all, 'event')}, ${show(sealed_at)}`]),
    ...(anchors === null
      ? []
      : [
          words`${counted(anchors, 'anchor')} (${by}): the first ${anchored} of ${counted(all, 'event')} are as they were anchored`,
        ]),
    ...redacted.map(
      ({ operation_id, parts, at, by: who, reason }) =>
        words`blanked: ${show(parts.join(', '))} of ${show(operation_id)}, ${show(at)} by ${show(actorWords(who))}: ${show(reason)}`,
    ),
  ]
}

function findingLine({ rule, title, subject, id, n, message }: VerifyFinding, { show, paint }: Deps): Safe {
  const where = n === null ? words`` : words` number ${n}`
  const head = paint.alarm(words`${show(rule)}  ${show(subject)} ${show(id)}${where}`)
  return words`${head}
  ${show(title)}: ${show(message)}`
}
