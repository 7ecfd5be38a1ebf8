import { counted } from '../../core/counted.js'
import { asJson } from '../../core/documents/parts.js'
import {
  RECONCILE_FIELDS,
  RECONCILE_WORDS,
  type ReconcileBody,
  type ReconcileOutcome,
} from '../../core/documents/reconcile.js'
import { join, type Safe, safe, words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import type { Deps } from '../deps.js'
import { chosenFields, pick } from '../output/fields.js'
import { documentHead, printableJson } from '../output/json.js'

/** One result, as soon as it is there: a line of JSON, or for people. False once nobody reads any more. */
export async function printResult(body: ReconcileBody, ledger: string, deps: Deps): Promise<boolean> {
  const { json, jsonl } = deps.global
  const fields = chosenFields(deps.global.fields, RECONCILE_FIELDS)
  if (!json && !jsonl && fields === undefined) return deps.print(textOf(body, deps))
  const document = {
    ...documentHead({ schema: 'reconcile@1', ledger }, deps.now),
    ...pick(asJson(body), fields),
  }
  return deps.io.stdout.write(`${printableJson(deps.redactor.json(document))}\n`)
}

function textOf(body: ReconcileBody, { show, paint }: Deps): Safe {
  const { operation_id, outcome, reason, external_ids, candidates, duplicates, next_look_at, requests } = body
  // why is said by the reason
  const word = show(RECONCILE_WORDS[outcome === 'probe_failed' ? 'in_doubt' : outcome])
  const isOpen = outcome === 'in_doubt' || outcome === 'probe_failed' || outcome === 'not_asked'
  const lines = [
    words`${show(operation_id)}: ${isOpen ? paint.alarm(word) : word}: ${show(reason, { max: 600 })}`,
    ...external_ids.map(id => words`  ${idText(id)}`),
    ...(duplicates
      ? [words`  none of them is chosen: a person looks, and it stays in the list until then`]
      : []),
    ...candidates.map(
      ({ external_id, differs }) =>
        words`  may be: ${idText(external_id)}${typeof differs === 'string' ? words` (${show(differs, { max: 300 })})` : words``}`,
    ),
    ...(next_look_at === null || outcome === 'planned'
      ? []
      : [
          words`  next useful look: ${show(next_look_at)}`,
          ...(isOpen ? [rest(next_look_at, 'too early to look')] : []),
        ]),
    ...(isOpen && next_look_at === null ? [onward()] : []),
    ...(outcome === 'planned' ? requests.map(one => words`  ${show(one, { max: 2_000 })}`) : []),
  ]
  return join(lines, '\n')

  function rest(until: string, reason: string): Safe {
    return words`  it may rest until then: ${show(ledgerCommand('defer', ['--until', until, '--reason', reason], operation_id))}`
  }

  /** Nothing says when a look would tell more: the service has to come back, or a person looks. */
  function onward(): Safe {
    return outcome === 'probe_failed'
      ? rest('1h', 'it cannot be asked now')
      : words`  a person looks and decides: ${show(ledgerCommand('show', [], operation_id))}`
  }

  function idText(id: unknown): Safe {
    const { kind, value, url } = Object(id)
    return typeof url === 'string'
      ? words`${show(String(kind))} ${show(String(value))}, ${show(url)}`
      : words`${show(String(kind))} ${show(String(value))}`
  }
}

/** `12 operations: 9 confirmed, 3 still in doubt` */
export function summaryOf(counts: ReadonlyMap<ReconcileOutcome, number>, total: number): Safe {
  const parts = [...counts].map(([outcome, count]) => words`${count} ${safe(RECONCILE_WORDS[outcome])}`)
  return words`${counted(total, 'operation')}: ${join(parts, ', ')}`
}
