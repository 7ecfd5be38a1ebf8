import { VERIFY_FIELDS, type VerifyBody, type VerifyFinding } from '../../core/documents/verify.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { FOUND } from '../exit-codes.js'
import { printDocument } from '../output/document.js'
import { withProgress } from '../output/progress.js'
import { flag } from '../parameters.js'

export const verify = command({
  name: 'verify',
  chapter: 'Keep',
  summary: 'recompute the ledger from its events and name whatever does not fit',
  details: [
    'Each link of each chain, the evidence that events rest on, every row from its events, and the pages of the file. Nothing is written, and agents may go on writing.',
    'Phases of open tasks are held against their workspaces too: what is not as it was is named, and is no fault of the ledger.',
    'It finds what was changed, removed, reordered or inserted. Whoever can write the file can also write a whole chain anew: only heads kept elsewhere show that.',
  ],
  args: {},
  options: { follow: flag('of phases: look at what lies outside the workspace too') },
  examples: [
    { line: 'agent-ledger verify', does: 'exit 0 when all fits, 12 when something was found' },
    { line: 'agent-ledger verify --json --ledger copy.db', does: 'the findings as a document' },
  ],
  documents: ['verify@1'],
  fields: VERIFY_FIELDS,
})

export function run({ follow }: Given<typeof verify>, deps: Deps): Promise<number> {
  return deps.withLedgerForReading(async ledger => {
    const { FINDING_RULES } = await import('../../ledger/findings.js')
    const { ledger_id, checked, findings, is_cut } = await withProgress('operations', deps, progress =>
      ledger.verify({ onProgress: progress.at }),
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

function lines({ ok, checked, findings, phases, is_cut }: VerifyBody, deps: Deps): Safe {
  const { show } = deps
  const broken = phases.map(
    ({ task_id, phase, why }) =>
      words`phase ${show(phase)} of ${show(task_id)} is not as it was left: ${show(why.join('; '))}`,
  )
  const { operations, tasks, events, evidence } = checked
  const sum = words`${operations} operations, ${tasks} tasks, ${events} events, ${evidence} evidence`
  if (ok) return join([words`${sum}: all fits`, ...broken], '\n')
  const found = findings.map(finding => findingLine(finding, deps))
  const more = is_cut ? [words`more was found than is listed`] : []
  return join([words`${sum}: ${findings.length} found`, ...found, ...more, ...broken], '\n')
}

function findingLine({ rule, title, subject, id, n, message }: VerifyFinding, { show, paint }: Deps): Safe {
  const where = n === null ? words`` : words` number ${n}`
  const head = paint.alarm(words`${show(rule)}  ${show(subject)} ${show(id)}${where}`)
  return words`${head}
  ${show(title)}: ${show(message)}`
}
