import { formatAge } from '../../src/core/duration.js'
import { serviceItems } from '../../src/ledger/looking/services.js'
import { SERVICE_CONTRACTS } from '../../src/probes/contracts/index.js'
import { table } from './with-block.js'

/** The ready contracts in one table. */
export function serviceTable(): string {
  return table(
    ['service', 'the write carries', 'a repeat is', 'it remembers', 'grade', 'lag', 'arrival', 'source'],
    serviceItems().map(({ service, marker, repeat, grade, settle, arrival, keeps, sources }) => [
      `\`${service}\``,
      marker.replace(/\{[^}]*\}|<[^>]*>/g, found => `\`${found}\``),
      repeat,
      keeps === null ? keyWords(service) : `records for ${keeps}`,
      grade,
      settle,
      arrival,
      `[1](${sources[0]})`,
    ]),
  )
}

function keyWords(service: string): string {
  const repeat = SERVICE_CONTRACTS[service]?.repeat
  return repeat?.kind === 'idempotency_key' && repeat.retention_ms !== null
    ? `keys for ${formatAge(repeat.retention_ms)}`
    : ''
}

/** Each contract with its parameters, what its answers mean, and where that stands. */
export function serviceDetails(): string {
  return Object.entries(SERVICE_CONTRACTS)
    .map(([service, { title, version, parameters, answers, sources }]) =>
      [
        `### ${service}`,
        '',
        `${title[0]?.toUpperCase()}${title.slice(1)}. Version ${version}.`,
        '',
        table(
          ['`with:`', 'means', 'default'],
          Object.entries(parameters).map(([name, { means, default: usual }]) => [
            `\`${name}\``,
            means,
            usual === undefined ? 'has to be given' : usual === '' ? '' : `\`${usual}\``,
          ]),
        ),
        '',
        ...answers.map(answer => `- ${answer}`),
        '',
        `Sources: ${sources.map(({ url, read }) => `<${url}> (${read === null ? 'not read again' : `read ${read}`})`).join(', ')}`,
      ].join('\n'),
    )
    .join('\n\n')
}
