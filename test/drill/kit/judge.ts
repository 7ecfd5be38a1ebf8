import { openLedgerForReading } from '../../../src/ledger.js'
import type { Incident, Resume } from './incident.js'
import type { Stage } from './stage.js'

/** An incident as it stands when somebody looks. */
export interface Staged {
  readonly stage: Stage
  readonly resume: Resume
}

/** From here on it is now. */
export async function staged({ setUp }: Pick<Incident, 'setUp'>, stage: Stage): Promise<Staged> {
  const resume = await setUp(stage)
  stage.present()
  return { stage, resume }
}

/**
 * Starts the agent again and compares what there is outside, and what the ledger says, with what is right. Empty: the
 * decision was right. A decision that lets something be sent twice, or never, shows here and nowhere else.
 */
export async function judge(
  { end }: Pick<Incident, 'end'>,
  { stage, resume }: Staged,
): Promise<readonly string[]> {
  await resume()
  const outside = stage.outside()
  const collections = new Set([...Object.keys(end.outside), ...Object.keys(outside)])
  const found = [...collections].flatMap(name => differs(name, outside[name] ?? 0, end.outside[name] ?? 0))
  const ledger = await openLedgerForReading(stage.ledger)
  try {
    for (const [id, wanted] of Object.entries(end.statuses))
      found.push(...differs(id, (await ledger.show(id)).document.status, wanted))
    for (const [id, wanted] of Object.entries(end.tasks))
      found.push(...differs(id, (await ledger.report(id)).document.task.status, wanted))
  } finally {
    await ledger.close()
  }
  return found
}

function differs(what: string, is: string | number, wanted: string | number): string[] {
  return is === wanted ? [] : [`${what}: ${is}, not ${wanted}`]
}
