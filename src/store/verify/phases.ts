import type { Engine } from '../engine.js'
import { phaseDigest, phasesAfter } from '../sql-store/phases.js'
import type { Finding } from './finding.js'
import type { StoredLink } from './links.js'

/** Takes in what an event of the ledger says of a phase; the last one counts. */
export function rememberPhase({ body }: Pick<StoredLink, 'body'>, phases: Map<string, string>): void {
  try {
    const said: { task_id: string; name: string; phase_digest: string } = JSON.parse(body)
    phases.set(JSON.stringify([said.task_id, said.name]), said.phase_digest)
  } catch {
    // made unreadable on purpose: then the row stands for itself, and is told as one that nobody wrote
  }
}

/** Holds every phase against the digest that the ledger's own chain has of it. */
export async function checkPhases(
  engine: Engine,
  named: Map<string, string>,
  page: number,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const left = new Set(named.keys())
  let after: readonly [string, string] = ['', '']
  for (;;) {
    const from = after
    const phases = await engine.read(() => phasesAfter(from, page))
    for (const phase of phases) {
      const key = JSON.stringify([phase.task_id, phase.name])
      left.delete(key)
      if (named.get(key) !== phaseDigest(phase)) findings.push(findingOf(key, 'phase_differs', phase.name))
    }
    const last = phases.at(-1)
    if (last === undefined || phases.length < page) break
    after = [last.task_id, last.name]
  }
  return [...findings, ...[...left].map(key => findingOf(key, 'phase_missing', key))]
}

function findingOf(key: string, rule: 'phase_differs' | 'phase_missing', name: string): Finding {
  const what = rule === 'phase_differs' ? 'is not as it was written' : 'is gone'
  return { rule, subject: 'phase', id: key, n: null, message: `phase ${name} ${what}` }
}
