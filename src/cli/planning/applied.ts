import { actorWords } from '../../core/actor.js'
import { APPLY_FIELDS, type ApplyBody } from '../../core/documents/apply.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'
import { chosenFields, pick } from '../output/fields.js'
import { documentHead, printableJson } from '../output/json.js'

/** One result a line: for people, or as apply@1. */
export async function printApplied(body: ApplyBody, ledger: string, deps: Deps): Promise<void> {
  const { json, jsonl } = deps.global
  const fields = chosenFields(deps.global.fields, APPLY_FIELDS)
  if (!json && !jsonl && fields === undefined) {
    await deps.print(lines(body, deps))
    return
  }
  const document = { ...documentHead({ schema: 'apply@1', ledger }, deps.now), ...pick(body, fields) }
  await deps.io.stdout.write(`${printableJson(deps.redactor.json(document))}\n`)
}

function lines(body: ApplyBody, deps: Deps): Safe {
  const { show, paint } = deps
  const { operation_id, decision, outcome, now, error } = body
  const id = show(operation_id)
  const stands = words`${show(now?.status ?? 'unknown')} (version ${now?.version ?? 0})`
  switch (outcome) {
    case 'done':
      return words`${id}  ${show(decision)}: now ${stands}`
    case 'already':
      return words`${id}  ${show(decision)}: already carried out; it is ${stands}`
    case 'would_be_done':
      return words`${id}  ${show(decision)}: would be ${stands}`
    case 'not_done':
      return join(
        [
          paint.alarm(words`${id}  ${show(decision)}: not done: ${show(error?.message ?? '')}`),
          ...changedLines(body, deps),
          words`  hint: ${show(error?.hint ?? '')}`,
        ],
        '\n',
      )
  }
}

/** What was seen beside what is now, and who changed it. */
function changedLines({ seen, now, changed }: ApplyBody, { show, times }: Deps): Safe[] {
  if (changed === null) return []
  const who = changed.by === null ? words`` : words` by ${show(actorWords(changed.by))}`
  const when = changed.at === null ? words`` : words`, ${times.exact(Date.parse(changed.at))}`
  const why = changed.because === null ? words`` : words`: ${show(changed.because, { max: 200 })}`
  return [
    words`  you saw: ${show(seen.status)} (version ${seen.version})`,
    words`  now:     ${show(now?.status ?? 'gone')} (version ${now?.version ?? 0})`,
    words`  changed: ${show(changed.what)}${who}${when}${why}`,
  ]
}
