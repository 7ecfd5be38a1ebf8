import { CONDITIONS, type FoundItem } from '../../core/documents/check.js'
import type { CheckToTell } from './input.js'

/** Annotations as workflow commands of GitHub Actions, one a line; without findings one plain line. */
export function checkGithub({ check, show }: CheckToTell): string {
  const counts = Object.entries(check.counts).map(([condition, count]) => `${condition} ${count}`)
  const more = check.left_out === 0 ? [] : [`${check.left_out} more; agent-ledger list shows them`]
  const lines = check.found.map(item => annotation(item, show))
  return `${[...lines, ...more, `agent-ledger check: ${check.ok ? 'ok' : 'failed'}: ${counts.join(', ')}`].join('\n')}\n`
}

function annotation(
  { condition, operation_id, task_id, reason }: FoundItem,
  show: (text: string) => string,
): string {
  const level = CONDITIONS.find(({ id }) => id === condition)?.level ?? 'warning'
  const subject = operation_id === null ? `task ${task_id}` : `${operation_id} of ${task_id}`
  const title = property(show(`${condition}: ${subject}`))
  return `::${level} title=${title}::${data(show(`${subject}: ${reason}`))}`
}

// As the runner reads them back: actions/toolkit, packages/core/src/command.ts, escapeData and escapeProperty.
function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A')
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C')
}
