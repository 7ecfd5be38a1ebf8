/** Environment variables the command line reads, for help and the man page. */
export const ENVIRONMENT: readonly { readonly name: string; readonly means: string }[] = [
  { name: 'AGENT_LEDGER', means: 'the ledger to use, when --ledger is not given: a path or a URL' },
  { name: 'AGENT_LEDGER_BY', means: 'who decides, when --by is not given' },
  { name: 'AGENT_LEDGER_DEBUG', means: 'not empty: errors show their stack' },
  { name: 'NO_COLOR', means: 'not empty: no colour' },
  {
    name: 'FORCE_COLOR, CLICOLOR_FORCE',
    means: '0 or false: no colour; anything else: colour through a pipe too',
  },
  { name: 'CLICOLOR', means: '0: no colour' },
  { name: 'TERM', means: 'dumb: no colour, and progress as lines' },
  { name: 'CI', means: 'never a yes to a question; names the actor together with what the CI service sets' },
]
