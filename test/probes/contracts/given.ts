import { SERVICE_CONTRACTS } from '../../../src/probes/contracts/index.js'

/** Something for every parameter that has to be given. */
export function given(service: string, over: Record<string, string> = {}): Record<string, string> {
  const { parameters = {} } = SERVICE_CONTRACTS[service] ?? {}
  const wanted = Object.entries(parameters).flatMap(([name, { default: usual }]) =>
    usual === undefined
      ? [
          [
            name,
            name === 'region' ? 'eu-central-1' : name === 'object' ? 'charges' : 'https://service.example',
          ],
        ]
      : [],
  )
  return { ...Object.fromEntries(wanted), ...over }
}
