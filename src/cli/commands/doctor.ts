import { DOCTOR_FIELDS, type DoctorBody, type DoctorCheck } from '../../core/documents/doctor.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { FOUND } from '../exit-codes.js'
import { printDocument } from '../output/document.js'

export const doctor = command({
  name: 'doctor',
  chapter: 'Keep',
  summary: 'check whether this machine and this file can hold a ledger safely',
  details: [
    'Node and SQLite, the file system, permissions, free space, clocks, what a killed writer left, whether the file is a copy. Each check is ok, warn or fail, with what to do. Nothing is written.',
    'Ends with 0 when nothing failed, with the code of the failure where commands would end with it (3 for a ledger that cannot be used), else with 12.',
  ],
  args: {},
  options: {},
  examples: [
    { line: 'agent-ledger doctor', does: 'every check and what to do' },
    { line: 'agent-ledger doctor --json', does: 'the same as a document' },
  ],
  documents: ['doctor@1'],
  fields: DOCTOR_FIELDS,
})

export async function run(_: Given<typeof doctor>, deps: Deps): Promise<number> {
  const { healthFacts } = await import('../health-facts.js')
  const { examineHealth, healthExitCode } = await import('../../core/health/checks.js')
  const facts = await healthFacts(deps)
  const found = examineHealth(facts)
  const checks = found.map(({ id, title, status, says, advice }) => ({ id, title, status, says, advice }))
  const body: DoctorBody = { ok: found.every(({ status }) => status !== 'fail'), checks }
  await printDocument(
    {
      schema: 'doctor@1',
      ledger: facts.location ?? '',
      body,
      fields: DOCTOR_FIELDS,
      text: () => lines(checks, deps),
    },
    deps,
  )
  return healthExitCode(found, FOUND.other)
}

function lines(checks: readonly DoctorCheck[], { show, paint }: Deps): Safe {
  return join(
    checks.map(({ title, status, says, advice }) => {
      const mark =
        status === 'ok'
          ? words`ok  `
          : status === 'warn'
            ? paint.doubt(words`warn`)
            : paint.alarm(words`fail`)
      const line = words`${mark}  ${show(title)}: ${show(says)}`
      return advice === null
        ? line
        : words`${line}
      ${show(advice)}`
    }),
    '\n',
  )
}
