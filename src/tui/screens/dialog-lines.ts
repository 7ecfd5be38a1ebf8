import { type Safe, safe, words } from '../../core/safe-text.js'
import { type Asked, actionOf } from '../actions.js'
import { layoutOf } from '../layout.js'
import { type Choice, type Dialog, EMPTY, type Foreseen, type Menu, type State } from '../state.js'
import { cutTo, fitTo, widthOf, wrapTo } from '../width.js'
import { typing } from './foot-lines.js'
import { type Line, line } from './line.js'
import { filled } from './list-lines.js'

/** A dialog takes the place of list and detail. */
export function dialogLines(state: State, dialog: Dialog): Line[] {
  const { columns, body } = layoutOf(state)
  const all = [...titleLines(dialog, columns), ...stepLines(state, dialog, columns)]
  // What is being filled in is seen, whatever the height.
  const here = all.findIndex(({ text }) => text.startsWith('> '))
  const wanted = dialog.step.kind === 'form' && here > body - 4 ? here - body + 4 : dialog.top
  const top = Math.min(wanted, Math.max(0, all.length - body))
  const shown = all.slice(top, top + body)
  if (all.length > top + body)
    shown[shown.length - 1] = line(
      fitTo(words`… ${all.length - top - body + 1} more lines: PgDn`, columns),
      'dim',
    )
  return filled(shown, body, columns)
}

function titleLines({ action, name, marked, step }: Dialog, columns: number): Line[] {
  const { verb, title } = actionOf(action)
  const about = marked === null ? name : markedWords(step.kind === 'confirm' ? step.foreseen : null, marked)
  return [
    ...wrapTo(words`${safe(verb)}: ${about}`, columns).map(text => line(fitTo(text, columns), 'title')),
    line(fitTo(safe(title), columns), 'dim'),
    line(fitTo(words``, columns)),
  ]
}

/** `7 of 9 marked (5 hidden by filter)` */
function markedWords(foreseen: Foreseen | null, { count, hidden }: NonNullable<Dialog['marked']>): Safe {
  const can = foreseen?.items.filter(({ refusal }) => refusal === null).length ?? count
  const head = foreseen === null ? words`${count} marked` : words`${can} of ${count} marked`
  return hidden === 0 ? head : words`${head} (${hidden} hidden by filter)`
}

function stepLines(state: State, dialog: Dialog, columns: number): Line[] {
  const { step } = dialog
  const text = (one: Safe, tone?: Line['tone']) =>
    wrapTo(one, columns, 2).map(part => line(fitTo(part, columns), tone))
  switch (step.kind) {
    case 'form':
      return formLines(dialog, columns)
    case 'looking':
      return text(words`looking what it would do…`, 'dim')
    case 'confirm':
      return confirmLines(state, dialog, { foreseen: step.foreseen, isWrong: step.isWrong, columns })
    case 'working':
      return [...text(words`working…`, 'busy'), ...step.lines.flatMap(one => text(one))]
    case 'over':
      return [
        ...text(step.title, step.isRefused ? 'alarm' : 'title'),
        ...step.lines.flatMap(one => text(one)),
      ]
  }
}

function formLines({ action, form, step }: Dialog, columns: number): Line[] {
  const missing = step.kind === 'form' ? step.missing : null
  return actionOf(action).asks.flatMap((asked, i) => {
    const isHere = i === form.at
    const lead = isHere ? words`> ` : words`  `
    const need = missing === asked.name ? words`   is missing` : words``
    if (asked.kind === 'switch') {
      const box = form.switches.has(asked.name) ? words`[x] ` : words`[ ] `
      return [line(fitTo(words`${lead}${box}${safe(asked.label)}`, columns), isHere ? 'selected' : 'plain')]
    }
    const field = form.texts.get(asked.name) ?? EMPTY
    return [
      line(fitTo(words`${lead}${labelOf(asked)}${need}`, columns), need === '' ? 'dim' : 'alarm'),
      line(
        fitTo(isHere ? typing('    ', field, columns) : words`    ${safe(field.text)}`, columns),
        isHere ? 'title' : 'plain',
      ),
    ]
  })
}

function labelOf({ label, isRequired }: Asked): Safe {
  return isRequired ? safe(label) : words`${safe(label)}, if any`
}

interface Confirming {
  readonly foreseen: Foreseen
  readonly isWrong: boolean
  readonly columns: number
}

function confirmLines(
  { isReadOnly, planPath }: State,
  dialog: Dialog,
  { foreseen, isWrong, columns }: Confirming,
): Line[] {
  const { items, lines, dangers, code, command } = foreseen
  const text = (one: Safe, tone?: Line['tone']) =>
    wrapTo(one, columns, 4).map(part => line(fitTo(part, columns), tone))
  const can = items.filter(({ refusal }) => refusal === null)
  const names = Math.min(30, Math.max(0, ...items.map(({ name }) => widthOf(name))))
  const table =
    dialog.marked === null
      ? items.flatMap(({ before, after, refusal }) =>
          refusal === null
            ? text(words`${before} → ${after}`, 'title')
            : text(words`refused: ${refusal}`, 'alarm'),
        )
      : items.flatMap(({ name, before, after, refusal }) =>
          refusal === null
            ? text(words`  ${fitTo(cutTo(name, names), names)}  ${before} → ${after}`)
            : text(words`! ${fitTo(cutTo(name, names), names)}  not: ${refusal}`, 'alarm'),
        )
  if (can.length === 0) return [...table, ...lines.flatMap(one => text(one))]
  const ask = isReadOnly
    ? words`This screen is for reading only; Ctrl-S puts it into ${safe(planPath)}.`
    : code === null
      ? words`Do it? y`
      : words`Type ${safe(code)} and Enter to do it: ${typing('', dialog.code, 20)}`
  return [
    ...table,
    ...lines.flatMap(one => text(one)),
    ...dangers.flatMap(one => text(words`! ${one}`, 'alarm')),
    line(fitTo(words``, columns)),
    ...text(words`the same as: ${command}`, 'dim'),
    line(fitTo(words``, columns)),
    ...(isWrong ? text(words`what was typed is not the code`, 'alarm') : []),
    ...text(ask, 'title'),
  ]
}

/** What the row of a choice had no room for: why it is refused, or what it would do, below the rows. */
function wholeReason(choice: Choice | undefined, columns: number): Line[] {
  if (choice === undefined) return []
  const { isAllowed, title, why } = choice
  const text = isAllowed ? title : words`no: ${why ?? title}`
  return [
    line(fitTo(words``, columns)),
    ...wrapTo(text, columns).map(part => line(fitTo(part, columns), isAllowed ? 'plain' : 'alarm')),
  ]
}

/** What can be done, and why not. */
export function menuLines(state: State, { choices, at, name }: Menu): Line[] {
  const { columns, body } = layoutOf(state)
  const about = state.marks.size > 0 ? words`${state.marks.size} marked` : name
  const head = line(fitTo(words`What to do with ${about}`, columns), 'title')
  if (choices === null) return filled([head, line(fitTo(words`looking…`, columns), 'dim')], body, columns)
  const width = Math.max(...choices.map(({ action }) => actionOf(action).verb.length))
  const rows = choices.map(({ action, isAllowed, title, why }, i) => {
    const { verb } = actionOf(action)
    const lead = i === at ? words`> ` : words`  `
    const text = isAllowed ? title : words`no: ${why ?? title}`
    return line(
      fitTo(words`${lead}${fitTo(safe(verb), width)}  ${text}`, columns),
      i === at ? 'selected' : isAllowed ? 'plain' : 'dim',
    )
  })
  const whole = wholeReason(choices[at], columns)
  const room = Math.max(1, body - 1 - whole.length)
  const top = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room))
  return filled([head, ...rows.slice(top, top + room), ...whole], body, columns)
}
