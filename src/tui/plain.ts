import { isDecisionCode } from '../core/decision-code.js'
import { isLedgerError } from '../core/errors.js'
import { join, type Safe, safe, words } from '../core/safe-text.js'
import { type Action, type Asked, actionOf, type Form, formOf, withText } from './actions.js'
import { carryOut, stage } from './carry-out.js'
import type { Over } from './event.js'
import { filterOf } from './filter.js'
import { foresee } from './foresee.js'
import type { Row } from './row.js'
import { type Choice, FIRST_ROWS, type Foreseen, SCOPES, type Scope } from './state.js'
import { fieldOf } from './text-field.js'
import { choices, detailOf, look, troubleWords } from './work.js'
import type { World } from './world.js'

export interface PlainGiven {
  readonly world: World
  readonly isReadOnly: boolean
  /** one typed line; undefined: input ended */
  readonly ask: (question: string) => Promise<string | undefined>
  readonly say: (lines: Safe) => Promise<boolean>
}

/** Rows told at once. */
const PAGE = 10

interface View {
  readonly scope: Scope
  readonly filter: string
  readonly from: number
}

/** The same work as questions and answers: lines are only ever added, and every choice is a number or a word. */
export async function runPlain(given: PlainGiven): Promise<number> {
  const { world, say, isReadOnly } = given
  const ledger = await world.withLedgerForReading(async ({ location }) => world.show(location, { max: 200 }))
  await say(words`agent-ledger triage, ${ledger}${isReadOnly ? words`, for reading only` : words``}`)
  let view: View = { scope: 'attention', filter: '', from: 0 }
  let isTold = false
  for (;;) {
    const rows = await rowsOf(given, view)
    if (!isTold) await tellRows(given, rows, view)
    isTold = true
    const answer = (
      await given.ask('number, n next, p previous, s scope, /words filter, r again, q leave: ')
    )?.trim()
    if (answer === undefined || answer === 'q') return 0
    const [row] = /^\d+$/.test(answer) ? rows.slice(Number(answer) - 1, Number(answer)) : []
    if (row !== undefined) await oneOperation(given, row)
    else {
      const next = viewAfter(view, answer, rows.length)
      if (next === null) await say(words`not understood: ${given.world.show(answer, { max: 80 })}`)
      else view = next
    }
    isTold = row !== undefined ? false : isTold && viewAfter(view, answer, rows.length) === null
  }
}

function viewAfter(view: View, answer: string, count: number): View | null {
  const { from, scope } = view
  if (answer === 'n') return { ...view, from: from + PAGE < count ? from + PAGE : from }
  if (answer === 'p') return { ...view, from: Math.max(0, from - PAGE) }
  if (answer === 'r' || answer === '') return view
  if (answer === 's')
    return { ...view, from: 0, scope: SCOPES[(SCOPES.indexOf(scope) + 1) % SCOPES.length] ?? scope }
  return answer.startsWith('/') ? { ...view, from: 0, filter: answer.slice(1).trim() } : null
}

async function rowsOf({ world, say }: PlainGiven, { scope, filter }: View): Promise<readonly Row[]> {
  try {
    const { rows } = await look(world, { scope, sort: 'risk', limit: FIRST_ROWS })
    const matches = filterOf(filter)
    return rows.filter(row => matches(row, false))
  } catch (error) {
    await say(troubleWords(error, world.show))
    return []
  }
}

async function tellRows(
  { say }: PlainGiven,
  rows: readonly Row[],
  { scope, filter, from }: View,
): Promise<void> {
  const about = filter === '' ? words`` : words`, filter ${safe(filter)}`
  const lines = rows.slice(from, from + PAGE).map(
    ({ name, state, age, risk, tool, why }, i) =>
      // no colon after an id: one that ends in `secret` would hide its own state as a secret
      words`${from + i + 1}. ${name} is ${state}, ${age} old, ${risk}, ${tool}: ${why}`,
  )
  const last = from + lines.length
  await say(
    join(
      [
        words`${safe(scope)}${about}: ${from + Math.min(1, lines.length)} to ${last} of ${rows.length}`,
        ...lines,
      ],
      '\n',
    ),
  )
}

async function oneOperation(given: PlainGiven, { id }: Row): Promise<void> {
  const { world, say, ask } = given
  try {
    const { blocks } = await detailOf(world, id, 'operation')
    await say(
      join(
        blocks.map(({ text, indent }) => words`${safe(' '.repeat(indent))}${text}`),
        '\n',
      ),
    )
    for (;;) {
      const offered = (await choices(world, id)).filter(({ isAllowed }) => isAllowed)
      await say(join([words`What to do:`, ...offered.map(choiceLine)], '\n'))
      const answer = (await ask('number of what to do, or b back to the list: '))?.trim()
      if (answer === undefined || answer === 'b' || answer === 'q' || answer === '') return
      const choice = /^\d+$/.test(answer) ? offered[Number(answer) - 1] : undefined
      if (choice === undefined) await say(words`not understood: ${world.show(answer, { max: 80 })}`)
      else await decide(given, id, actionOf(choice.action))
    }
  } catch (error) {
    await say(troubleWords(error, world.show))
  }
}

function choiceLine({ action, title }: Choice, i: number): Safe {
  return words`${i + 1}. ${safe(actionOf(action).verb)}: ${title}`
}

async function decide(given: PlainGiven, id: string, action: Action): Promise<void> {
  const { world, say } = given
  const form = await filledForm(given, action)
  if (form === null) {
    await say(words`left as it is`)
    return
  }
  try {
    const foreseen = await foresee(world, { action: action.id, ids: [id], form })
    await tellForeseen(given, foreseen)
    if (!foreseen.items.some(({ refusal }) => refusal === null)) return
    const over = await confirmed(given, action, foreseen)
    await say(
      over === null ? words`left as it is; nothing was written` : join([over.title, ...over.lines], '\n'),
    )
  } catch (error) {
    if (!isLedgerError(error)) throw error
    await say(words`Not done: ${troubleWords(error, world.show)}`)
  }
}

async function filledForm({ ask }: PlainGiven, { asks, ...action }: Action): Promise<Form | null> {
  let form = formOf({ ...action, asks })
  for (const asked of asks) {
    const answer = (await ask(questionOf(asked)))?.trim()
    if (answer === undefined) return null
    if (asked.kind === 'switch') {
      if (/^y(es)?$/i.test(answer)) form = { ...form, switches: new Set([...form.switches, asked.name]) }
    } else if (answer !== '') form = withText(form, asked.name, fieldOf(answer))
    else if (asked.isRequired && asked.usual === undefined && asked.name !== 'evidence') return null
  }
  const hasEvidence =
    (form.texts.get('evidence')?.text ?? 'none') !== '' || form.switches.has('without_evidence')
  return hasEvidence ? form : null
}

function questionOf({ label, kind, isRequired, usual }: Asked): string {
  if (kind === 'switch') return `${label}? y or n, default n: `
  if (usual !== undefined) return `${label}, default ${usual}: `
  return isRequired ? `${label}: ` : `${label}, if any: `
}

async function tellForeseen(
  { say }: PlainGiven,
  { items, lines, dangers, command }: Foreseen,
): Promise<void> {
  const told = items.map(({ name, before, after, refusal }) =>
    refusal === null ? words`${name}: ${before} to ${after}` : words`${name}: refused: ${refusal}`,
  )
  const isPossible = items.some(({ refusal }) => refusal === null)
  const rest = isPossible
    ? [...lines, ...dangers.map(one => words`warning: ${one}`), words`the same as: ${command}`]
    : []
  await say(join([...told, ...rest], '\n'))
}

async function confirmed(given: PlainGiven, action: Action, foreseen: Foreseen): Promise<Over | null> {
  const { world, ask, isReadOnly } = given
  const { code } = foreseen
  const staging = action.canStage ? ', s to put it into a plan' : ''
  const yes = isReadOnly ? 'this is for reading only' : code === null ? 'y to do it' : `type ${code} to do it`
  const answer = (await ask(`${yes}${staging}, anything else to leave it: `))?.trim() ?? ''
  if (answer === 's' && action.canStage) return stage(world, foreseen)
  if (isReadOnly) return null
  const isYes = code === null ? /^y(es)?$/i.test(answer) : isDecisionCode(answer, code)
  if (!isYes) return null
  // The answer itself is said at the end, once: one operation is asked about at a time.
  return carryOut(world, action.id, foreseen, () => undefined)
}
