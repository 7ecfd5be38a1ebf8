import type { HttpProbe } from '../../../src/core/probe.js'
import { askProbe } from '../../../src/probes/index.js'
import { aWorld, someFacts } from './asking.js'

export const LIST: Omit<HttpProbe, 'url'> = {
  kind: 'http',
  grade: 'C',
  match: {
    operation_id: { path: 'body', marker: 'op:{operation_id}' },
    attributes: { title: '{input.title}' },
  },
  id: { kind: 'ticket', value: 'id', url: 'link' },
}

export const POINT: Omit<HttpProbe, 'url'> = {
  kind: 'http',
  grade: 'B',
  match: { key: { path: 'key' } },
  id: { kind: 'ticket', value: 'id' },
}

export async function ask(probe: HttpProbe, over: Parameters<typeof aWorld>[0] = {}) {
  return askProbe(probe, { facts: someFacts(), world: aWorld(over), settleMs: undefined })
}

export const ours = { id: 7, title: 'Disk full', body: 'hello <!-- op:op-1 -->', link: 'https://t.example/7' }
