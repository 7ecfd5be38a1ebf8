import type { ToolConfig } from '../../config/config.js'
import type { ContractItem, ContractsDocument } from '../../core/documents/contracts.js'
import { fieldOf } from '../../core/field.js'
import type { JsonObject } from '../../core/json.js'
import type { Effect, OperationOutline, Repeat } from '../../core/operation.js'
import { DEFAULT_ARRIVAL_BOUND_MS } from '../../core/repeat.js'
import type { ToolSeen } from '../../store/store.js'
import { repeatWords } from './repeat-words.js'
import type { LookingSession } from './session.js'

/** `contracts@1`: every tool of the ledger and of the configuration; what is declared now goes before what was. */
export async function contracts({ store, config }: LookingSession): Promise<ContractsDocument> {
  // What is asked of services is loaded where it is shown.
  const { serviceItems } = await import('./services.js')
  const seen = new Map((await store.tools()).map(one => [one.newest.tool, one]))
  const names = [...new Set([...Object.keys(config.tools), ...seen.keys()])]
  const tools = names
    .map(tool =>
      itemOf(tool, Object.hasOwn(config.tools, tool) ? config.tools[tool] : undefined, seen.get(tool)),
    )
    .sort(byNeed)
  return { tools, unanswered: tools.filter(({ answered }) => !answered).length, services: serviceItems() }
}

function byNeed(a: ContractItem, b: ContractItem): number {
  if (a.answered !== b.answered) return a.answered ? 1 : -1
  if (a.in_doubt !== b.in_doubt) return b.in_doubt - a.in_doubt
  return a.tool < b.tool ? -1 : 1
}

interface Declared {
  readonly effect: Effect | null
  readonly repeat: Repeat | null
  readonly contract: OperationOutline['contract']
}

function itemOf(tool: string, config: ToolConfig | undefined, seen: ToolSeen | undefined): ContractItem {
  const declared = declaredBy(config, seen)
  const { effect, repeat, contract } = declared
  const probe = contract.probe === undefined ? [] : kindsOf(contract.probe)
  const isRepeatable = repeat !== null && isAnswer(repeat, contract)
  return {
    tool,
    service: config?.service ?? null,
    declared: config !== undefined,
    seen: seen !== undefined,
    in_doubt: seen?.in_doubt ?? 0,
    effect,
    repeat: repeat === null ? null : repeatWords(repeat),
    probe,
    answered: effect === 'read' || probe.length > 0 || isRepeatable,
    when_lost: whenLost(declared, { probe, isRepeatable }),
  }
}

function declaredBy(config: ToolConfig | undefined, seen: ToolSeen | undefined): Declared {
  const was = seen?.newest
  return {
    effect: config?.effect ?? was?.effect ?? null,
    repeat: config?.repeat ?? was?.repeat ?? null,
    contract: config === undefined ? (was?.contract ?? {}) : config.contract,
  }
}

function kindsOf(probe: JsonObject): readonly string[] {
  const { kind, service, of } = probe
  if (kind === 'all' && Array.isArray(of))
    return of.flatMap(one => String(fieldOf(one, 'service') ?? fieldOf(one, 'kind') ?? ''))
  return [String(service ?? kind ?? 'declared')]
}

/** Does sending it again tell what became of it? */
function isAnswer(
  repeat: Repeat,
  { arrival_bound_ms = DEFAULT_ARRIVAL_BOUND_MS }: Declared['contract'],
): boolean {
  switch (repeat.kind) {
    case 'none':
      return false
    case 'idempotent':
    case 'conditional':
      return true
    case 'idempotency_key':
      return (
        repeat.retention_ms !== null &&
        arrival_bound_ms !== 'unbounded' &&
        repeat.retention_ms > arrival_bound_ms
      )
  }
}

function whenLost(
  { effect, contract }: Declared,
  { probe, isRepeatable }: { readonly probe: readonly string[]; readonly isRepeatable: boolean },
): string {
  if (effect === 'read') return 'it is read again'
  const asked = probe.length > 0 ? [`its probe asks (${probe.join(', ')})`] : []
  const again = isRepeatable ? ['the same request is safe to send again, within its contract'] : []
  const ways = [...asked, ...again]
  if (ways.length > 0) return ways.join('; ')
  return contract.look_here === undefined
    ? 'a person has to find out, and nothing says where to look'
    : 'a person looks where look_here says'
}
