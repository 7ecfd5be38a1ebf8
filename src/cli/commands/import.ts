import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { didYouMean } from '../../core/did-you-mean.js'
import { IMPORT_FIELDS, type ImportedInput } from '../../core/documents/import.js'
import { asJson } from '../../core/documents/parts.js'
import { LedgerError } from '../../core/errors.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { refuseStdin } from '../from.js'
import { printDocument } from '../output/document.js'
import { withProgress } from '../output/progress.js'
import { warningLines } from '../output/records-read.js'
import { flag, remaining, someText, value } from '../parameters.js'

export const importCommand = command({
  name: 'import',
  chapter: 'Take over',
  summary: 'take what another system wrote down into the ledger: checkpoints, histories, ledgers, JSON lines',
  details: [
    'The first argument names the system, or is a path: then the content decides, and it is said which system it is and why. docs/importing.md lists them.',
    'The other system’s file is opened to be read and left as it was. Each input is stored whole or not at all; the same input again changes nothing, and a newer state of it moves on what nobody here has decided about.',
    'What is in flight there is never called dead by its age: whoever knows that the workers are stopped says so with --assume-workers-stopped.',
  ],
  args: { from: remaining('the system, and files or folders', { required: true }) },
  options: {
    thread: value('thread', 'only this thread: the rest of a large store is not read', someText),
    dryRun: flag('say what would be done, and do nothing'),
    assumeWorkersStopped: flag('you know that its workers are stopped: what is in flight there is unknown'),
  },
  examples: [
    { line: 'agent-ledger import history.json', does: 'find out what it is, and take it in' },
    { line: 'agent-ledger import temporal history.json --dry-run', does: 'see what would be taken in' },
    { line: 'agent-ledger import state.db --thread ticket-7', does: 'one thread of a large LangGraph store' },
    {
      line: 'agent-ledger import effect-ledger effects.db --assume-workers-stopped',
      does: 'after its workers were stopped: what they had under way is in doubt',
    },
    { line: 'agent-ledger import jsonl export.jsonl', does: 'read back what `agent-ledger export` wrote' },
  ],
  documents: ['import@1'],
  fields: IMPORT_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof importCommand>, deps: Deps): Promise<number> {
  const { importInputs, sourceNames } = await import('../../ledger/import-inputs.js')
  const { source, paths } = readArguments(given.from, await sourceNames(), deps)
  return deps.withLedger(async ledger => {
    const inputs = await withProgress('records', deps, progress =>
      importInputs(ledger, {
        paths,
        ...(given.thread === undefined ? {} : { threadId: given.thread }),
        dryRun: given.dryRun,
        assumeWorkersStopped: given.assumeWorkersStopped,
        ...(source === undefined ? {} : { source }),
        cwd: deps.io.cwd,
        signal: deps.signal,
        onProgress: ({ records }) => progress.at(records),
      }),
    )
    for (const { warnings, path } of inputs)
      for (const line of warningLines(warnings, path, deps.show)) await deps.say(line)
    const body = { dry_run: given.dryRun, inputs }
    await printDocument(
      {
        schema: 'import@1',
        ledger: ledger.location,
        body: asJson(body),
        fields: IMPORT_FIELDS,
        text: () =>
          join(
            inputs.map(input => inputLines(input, deps)),
            '\n',
          ),
      },
      deps,
    )
    return inputs.some(({ outcome, operations }) => outcome === 'not_done' || operations.refused > 0) ? 6 : 0
  })
}

/** The first word is a system where it is the name of one; `./temporal` is a file of that name. */
function readArguments(from: readonly string[], names: readonly string[], { show, io }: Deps) {
  const [first, ...rest] = from
  if (first === undefined)
    throw new LedgerError('usage', 'nothing to import was named', {
      hint: 'Give a file or folder: agent-ledger import <path>',
    })
  for (const path of from) refuseStdin(path, 'import')
  if (!names.includes(first)) {
    const near = didYouMean(first, names)
    // a slip in the name of the system would be one input among several that is not there, and the others taken in
    if (near !== '' && rest.length > 0 && !existsSync(resolve(io.cwd, first)))
      throw new LedgerError('usage', `there is no source ${show(first)}${near}, and no file of that name`, {
        hint: `Sources: ${[...new Set(names)].join(', ')}. Nothing was taken in.`,
      })
    return { source: undefined, paths: from }
  }
  if (rest.length === 0)
    throw new LedgerError('usage', `import ${show(first)} names no file or folder`, {
      hint: `Give one: agent-ledger import ${first} <path>. A file of that name is ./${first}.`,
    })
  return { source: first, paths: rest }
}

function inputLines(input: ImportedInput, { show }: Deps): Safe {
  const { path, source, why, outcome, error } = input
  if (source === null || error !== null)
    return words`${show(path)}: nothing was taken in: ${show(error?.message ?? '')}`
  const head = words`${show(path)} ${show(why ?? '')} (${show(source)})`
  const { refused } = input.operations
  const others =
    refused === 0 ? [] : [words`  ${refused} not taken in: another operation stands under the id here`]
  if (outcome === 'nothing_new')
    return join([words`${head}: nothing new, nothing was changed`, ...others], '\n')
  const verb = outcome === 'would_be_done' ? words`would be taken in` : words`taken in`
  const kinds = [
    kindWords(words`operations`, input.operations),
    kindWords(words`tasks`, input.tasks),
    kindWords(words`phases`, input.phases),
    kindWords(words`notes`, input.notes),
    kindWords(words`actions`, input.actions),
  ].filter(line => line !== null)
  return join([words`${head}: ${verb}`, ...kinds, ...others], '\n')
}

function kindWords(name: Safe, { added, changed, unchanged }: ImportedInput['tasks']): Safe | null {
  if (added + changed + unchanged === 0) return null
  return words`  ${name}: ${added} new, ${changed} with news, ${unchanged} as before`
}
