/** trust@1: whether a configuration is trusted, and what that is bound to. */
export const TRUST_FIELDS = ['path', 'digest', 'files', 'runs', 'hands_out', 'trusted'] as const
