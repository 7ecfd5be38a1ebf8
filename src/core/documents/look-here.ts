import type { ExternalId, Operation, OperationOutline } from '../operation.js'
import { factsOf, fillText } from '../placeholders.js'
import type { LookHere } from './parts.js'

/**
 * Where its tool's contract says to look, its placeholders filled in from the record; null where it says nothing. An
 * outline has no input and no result: their placeholders stay, and `show` fills them in.
 */
export function lookHere(
  operation: Operation | OperationOutline,
  externalIds: readonly ExternalId[],
): LookHere | null {
  const { look_here } = operation.contract
  if (look_here === undefined) return null
  const facts = factsOf(operation, externalIds)
  const { url, check } = look_here
  return {
    url: url === undefined ? null : fillText(url, facts, inLink),
    check: check === undefined ? null : fillText(check, facts, inCommand),
  }
}

function inLink(value: string, { isPath }: { readonly isPath: boolean }): string | null {
  if (!value.isWellFormed()) return null
  return isPath ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
}

// An agent wrote the value and a person pastes the command, perhaps with quotes around the placeholder: only what means
// nothing to a shell, quoted or not, and is no option, is put in.
function inCommand(value: string): string | null {
  return /^[\w/.:,@%+][\w/.:,@%+=-]*$/.test(value) ? value : null
}
