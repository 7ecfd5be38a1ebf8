import { sha256 } from '../../core/digest.js'
import { CONDITIONS, type FoundItem } from '../../core/documents/check.js'
import { isoTime } from '../../core/iso-time.js'
import type { CheckToTell } from './input.js'

/**
 * SARIF 2.1.0 (OASIS, sarif-v2.1.0-os): one run, a rule for each condition asked for, a result for each finding. Code
 * scanning shows results beside a file, so each names the ledger's; which operation it is stands as logical location.
 */
export function checkSarif(told: CheckToTell): string {
  const { check, version, now } = told
  const asked = CONDITIONS.filter(({ id }) => check.counts[id] !== undefined)
  const rules = asked.map(({ id, title, level }) => ({
    id,
    shortDescription: { text: title },
    defaultConfiguration: { level },
  }))
  const indexOf = new Map<string, number>(asked.map(({ id }, i) => [id, i]))
  const run = {
    tool: { driver: { name: 'agent-ledger', version, rules } },
    invocations: [{ executionSuccessful: true, endTimeUtc: isoTime(now) }],
    columnKind: 'utf16CodeUnits',
    results: check.found.map(item => result(item, indexOf.get(item.condition) ?? -1, told)),
    properties: { counts: check.counts, leftOut: check.left_out },
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, null, 2)}\n`
}

function result(item: FoundItem, ruleIndex: number, { show, uri }: CheckToTell): object {
  const { condition, operation_id, task_id, reason } = item
  const level = CONDITIONS.find(({ id }) => id === condition)?.level ?? 'warning'
  const task = { name: show(task_id), kind: 'task' }
  const logical =
    operation_id === null
      ? [task]
      : [
          {
            name: show(operation_id),
            fullyQualifiedName: show(`${task_id}/${operation_id}`),
            kind: 'operation',
          },
        ]
  const subject = operation_id === null ? `task ${task_id}` : `${operation_id} of ${task_id}`
  return {
    ruleId: condition,
    ruleIndex,
    level,
    message: { text: plainMessage(show(`${subject}: ${reason}`)) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
        logicalLocations: logical,
      },
    ],
    // the same finding of the next run is the same alert
    partialFingerprints: {
      'agentLedgerFinding/v1': sha256(JSON.stringify([condition, task_id, operation_id])),
    },
  }
}

// 3.11.5 and 3.11.6: `{0}` stands for an argument and `[text](target)` for a link; neither is meant here.
function plainMessage(text: string): string {
  return text.replace(/[\\[\]]/g, '\\$&').replace(/\{(\d+)\}/g, '{{$1}}')
}
