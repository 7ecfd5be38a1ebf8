import type { Message, ToolCall } from '../messages.js'
import type { Spoken } from './conversation.js'

/** A call that a model asked for, and what came back for it. */
export interface AskedCall {
  readonly call: ToolCall
  /** 1 for the first call with this id; some models count anew in each turn */
  readonly occurrence: number
  readonly asked: Spoken
  /** the oldest first; several where the call was run on several branches, or again after an approval */
  readonly answers: readonly Answer[]
}

export interface Answer {
  readonly message: Extract<Message, { kind: 'tool' }>
  readonly spoken: Spoken
}

interface Collected {
  readonly call: ToolCall
  readonly occurrence: number
  readonly asked: Spoken
  readonly answers: Answer[]
}

/** Each call with its answers. An answer belongs to the call with its id that was asked for last before it. */
export function callsIn(conversation: readonly Spoken[]): {
  readonly calls: readonly AskedCall[]
  /** answers to calls that stand nowhere */
  readonly strayAnswers: readonly Answer[]
} {
  const calls: Collected[] = []
  const byId = new Map<string, Collected[]>()
  const known = new Set<string>()
  const strayAnswers: Answer[] = []
  for (const spoken of conversation) {
    const { message } = spoken
    if (message.kind === 'tool') {
      const answer = { message, spoken }
      const own = byId.get(message.callId)?.at(-1)
      if (own === undefined) strayAnswers.push(answer)
      else if (!isSame(own.answers, answer)) own.answers.push(answer)
      continue
    }
    // The same message written once more is the same request.
    if (message.id !== null && message.calls.length > 0) {
      if (known.has(message.id)) continue
      known.add(message.id)
    }
    for (const call of message.calls) {
      const earlier = byId.get(call.id) ?? []
      const found: Collected = { call, occurrence: earlier.length + 1, asked: spoken, answers: [] }
      calls.push(found)
      byId.set(call.id, [...earlier, found])
    }
  }
  return { calls, strayAnswers }
}

/** One answer may be stored twice: by its task and by the graph around it. */
function isSame(answers: readonly Answer[], { message, spoken }: Answer): boolean {
  return answers.some(
    other =>
      (message.id !== null && other.message.id === message.id) ||
      (spoken.namespace !== other.spoken.namespace &&
        JSON.stringify(other.message.content) === JSON.stringify(message.content)),
  )
}
