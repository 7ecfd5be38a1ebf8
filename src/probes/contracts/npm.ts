import { HOUR, MINUTE, type ServiceContract } from './contract.js'

export const npmPublish: ServiceContract = {
  title: 'a version of an npm package',
  version: 1,
  parameters: {
    package: { means: 'the name of the package', default: '{input.name}' },
    version: { means: 'the version', default: '{input.version}' },
    integrity: { means: 'sha512-… of the packed tarball: npm pack --json', default: '{input.integrity}' },
    registry: { means: 'the registry', default: 'https://registry.npmjs.org' },
    authorization: {
      means: 'for a registry that is not open: Bearer {env.NPM_TOKEN}',
      default: '',
    },
  },
  effect: 'irreversible',
  // A version is never free again, not even after unpublish.
  repeat: { kind: 'conditional', names: 'permanent' },
  // A publish refused with 409 was there 40 minutes later (p8nut/resvg-napi, release v0.1.2).
  arrival_ms: HOUR,
  queues: true,
  classify: [
    {
      when: { code: 'EPUBLISHCONFLICT' },
      end: 'ambiguous',
      reason: 'the version is taken, perhaps by an earlier sending of this publish: compare the integrity',
    },
    {
      when: { status: 403 },
      end: 'ambiguous',
      reason: 'npm refuses with 403 what is published already as well as what one may not publish',
    },
    {
      when: { status: [401, 402] },
      end: 'not_applied',
      reason: 'npm looks at the credential and the plan before it takes a publish in',
    },
  ],
  ids: [],
  marker: 'none: the integrity of the tarball',
  look_here: {
    url: 'https://www.npmjs.com/package/{with.package}?activeTab=versions',
    check: 'npm view {with.package}@{with.version} dist.integrity',
  },
  probes: [
    {
      kind: 'npm',
      package: '{with.package}',
      version: '{with.version}',
      integrity: '{with.integrity}',
      registry: '{with.registry}',
      headers: { authorization: '{with.authorization}' },
      // It showed after 5 minutes, 21 minutes, 2 hours.
      settle_ms: 3 * HOUR,
      spacing_ms: 15 * MINUTE,
    },
  ],
  answers: [
    'Our integrity under the version is our publish. Another one: somebody published different content.',
    '“Already published” is no success, and a version missing from versions is no absence: npm publishes behind its answer, seen after 4 minutes, 21 minutes and 2 hours.',
    'time has it and versions has not: the evidence disagrees, a person decides.',
    'A package that may not be seen and one that is not there are answered alike: a first version is never proved absent.',
  ],
  sources: [
    { url: 'https://docs.npmjs.com/policies/unpublish', read: '2026-11' },
    { url: 'https://github.com/npm/cli/issues/8936', read: '2026-11' },
    { url: 'https://github.com/npm/cli/issues/6103', read: '2026-11' },
  ],
}
