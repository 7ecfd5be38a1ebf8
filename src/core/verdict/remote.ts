import { distinct, ownHits, resultOf } from './found.js'
import { type Finding, inconclusive, type Sight, type VerdictRule } from './rule.js'

/** A service that works is asked again after this. */
const WORKING_LOOK_MS = 60_000

export const remoteTask: VerdictRule = {
  id: 'remote_task',
  title: 'the task that the service made of it says how it stands',
  reason:
    'Accepted work is asked by its id before anything is sent again. Working is neither done nor failed; failed and cancelled mean what its contract says; not found says nothing, for such records expire while the work goes on.',
  judge: sight => {
    const seen = sight.answers.find(({ remote }) => remote !== null)
    const remote = seen?.remote
    if (seen === undefined || remote === undefined || remote === null) return null
    switch (remote.state) {
      case 'working':
        return inconclusive(`still running remotely (${remote.says}): look again`, {
          waits_for: 'service',
          next_look_at: sight.now.at + WORKING_LOOK_MS,
        })
      case 'input_needed':
        return inconclusive(`the service waits for an answer: ${remote.says}`)
      case 'completed':
        return completed(sight, remote.says)
      case 'failed':
      case 'cancelled':
        return remote.left_nothing === true
          ? leftNothing(sight, remote.says)
          : inconclusive(`its task says ${remote.says}; whether that left something behind, nobody declared`)
      case 'not_found':
        if (ownHits(sight).some(hit => hit.seen !== seen)) return null
        return inconclusive('its record is gone or expired: the work may still be running, or be done')
    }
  },
}

function completed(sight: Sight, says: string): Finding {
  const result = resultOf(sight.answers)
  const ids = distinct(ownHits(sight).map(({ match }) => match.external_id))
  return {
    verdict: 'confirmed',
    reason: `its task says ${says}`,
    external_ids: ids,
    duplicates: ids.length > 1,
    ...(result === undefined ? {} : { result }),
  }
}

/** A task stands for one attempt: where several are in doubt, the others may have made tasks of their own. */
function leftNothing({ doubted }: Sight, says: string): Finding {
  const [only, ...others] = doubted
  if (only === undefined || others.length > 0)
    return inconclusive(
      `its task says ${says} and left nothing; ${doubted.length} attempts are in doubt, and which one it was nobody knows`,
    )
  if (only.end === 'applied')
    return inconclusive(
      `its task says ${says} and left nothing, and a receipt of attempt ${only.n} is on file`,
    )
  return {
    verdict: 'not_applied',
    attempts: [only.n],
    reason: `its task says ${says}, which leaves nothing behind`,
  }
}
