import { words } from '../../core/safe-text.js'
import type { Topic } from './topic.js'

export const formattingTopic: Topic = {
  name: 'formatting',
  text: () => words`On a terminal lists are tables. Cells that were cut end in …, columns left out are named below.
Through a pipe they are tab-separated lines, one heading line first, nothing cut, no colour.

  --json         one document: "schema" names it (agent-ledger schema prints its JSON Schema), "ledger" and "as_of" say
                 of which ledger and when. Lists are [], never null; ids are strings; times ISO-8601 UTC with
                 milliseconds. Errors are one JSON object on stderr.
  --jsonl        one JSON object a line, streamed in constant memory.
  --fields a,b   only these fields, in this order, in every form. An unknown one lists those there are.
  --tz <zone>    zone of exact times shown to people; documents stay UTC.
  --quiet        no talk on stderr. Results go to stdout, talk, progress and errors to stderr.

Changing or removing a field is a breaking change and gives the document a new number; adding one is not.

Colour is decided by the first of: --no-color, NO_COLOR (not empty), FORCE_COLOR or CLICOLOR_FORCE, CLICOLOR=0,
TERM=dumb, and whether stdout is a terminal. No meaning rests on it.

Text from agents, tools, services and files is never printed raw: control characters show as pictures (␛, ␊), hidden
ones by their number (<U+202E>), and secrets as [masked <kind>]. JSON carries the same text escaped.`,
}
