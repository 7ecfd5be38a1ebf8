import { LedgerError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import { differencesOf, valuesByPath } from '../core/json-diff.js'
import type { Intent } from '../core/operation.js'
import { inputPath } from '../core/transitions/other-intent.js'
import type { Refusal } from '../core/transitions/requests.js'
import type { Executor } from './executor.js'
import { refusedBy } from './refused.js'

const MOST_DIFFERENCES = 20

/** Why an intent was not written down. A key that is taken says by whom, and what differs, secrets masked. */
export async function notPrepared(
  executor: Executor,
  intent: Intent,
  refusal: Refusal,
): Promise<LedgerError> {
  const { operation_id } = intent
  const owner =
    refusal.rule === 'key_unused' && refusal.other !== undefined
      ? ((await executor.store.operation(refusal.other))?.operation ?? null)
      : null
  if (owner === null || owner.input_digest === intent.input_digest)
    return refusedBy(
      { ...refusal, reason: `${operation_id} cannot be prepared: ${refusal.reason}` },
      operation_id,
    )
  const differences = changesShown(executor, owner.input, intent.input)
  const shown = differences.slice(0, MOST_DIFFERENCES).map(({ path, before, after }) => {
    return `${path} (${before} → ${after})`
  })
  const left_out = differences.length - shown.length
  return new LedgerError(
    'refused',
    `${operation_id} cannot be prepared: its idempotency key was first used by ${owner.operation_id} with another input: ${shown.join(', ')}`,
    {
      id: operation_id,
      rule: 'key_reused_with_other_input',
      hint: 'A key names one request: another input needs a key of its own. Leave it out and the ledger makes one.',
      facts: {
        first_used_by: owner.operation_id,
        differences: differences.slice(0, MOST_DIFFERENCES),
        ...(left_out > 0 ? { differences_left_out: left_out } : {}),
      },
    },
  )
}

function changesShown({ mask }: Executor, before: JsonValue, after: JsonValue) {
  const [was, is] = [valuesByPath(mask.value(before)), valuesByPath(mask.value(after))]
  return differencesOf(before, after).map(({ path }) => ({
    path: inputPath(path),
    before: shownValue(was.get(path)),
    after: shownValue(is.get(path)),
  }))
}

const LONGEST_SHOWN = 100

function shownValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)`
}
