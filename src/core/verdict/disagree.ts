import type { Grade } from '../observation.js'
import { idText, ownHits } from './found.js'
import { inconclusive, isAnswered, type Sight, type VerdictRule } from './rule.js'
import { isLateEnough } from './silence.js'
import { isSilent } from './silent.js'
import { saidOfAll } from './statement.js'

const RANK: Readonly<Record<Grade, number>> = { A: 0, B: 1, C: 2, D: 3 }

export const disagreement: VerdictRule = {
  id: 'disagreement',
  title: 'observations disagree',
  reason:
    'Status against artifact, index against record, refusal against object: one of them is wrong or behind, and guessing which would be guessing the outcome.',
  judge: sight => {
    const facts = [...inOneAnswer(sight), ...betweenAnswers(sight)]
    if (facts.length === 0) return null
    return inconclusive(`the evidence disagrees: ${facts.join('; ')}`, { facts })
  },
}

function inOneAnswer({ answers }: Sight): string[] {
  return answers.flatMap(({ disagreements, remote }) => [
    ...disagreements,
    ...(remote !== null && remote.artifact !== undefined && remote.state !== 'completed'
      ? [`its status says ${remote.says}, and its result exists: ${remote.artifact}`]
      : []),
  ])
}

function betweenAnswers(sight: Sight): string[] {
  const { answers } = sight
  const [own] = ownHits(sight)
  const tasks = answers.flatMap(seen => (seen.remote === null ? [] : [{ seen, ...seen.remote }]))
  const done = tasks.find(({ state }) => state === 'completed')
  // Its record expires while the work goes on: not found says nothing.
  const notDone = tasks.find(({ state }) => state !== 'completed' && state !== 'not_found')
  const empty = answers.find(seen => isSilent(seen, sight) && seen.grade !== 'D')
  const facts: string[] = []
  if (own !== undefined) {
    const id = idText(own.match.external_id)
    // A list that had all the time it may take and a record that shows it cannot both be right, whichever is the better.
    const record = answers.find(
      seen =>
        isSilent(seen, sight) && (RANK[seen.grade] <= RANK[own.seen.grade] || isLateEnough(sight, seen)),
    )
    if (record !== undefined)
      facts.push(
        `${id} stands in ${what(own.seen.grade)}`,
        `${what(record.grade)} says that there is nothing`,
      )
    if (saidOfAll(sight)) facts.push(`${id} exists`, 'the service says that every attempt came to nothing')
    if (notDone !== undefined && notDone.seen !== own.seen)
      facts.push(`${id} exists`, `its task says ${notDone.says}`)
  }
  if (done !== undefined && empty !== undefined)
    facts.push(`its task says ${done.says}`, `${what(empty.grade)} says that there is nothing`)
  if (done !== undefined && notDone !== undefined)
    facts.push(`its task says ${done.says}`, `its task says ${notDone.says}`)
  if (done !== undefined && own === undefined && saidOfAll(sight))
    facts.push(`its task says ${done.says}`, 'the service says that every attempt came to nothing')
  return facts
}

function what(grade: Grade): string {
  return {
    A: "the service's record of the key",
    B: 'the object read by its name',
    C: 'the list',
    D: 'the search',
  }[grade]
}

/** Seen before, by this operation's key, id or content, and not there now. */
export const recordGone: VerdictRule = {
  id: 'record_gone',
  title: 'an object of it is on file, and the service does not show it now',
  reason:
    'What was once seen did happen, or may have: that its record is gone now says that the record is gone, not that it never ran.',
  judge: sight => {
    const { knownIds, earlier, boundTo, attempts } = sight
    const [id] = [
      ...knownIds,
      ...earlier
        .filter(isAnswered)
        .flatMap(({ matches }) => matches.map(({ external_id }) => external_id))
        .filter(id => boundTo(id) === null),
    ]
    const receipt = attempts.find(({ end }) => end === 'applied')
    if (id === undefined && receipt === undefined) return null
    const what = id === undefined ? `a receipt of attempt ${receipt?.n}` : idText(id)
    return inconclusive(`${what} is on file, and what was asked does not show it: its record is gone`)
  },
}
