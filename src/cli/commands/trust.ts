import type { Entrusted } from '../../config/entrusted.js'
import { giveTrust, takeTrust, trustable, trustFile, trustIn } from '../../config/trust.js'
import { TRUST_FIELDS } from '../../core/documents/trust.js'
import { LedgerError } from '../../core/errors.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { confirm } from '../confirm.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { flag } from '../parameters.js'

export const trust = command({
  name: 'trust',
  chapter: 'Keep',
  summary: 'let the probes of a configuration run programs and be given variables of the environment',
  details: [
    'A configuration comes with a project, and may be anybody’s. What its probes run, and which variables they hand out, is shown before you are asked.',
    'Trust is bound to the digest of the file and of every file that it runs, and kept for you alone, outside the project. Editing any of them takes it away. For one run only, --trust-config does the same.',
  ],
  args: {},
  options: {
    status: flag('only say whether it is trusted: exit 0, or 12 where it is not'),
    revoke: flag('take it back'),
  },
  examples: [
    { line: 'agent-ledger trust', does: 'the configuration in use' },
    { line: 'agent-ledger trust --config ops/agent-ledger.yaml --yes', does: 'another one, in a script' },
    { line: 'agent-ledger trust --revoke', does: 'take it back' },
  ],
  documents: ['trust@1'],
  fields: TRUST_FIELDS,
})

const NOT_TRUSTED = 12

export async function run({ status, revoke }: Given<typeof trust>, deps: Deps): Promise<number> {
  const { io, global, clock } = deps
  const { loadConfig } = await import('../../config/load.js')
  const { entrusted } = await import('../../config/entrusted.js')
  const config = loadConfig({ config: global.config, cwd: io.cwd })
  const wanted = trustable(config)
  const file = trustFile(io.env)
  const acts = entrusted(config)
  const told = async (trusted: boolean, text: Safe) => {
    const body = { ...wanted, ...acts, trusted }
    await printDocument(
      { schema: 'trust@1', ledger: null, body, fields: TRUST_FIELDS, text: () => text },
      deps,
    )
  }
  const path = deps.show(wanted.path)
  if (status) {
    const now = trustIn(config, file)
    await told(now.trusted, now.trusted ? words`${path} is trusted` : words`${deps.show(now.why)}`)
    return now.trusted ? 0 : NOT_TRUSTED
  }
  if (file === null)
    throw new LedgerError('usage', 'there is no place of your own to keep trust in', {
      hint: 'Set HOME or XDG_STATE_HOME, or give --trust-config for one run.',
    })
  if (revoke) {
    const was = takeTrust(wanted.path, file)
    await told(false, was ? words`${path} is not trusted any more` : words`${path} was not trusted`)
    return 0
  }
  await deps.say(actsText(acts, deps))
  await confirm({ decision: words`Trust ${path}` }, deps)
  giveTrust(wanted, { file, at: clock() })
  await told(true, words`${path} is trusted until it, or a file that it runs, is changed`)
  return 0
}

function actsText({ runs, hands_out }: Entrusted, { show }: Deps): Safe {
  if (runs.length + hands_out.length === 0)
    return words`its probes run no program and are given no variable: they work without trust`
  return join(
    [
      ...(runs.length === 0 ? [] : [words`it runs:`, ...runs.map(one => words`  ${show(one)}`)]),
      ...(hands_out.length === 0
        ? []
        : [words`it is given:`, ...hands_out.map(one => words`  ${show(one)}`)]),
    ],
    '\n',
  )
}
