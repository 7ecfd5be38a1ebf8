/** How a command line ended. */
export type CommandEnd =
  /** the operating system would not start it: no code of it ran */
  | { readonly kind: 'not_started'; readonly code: string; readonly message: string }
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }

/** What the exit codes of a tool mean; without it they say what the rules below say. */
export interface ExitContract {
  /**
   * what 0, and every code of `done`, says on a repeat after a doubt: that this run did it, or that the wanted state
   * is there whoever made it. Left out: on a repeat it settles nothing
   */
  readonly zero?: 'done_by_this_run' | 'state_holds'
  /** further codes that mean what 0 means */
  readonly done?: readonly number[]
  /** codes that mean: refused before anything happened */
  readonly refused?: readonly number[]
}

export interface EndedCommand {
  readonly end: CommandEnd
  readonly contract: ExitContract
  /** an earlier attempt may have taken effect */
  readonly isDoubted: boolean
  /** why it was told to stop before it ended; null where it was not */
  readonly stopped: string | null
}

/** One way a command can end, and what that says about the outside write. */
export interface ExitRule {
  readonly id: string
  readonly end: 'applied' | 'not_applied' | 'ambiguous'
  readonly title: string
  readonly reason: string
  readonly matches: (ended: EndedCommand) => boolean
}

/** In order: the first that matches decides. The last one always does. */
export const EXIT_RULES: readonly ExitRule[] = [
  {
    id: 'not_started',
    end: 'not_applied',
    title: 'the command could not be started',
    reason: 'not found or not executable: no code of it ran',
    matches: ({ end }) => end.kind === 'not_started',
  },
  {
    id: 'exit_stopped',
    end: 'ambiguous',
    title: 'it was told to stop: a time limit, a lost lease, a signal',
    reason:
      'many programs end with a code of their own, or 0, when they are told to stop, whatever they had done by then',
    matches: ({ stopped }) => stopped !== null,
  },
  {
    id: 'exit_refused',
    end: 'not_applied',
    title: 'an exit code listed under `refused`',
    reason: 'the contract says that it means: refused before anything happened',
    matches: ({ end, contract }) => end.kind === 'exited' && contract.refused?.includes(end.code) === true,
  },
  {
    id: 'exit_signal',
    end: 'ambiguous',
    title: 'a signal ended it',
    reason: 'nobody can tell how far it had come',
    matches: ({ end }) => end.kind === 'signalled',
  },
  {
    id: 'exit_done',
    end: 'applied',
    title: '0, or a code listed under `done`, while no earlier attempt is in doubt',
    reason: 'the command says that it did what it was asked',
    matches: ended => isDone(ended) && !ended.isDoubted,
  },
  {
    id: 'exit_done_by_contract',
    end: 'applied',
    title: 'the same on a repeat, where the contract says what `zero` means',
    reason: 'the contract says that this run did it, or that the wanted state is there',
    matches: ended => isDone(ended) && ended.contract.zero !== undefined,
  },
  {
    id: 'exit_repeat',
    end: 'ambiguous',
    title: 'the same on a repeat after a doubt, without such a contract',
    reason: 'many programs end with 0 when they find nothing to do, and some when they do it a second time',
    matches: isDone,
  },
  {
    id: 'exit_unlisted',
    end: 'ambiguous',
    title: 'any other exit code',
    reason: 'a program that fails may have done all, half or nothing of it before',
    matches: () => true,
  },
]

/** What the end of a command says about the outside write. */
export function exitRuleOf(ended: EndedCommand): ExitRule {
  const rule = EXIT_RULES.find(({ matches }) => matches(ended))
  if (rule === undefined) throw new Error('the last rule matches whatever comes')
  return rule
}

function isDone({ end, contract }: EndedCommand): boolean {
  return end.kind === 'exited' && (end.code === 0 || contract.done?.includes(end.code) === true)
}
