import { type Safe, safe, words } from '../../core/safe-text.js'
import { type Asked, actionOf } from '../actions.js'
import { layoutOf } from '../layout.js'
import type { Choice, Dialog, Foreseen, Menu, State, Step } from '../state.js'
import { EMPTY } from '../text-field.js'
import { cutInside, fitTo, widthOf, wrapTo } from '../width.js'
import { type Line, line } from './line.js'
import { filled } from './list-lines.js'
import { scrolledLines } from './scrolled.js'
import { typing } from './typing.js'

/** A dialog takes the place of list and detail. */
export function dialogLines(state: State, dialog: Dialog): Line[] {
  const { columns, body } = layoutOf(state)
  const { lines, asked, here } = partsOf(state, dialog)
  const room = roomOf(body, asked)
  // What is being filled in is seen, whatever the height.
  const top = here > 0 ? Math.max(0, here - room + 1) : dialog.top
  if (lines.length <= room) return filled([...lines, ...asked], body, columns)
  return [...scrolledLines(lines, { top, body: room, columns, how: 'PgDn' }), ...asked]
}

/** How far a dialog can be scrolled. */
export function dialogEnd(state: State, dialog: Dialog): number {
  const { lines, asked } = partsOf(state, dialog)
  return Math.max(0, lines.length - roomOf(layoutOf(state).body, asked))
}

interface Parts {
  readonly lines: readonly Line[]
  /** the question, below: it is seen however much there is to read */
  readonly asked: readonly Line[]
  /** lines up to the end of what is being filled in; 0: nothing is */
  readonly here: number
}

function partsOf(state: State, dialog: Dialog): Parts {
  const { step } = dialog
  const { columns } = layoutOf(state)
  const title = titleLines(dialog, columns)
  if (step.kind === 'form') {
    const blocks = formBlocks(dialog, columns)
    const here = title.length + blocks.slice(0, dialog.form.at + 1).flat().length
    return { lines: [...title, ...blocks.flat()], asked: [], here }
  }
  const asked = step.kind === 'confirm' ? askedLines(state, dialog, { ...step, columns }) : []
  return { lines: [...title, ...stepLines(dialog, step, columns)], asked, here: 0 }
}

function roomOf(body: number, asked: readonly Line[]): number {
  return Math.max(1, body - asked.length)
}

function titleLines({ action, name, marked, step }: Dialog, columns: number): Line[] {
  const { verb, title } = actionOf(action)
  const about = marked === null ? name : markedWords(step.kind === 'confirm' ? step.foreseen : null, marked)
  return [
    ...wrapTo(words`${safe(verb)}: ${about}`, columns).map(text => line(fitTo(text, columns), 'title')),
    ...wrapTo(safe(title), columns).map(text => line(fitTo(text, columns), 'dim')),
    line(fitTo(words``, columns)),
  ]
}

/** `7 of 9 marked (5 hidden by filter)` */
function markedWords(foreseen: Foreseen | null, { count, hidden }: NonNullable<Dialog['marked']>): Safe {
  const can = foreseen?.items.filter(({ refusal }) => refusal === null).length ?? count
  const head = foreseen === null ? words`${count} marked` : words`${can} of ${count} marked`
  return hidden === 0 ? head : words`${head} (${hidden} hidden by filter)`
}

function stepLines(dialog: Dialog, step: Exclude<Step, { kind: 'form' }>, columns: number): Line[] {
  const text = (one: Safe, tone?: Line['tone']) =>
    wrapTo(one, columns, 2).map(part => line(fitTo(part, columns), tone))
  switch (step.kind) {
    case 'looking':
      return text(words`looking what it would do…`, 'dim')
    case 'confirm':
      return foreseenLines(dialog, step.foreseen, columns)
    case 'working':
      return [...text(words`working…`, 'busy'), ...step.lines.flatMap(one => text(one))]
    case 'over':
      return [
        ...text(step.title, step.isRefused ? 'alarm' : 'title'),
        ...step.lines.flatMap(one => text(one)),
      ]
  }
}

/** The lines of each thing that is asked. */
function formBlocks({ action, form, step }: Dialog, columns: number): Line[][] {
  const missing = step.kind === 'form' ? step.missing : null
  return actionOf(action).asks.map((asked, i) => {
    const isHere = i === form.at
    const lead = isHere ? words`> ` : words`  `
    const need = missing === asked.name ? words`   is missing` : words``
    if (asked.kind === 'switch') {
      const box = form.switches.has(asked.name) ? words`[x] ` : words`[ ] `
      return labelLines(words`${lead}${box}${safe(asked.label)}`, columns, isHere ? 'selected' : 'plain')
    }
    const field = form.texts.get(asked.name) ?? EMPTY
    return [
      ...labelLines(words`${lead}${labelOf(asked)}${need}`, columns, need === '' ? 'dim' : 'alarm'),
      line(
        fitTo(isHere ? typing('    ', field, columns) : words`    ${safe(field.text)}`, columns),
        isHere ? 'title' : 'plain',
      ),
    ]
  })
}

function labelLines(text: Safe, columns: number, tone: Line['tone']): Line[] {
  return wrapTo(text, columns, 2).map(part => line(fitTo(part, columns), tone))
}

function labelOf({ label, isRequired }: Asked): Safe {
  return isRequired ? safe(label) : words`${safe(label)}, if any`
}

/** What could go wrong, what it would do to each, on what it rests, and the command that does the same. */
function foreseenLines({ marked }: Dialog, foreseen: Foreseen, columns: number): Line[] {
  const { items, lines, dangers, command } = foreseen
  const text = (one: Safe, tone?: Line['tone']) =>
    wrapTo(one, columns, 4).map(part => line(fitTo(part, columns), tone))
  const names = Math.min(30, Math.max(0, ...items.map(({ name }) => widthOf(name))))
  const named = (name: Safe) => fitTo(cutInside(name, names), names)
  const table =
    marked === null
      ? items.flatMap(({ before, after, refusal }) =>
          refusal === null
            ? text(words`${before} → ${after}`, 'title')
            : text(words`refused: ${refusal}`, 'alarm'),
        )
      : items.flatMap(({ name, before, after, refusal }) =>
          refusal === null
            ? text(words`  ${named(name)}  ${before} → ${after}`)
            : text(words`! ${named(name)}  not: ${refusal}`, 'alarm'),
        )
  if (!isPossible(foreseen)) return [...table, ...lines.flatMap(one => text(one))]
  return [
    // First: on a small screen the rest is scrolled to, and the code could be typed without having seen the danger.
    ...dangers.flatMap(one => text(words`! ${one}`, 'alarm')),
    ...table,
    ...lines.flatMap(one => text(one)),
    line(fitTo(words``, columns)),
    ...text(words`the same as: ${command}`, 'dim'),
  ]
}

function isPossible({ items }: Foreseen): boolean {
  return items.some(({ refusal }) => refusal === null)
}

interface Confirming {
  readonly foreseen: Foreseen
  readonly isWrong: boolean
  readonly columns: number
}

function askedLines(
  { isReadOnly, planPath }: State,
  { code: typed }: Dialog,
  { foreseen, isWrong, columns }: Confirming,
): Line[] {
  if (!isPossible(foreseen)) return []
  const { code } = foreseen
  const ask = isReadOnly
    ? words`This screen is for reading only; Ctrl-S puts it into ${safe(planPath)}.`
    : code === null
      ? words`Do it? y`
      : words`Type ${safe(code)} and Enter to do it: ${typing('', typed, 20)}`
  const text = (one: Safe, tone: Line['tone']) =>
    wrapTo(one, columns, 4).map(part => line(fitTo(part, columns), tone))
  return [
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
  const place = choices === null ? words`` : words` ${at + 1}/${choices.length}`
  const room = columns - widthOf(place)
  const head = line(words`${fitTo(words`What to do with ${about}`, room)}${place}`, 'title')
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
  const high = Math.max(1, body - 1 - whole.length)
  const top = Math.max(0, Math.min(at - Math.floor(high / 2), rows.length - high))
  return filled([head, ...rows.slice(top, top + high), ...whole], body, columns)
}
