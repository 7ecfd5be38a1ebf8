import { asJson } from '../../core/documents/parts.js'
import { REPORT_FIELDS, type ReportDocument } from '../../core/documents/report.js'
import { words } from '../../core/safe-text.js'
import { RENDERERS, REPORT_FORMATS } from '../../report/index.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { fromOptions, withReading } from '../from.js'
import { printDocument } from '../output/document.js'
import { writeFile } from '../output/write-file.js'
import { pageStyle } from '../page-style.js'
import { choice, flag, optionalArgument, someText, value } from '../parameters.js'

export const report = command({
  name: 'report',
  chapter: 'Take over',
  summary: 'the takeover report of a task; without a name, of the task that needs a person most',
  details: [
    'What certainly happened, what certainly did not, what may have happened, how to find out, and what is safe to do next.',
  ],
  args: { task: optionalArgument('the task', { completes: 'task' }) },
  options: {
    ...fromOptions,
    format: value('format', 'how it is written', choice(REPORT_FORMATS), {
      choices: REPORT_FORMATS,
      fallback: 'text',
    }),
    follow: flag('of phases: look at what lies outside the workspace too'),
    output: value('file', 'write it to a file that only you can read; --yes to replace one', someText),
  },
  examples: [
    { line: 'agent-ledger report', does: 'the task that needs a person most' },
    {
      line: 'agent-ledger report release-2.8.0 --format markdown --output handover.md',
      does: 'a file to hand on',
    },
    {
      line: 'agent-ledger report release-2.8.0 --format html --output handover.html',
      does: 'one page for a browser, with pictures of time and checkpoint',
    },
    {
      line: 'agent-ledger report release-2.8.0 --json --fields unknown,next_steps',
      does: 'what a script needs',
    },
  ],
  documents: ['report@1'],
  fields: REPORT_FIELDS,
})

export async function run(
  { task, format, output, follow, ...given }: Given<typeof report>,
  deps: Deps,
): Promise<number> {
  const { json, jsonl, fields } = deps.global
  const wanted = format ?? (json ? 'json' : 'text')
  return withReading(given, deps, async ledger => {
    const { document, note } = await ledger.report(task, { follow: follow ?? false })
    if (note !== null) await deps.say(deps.show(note))
    const told = { report: document, ledger: ledger.location, now: deps.now }
    const style = { ...pageStyle(deps), mask: deps.redactor.value }
    const text = async () => {
      if (wanted !== 'html') return RENDERERS[wanted](told, style)
      const { reportHtml } = await import('../../report/html/report.js')
      return reportHtml({ ...told, timeline: await ledger.timeline(document.task.task_id) }, style)
    }
    if (output !== undefined) {
      await writeFile(output, await text(), deps)
      await deps.say(words`written to ${deps.show(output)}`)
    } else if (jsonl || fields !== undefined || wanted === 'json') {
      await printReport(document, { ledger: ledger.location, isIndented: wanted === 'json' }, deps)
    } else {
      await deps.io.stdout.write(await text())
    }
    return 0
  })
}

async function printReport(
  document: ReportDocument,
  { ledger, isIndented }: { readonly ledger: string; readonly isIndented: boolean },
  deps: Deps,
): Promise<void> {
  const body = asJson(document)
  const global = { ...deps.global, json: isIndented }
  await printDocument(
    { schema: 'report@1', ledger, body, fields: REPORT_FIELDS, text: () => words`` },
    { ...deps, global },
  )
}
