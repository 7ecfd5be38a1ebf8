import { afterEach } from 'vitest'
import { type FakeService, type ServiceOptions, startService } from '../../src/testing/index.js'

const running: FakeService[] = []

/** Call once in a file: ends what its tests have started. */
export function endServices(): void {
  afterEach(async () => {
    await Promise.all(running.splice(0).map(service => service.close()))
  })
}

export async function serviceWith(options: ServiceOptions = {}): Promise<FakeService> {
  const service = await startService(options)
  running.push(service)
  return service
}

export interface Sending {
  readonly title?: string
  readonly key?: string
  readonly signal?: AbortSignal
}

export function openTicket(service: FakeService, { title = 'Disk full', key, signal }: Sending = {}) {
  return fetch(`${service.url}/tickets`, {
    method: 'POST',
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: JSON.stringify({ title }),
    signal: signal ?? null,
  })
}

export function putTicket(service: FakeService, name: string, ifNoneMatch = '*') {
  return fetch(`${service.url}/tickets/${name}`, {
    method: 'PUT',
    headers: ifNoneMatch === '' ? {} : { 'if-none-match': ifNoneMatch },
    body: JSON.stringify({ title: name }),
  })
}

// The fake answers JSON of its own making; a test reads the fields it expects and fails where they are missing.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
export async function read(service: FakeService, path: string): Promise<any> {
  const response = await fetch(`${service.url}${path}`)
  return response.json()
}
