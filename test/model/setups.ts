import { SERVICE_KINDS, type Setup } from './setup.js'

const PLAIN = {
  budget: 2,
  claims: 'truthful',
  accepts: false,
  approval: false,
} as const

const SERVICES = SERVICE_KINDS.flatMap(service => [
  { service, lagging: false },
  { service, lagging: true },
])

/** The bounded form, in seconds: two attempts at every kind of service; one with everything that people may do. */
export const BOUNDED: readonly Setup[] = [
  ...SERVICES.map((service): Setup => ({ ...PLAIN, ...service, attempts: 2, people: false })),
  { ...PLAIN, service: 'keyed', lagging: true, attempts: 1, people: true, claims: 'any', accepts: true },
  { ...PLAIN, service: 'nothing', lagging: false, attempts: 2, people: false, approval: true },
]

/** The long form, in minutes: three attempts; two with all that people do, rightly and wrongly; approvals; 202. */
export const LONG: readonly Setup[] = [
  ...SERVICES.map((service): Setup => ({ ...PLAIN, ...service, attempts: 3, people: false })),
  ...SERVICES.map((service): Setup => ({ ...PLAIN, ...service, attempts: 2, people: true })),
  ...SERVICES.map((service): Setup => ({ ...PLAIN, ...service, attempts: 2, people: false, claims: 'any' })),
  ...SERVICES.map((service): Setup => ({ ...PLAIN, ...service, attempts: 1, people: true, claims: 'any' })),
  ...SERVICES.map((service): Setup => ({ ...PLAIN, ...service, attempts: 2, people: false, accepts: true })),
  ...SERVICES.map((service): Setup => ({ ...PLAIN, ...service, attempts: 2, people: false, approval: true })),
]
