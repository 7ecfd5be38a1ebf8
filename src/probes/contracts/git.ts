import { MINUTE, type ServiceContract } from './contract.js'

export const gitPush: ServiceContract = {
  title: 'a push to a git repository',
  version: 1,
  parameters: {
    remote: { means: 'address or path of the repository', default: '{input.remote}' },
    ref: { means: 'the full ref: refs/heads/main', default: '{input.ref}' },
    commit: { means: 'the commit that was pushed', default: '{input.commit}' },
    before: {
      means:
        'where the ref stood before: the old oid of --force-with-lease. Without it a push that was forced away again looks like one that never was',
      default: '',
    },
  },
  effect: 'mitigable',
  // The same commit again is “up to date”; the ref is taken and set.
  repeat: { kind: 'conditional', names: 'reusable' },
  arrival_ms: 15 * MINUTE,
  ids: [],
  marker: 'none: the commit is on the ref',
  look_here: { check: 'git ls-remote {with.remote} {with.ref}' },
  probes: [
    {
      kind: 'git',
      remote: '{with.remote}',
      ref: '{with.ref}',
      commit: '{with.commit}',
      before: '{with.before}',
      settle_ms: MINUTE,
    },
  ],
  answers: [
    'The commit at the tip of the ref, or below it, is our push. --atomic once ended with 0 on a server error (gitlab-org/git#176): look all the same.',
    'The ref elsewhere than before, without our commit: somebody else pushed, or ours was forced away. A person decides.',
    'Hooks of the server may still run when the ref is set.',
  ],
  sources: [
    { url: 'https://git-scm.com/docs/git-push', read: null },
    { url: 'https://gitlab.com/gitlab-org/git/-/issues/176', read: '2026-11' },
  ],
}
