import { toJSONSchema } from 'zod'
import { didYouMean } from '../../core/did-you-mean.js'
import { DOCUMENTS } from '../../core/documents/index.js'
import { LedgerError } from '../../core/errors.js'
import { join, safe } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printableJson } from '../output/json.js'
import { optionalArgument } from '../parameters.js'

export const schema = command({
  name: 'schema',
  chapter: 'About',
  summary: 'print the JSON Schema of a document, or list the documents',
  args: { document: optionalArgument('the name of a document, with or without its number') },
  options: {},
  examples: [
    { line: 'agent-ledger schema', does: 'the documents there are' },
    { line: 'agent-ledger schema error@1', does: 'the JSON Schema of one' },
    {
      line: 'agent-ledger schema config > agent-ledger.schema.json',
      does: 'the JSON Schema of agent-ledger.yaml, for editors',
    },
    {
      line: 'agent-ledger schema decisions',
      does: 'the JSON Schema of the file that resolve --file carries out',
    },
  ],
})

export async function run({ document }: Given<typeof schema>, deps: Deps): Promise<number> {
  const names = [...Object.keys(DOCUMENTS), ...Object.keys(FILES)]
  if (document === undefined) {
    await deps.print(
      join(
        names.map(name => safe(name)),
        '\n',
      ),
    )
    return 0
  }
  const file = FILES[document] ?? FILES[document.replace(/@1$/, '')]
  if (file !== undefined) return printSchema(await file(), deps)
  const name = names.findLast(one => one === document || one.split('@')[0] === document)
  const found = name === undefined ? undefined : DOCUMENTS[name]
  if (found === undefined) {
    throw new LedgerError(
      'usage',
      `there is no document ${JSON.stringify(document)}${didYouMean(document, names)}`,
      {
        hint: `The documents are ${names.join(', ')}.`,
      },
    )
  }
  return printSchema({ $id: `agent-ledger/${name}`, ...toJSONSchema(found) }, deps)
}

/** Not documents that are printed but files that are read; editors check and complete them by their schemas. */
const FILES: Readonly<Record<string, () => Promise<object>>> = {
  config: async () => (await import('../../config/json-schema.js')).configJsonSchema(),
  decisions: async () => {
    const { decisionFile } = await import('../../core/documents/decision-file-schema.js')
    return toJSONSchema(decisionFile, { io: 'input' })
  },
  export: async () => {
    const { exportLine } = await import('../../core/exporting/lines-schema.js')
    return toJSONSchema(exportLine, { io: 'input' })
  },
  plan: async () => {
    const { planDocument } = await import('../../core/documents/plan-schema.js')
    return { $id: 'agent-ledger/plan@1', ...toJSONSchema(planDocument) }
  },
  'record-input': async () => {
    const { RECORD_INPUT } = await import('../../core/documents/record-input-schema.js')
    const oneOf = Object.entries(RECORD_INPUT).map(([verb, input]) => {
      const { $schema: _, ...schema } = toJSONSchema(input, { io: 'input' })
      return { title: `record ${verb}`, ...schema }
    })
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'record', oneOf }
  },
}

async function printSchema(jsonSchema: object, deps: Deps): Promise<number> {
  await deps.io.stdout.write(`${printableJson(JSON.stringify(jsonSchema, null, 2))}\n`)
  return 0
}
