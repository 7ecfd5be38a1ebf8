import { asJson } from '../../core/documents/parts.js'
import { SHOW_FIELDS } from '../../core/documents/show.js'
import { showPage } from '../../report/page/show-page.js'
import { pageText } from '../../report/text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { fromOptions, withReading } from '../from.js'
import { printDocument } from '../output/document.js'
import { pageStyle } from '../page-style.js'
import { argument } from '../parameters.js'

export const show = command({
  name: 'show',
  chapter: 'Look',
  summary: 'one operation: what is known, where to look, and what you can do',
  details: [
    'Every decision is listed: allowed, with the line to type, or why not and what would satisfy the rule that refuses it.',
  ],
  args: { op: argument('the operation', { completes: 'operation' }) },
  options: { ...fromOptions },
  examples: [
    { line: 'agent-ledger show incident-88/escalate', does: 'everything about one operation' },
    {
      line: 'agent-ledger show incident-88/escalate --json --fields status,version,actions',
      does: 'what a script needs',
    },
  ],
  documents: ['show@1'],
  fields: SHOW_FIELDS,
})

export async function run({ op, ...given }: Given<typeof show>, deps: Deps): Promise<number> {
  return withReading(given, deps, async ledger => {
    const { document, note } = await ledger.show(op)
    if (note !== null) await deps.say(deps.show(note))
    const body = asJson(document)
    const text = () => pageText(showPage(document), pageStyle(deps))
    await printDocument({ schema: 'show@1', ledger: ledger.location, body, fields: SHOW_FIELDS, text }, deps)
    return 0
  })
}
