import { onTestFinished } from 'vitest'
import { createRedactor } from '../../../src/core/redact/redact.js'
import { signalGroup } from '../../../src/host.js'
import type { ProbeFacts, ProbeWorld } from '../../../src/probes/probe.js'
import { NOON, stampAt } from '../../core/builders.js'

export function someFacts(over: Partial<ProbeFacts> = {}): ProbeFacts {
  return {
    operation_id: 'op-1',
    target: 'tickets.example',
    idempotency_key: 'al-key-1',
    input: { title: 'Disk full', repo: 'a/b', version: '1.0.0' },
    result: null,
    external_id: {},
    tool: 'create_ticket',
    input_digest: 'sha256:00',
    first_sent: '2026-03-10T12:00:00.000Z',
    since: '2026-03-10T11:00:00Z',
    since_unix: '1773140400',
    ...over,
  }
}

export function aWorld(over: Partial<ProbeWorld> = {}): ProbeWorld {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  return {
    clock: () => stampAt(NOON),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TOKEN: 'tok_4f9a8b7c6d5e' },
    folder: '/',
    node: process.execPath,
    mask: createRedactor().text,
    signal: stop.signal,
    signalGroup,
    ...over,
  }
}
