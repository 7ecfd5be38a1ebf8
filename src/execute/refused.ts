import { LedgerError } from '../core/errors.js'
import type { OtherIntent } from '../core/transitions/attach.js'
import type { Refusal } from '../core/transitions/requests.js'

const MOST_PATHS = 20

/** The id is taken: both digests and where the two intents differ. */
export function differentInput(
  id: string,
  { stored_digest, given_digest, differences }: OtherIntent,
): LedgerError {
  const paths = differences.slice(0, MOST_PATHS).map(({ path, kind }) => `${path} (${kind})`)
  const more = differences.length - paths.length
  return new LedgerError('different_input', `${id} is taken by another intent: ${paths.join(', ')} differ`, {
    id,
    facts: {
      stored_digest,
      given_digest,
      differing_paths: paths,
      ...(more > 0 ? { differing_paths_left_out: more } : {}),
    },
  })
}

// The only refusal of a first `prepare`: its key is that of another operation.
export function notPrepared(id: string, refusal: Refusal | null): LedgerError {
  if (refusal === null) return notFound(id)
  const { code, reason, rule, satisfy } = refusal
  return new LedgerError(code, `${id} cannot be prepared: ${reason}`, { id, rule, hint: satisfy })
}

export function notFound(id: string): LedgerError {
  return new LedgerError('not_found', `there is no operation ${id}`, { id })
}

/** A refusal of the table as the error that a caller gets. */
export function refusedBy({ code, reason, satisfy, rule }: Refusal, id: string): LedgerError {
  return new LedgerError(code, reason, { id, hint: satisfy, rule })
}
