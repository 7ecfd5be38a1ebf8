import { CONTRACTS_FIELDS, type ContractItem, type ServiceItem } from '../../core/documents/contracts.js'
import { asJson } from '../../core/documents/parts.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { choice, flag, value } from '../parameters.js'

const CONDITIONS = ['unanswered'] as const

export const contracts = command({
  name: 'contracts',
  chapter: 'Look',
  summary:
    'every tool: its effect, what a repeat does, its probe, and what happens when its response is lost',
  details: [
    'Tools of the ledger and of the configuration. Those come first of which only a person can find out what became of a lost response.',
  ],
  args: {},
  options: {
    failOn: value('condition', 'exit 12 where a tool has no answer', choice(CONDITIONS), {
      choices: CONDITIONS,
    }),
    services: flag('the ready contracts of services instead, with their parameters'),
  },
  examples: [
    { line: 'agent-ledger contracts', does: 'what is declared, and what is missing' },
    {
      line: 'agent-ledger contracts --fail-on unanswered',
      does: 'in a pipeline, before a new tool goes out',
    },
    { line: 'agent-ledger contracts --services', does: 'what `service:` of a tool can name' },
  ],
  documents: ['contracts@1'],
  fields: CONTRACTS_FIELDS,
})

/** Something was found that was asked for, and it is neither in doubt nor stalled. */
const FOUND = 12

export async function run({ failOn, services }: Given<typeof contracts>, deps: Deps): Promise<number> {
  return deps.withLedgerForReading(async ledger => {
    const document = await ledger.contracts()
    await printDocument(
      {
        schema: 'contracts@1',
        ledger: ledger.location,
        body: asJson(document),
        fields: CONTRACTS_FIELDS,
        text: () =>
          services
            ? join(
                document.services.map(service => serviceText(service, deps)),
                '\n',
              )
            : document.tools.length === 0
              ? words`no tool is declared, and none is in the ledger`
              : join(
                  document.tools.map(tool => textOf(tool, deps)),
                  '\n',
                ),
      },
      deps,
    )
    return failOn !== undefined && document.unanswered > 0 ? FOUND : 0
  })
}

function serviceText(item: ServiceItem, { show }: Deps): Safe {
  const { service, title, effect, repeat, marker, grade, settle, arrival, keeps, parameters } = item
  const given = Object.entries(parameters).map(
    ([name, { means, default: usual }]) =>
      words`    ${show(name)}${usual === null ? words` (has to be given)` : words``}: ${show(means)}${usual === null || usual === '' ? words`` : words` [${show(usual)}]`}`,
  )
  return join(
    [
      words`${show(service)}: ${show(title)}`,
      words`  effect ${show(effect)}; a repeat: ${show(repeat)}; grade ${show(grade)}; lags ${show(settle)}, arrives within ${show(arrival)}${keeps === null ? words`` : words`, keeps ${show(keeps)}`}`,
      words`  the write carries: ${show(marker)}`,
      ...given,
    ],
    '\n',
  )
}

function textOf(item: ContractItem, { show, paint }: Deps): Safe {
  const { tool, service, effect, repeat, probe, seen, in_doubt, declared, answered, when_lost } = item
  const name = answered ? words`${show(tool)}` : paint.alarm(words`${show(tool)}: no answer`)
  const undeclared = declared ? words`` : words` (not in the configuration)`
  const by = service === null ? words`` : words` (${show(service)})`
  const doubt = in_doubt === 0 ? words`` : words`, ${in_doubt} in doubt`
  return join(
    [
      words`${name}${by}${undeclared}`,
      words`  effect ${show(effect ?? 'not declared: counts as irreversible')}; a repeat: ${show(repeat ?? 'not declared')}; probe: ${show(probe.length === 0 ? 'none' : probe.join(', '))}${seen ? doubt : words`; none in the ledger yet`}`,
      words`  when its response is lost: ${show(when_lost)}`,
    ],
    '\n',
  )
}
