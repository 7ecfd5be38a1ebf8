/**
 * Words that tell how something stands. After a name and a colon they are a sentence, `secret: not found`, and nobody's
 * secret. A closed list on purpose: any other word may be a password, so a rule about its looks would let some through.
 */
const STATE_WORDS = new Set(
  `a abandoned about absent accepted added again already also an and any are as asked at available be been before
  being blank but by can cancelled cannot changed checked confirmed could created deleted denied did differs does
  done doubt edited either empty exceeded executed exists expired expires failed fails flight for found from given
  had has have hidden if ignored in in_flight incorrect invalid is it its kept leaked likely locked lost made
  malformed masked may missing mismatch must needed needs neither never new no none nor not not_executed nothing
  null of off ok old on once only optional or otherwise over pending prepared present probably read redacted refused
  rejected removed required reset revoked rotated same saved sent set settled should since skipped some still stored
  such taken than that the then there this to too undefined unknown unset until updated used valid was were when
  which while will with without would wrong yet you your`
    .split(/\s+/)
    .filter(word => word !== ''),
)

/** Does a bare value after `name:` only say how it stands? Every word of it has to be one of the list. */
export function isProse(value: string): boolean {
  return value
    .trim()
    .split(/\s+/)
    .every(word => STATE_WORDS.has(word.toLowerCase().replace(/[.,:!?]$/, '')))
}
