/** For the help of each command that takes evidence. */
export const EVIDENCE_DETAILS =
  'Evidence is what you saw: a link; ticket:<id>; file:<path>, kept by its digest; output:<path>, or output:- for stdin, kept with its beginning and its digest; anything else is your own words (text:<words> where they begin like one of these).'
