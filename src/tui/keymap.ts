import type { ActionId } from './actions.js'

/** What a key does outside of dialogs. */
export type Verb =
  | 'down'
  | 'up'
  | 'page_down'
  | 'page_up'
  | 'half_down'
  | 'half_up'
  | 'first'
  | 'last'
  | 'open'
  | 'back'
  | 'other_pane'
  | 'to_list'
  | 'to_detail'
  | 'next_tab'
  | 'mark'
  | 'mark_range'
  | 'mark_up'
  | 'mark_down'
  | 'mark_all'
  | 'unmark'
  | 'only_marked'
  | 'filter'
  | 'scope'
  | 'group'
  | 'sort'
  | 'refresh'
  | 'menu'
  | 'command'
  | 'help'
  | 'copy'
  | 'undo'
  | 'preview'
  | 'repaint'
  | 'suspend'
  | 'quit'
  | 'interrupt'
  | ActionId

export interface Binding {
  readonly verb: Verb
  /** as keys.ts names them, or the letter */
  readonly keys: readonly string[]
  /** what help says */
  readonly does: string
  readonly chapter: 'Move' | 'Choose' | 'Decide' | 'Screen'
  /** a word for the line at the foot, where there is room, in the order of the list */
  readonly hint?: string
  /** the same while the operation is read */
  readonly detailHint?: string
}

/** Every key there is: the foot of the screen, its help, the command line behind `:` and docs/triage.md are made from it. */
export const KEYMAP: readonly Binding[] = [
  {
    verb: 'menu',
    keys: ['a'],
    does: 'what can be done with it, or with all marked ones',
    chapter: 'Decide',
    hint: 'act',
    detailHint: 'act',
  },
  {
    verb: 'open',
    keys: ['enter'],
    does: 'open the operation; writes nothing',
    chapter: 'Move',
    hint: 'open',
  },
  {
    verb: 'filter',
    keys: ['/'],
    does: 'filter: words, state: risk: tool: task: cause: by: age:>1h marked: !not',
    chapter: 'Choose',
    hint: 'filter',
  },
  { verb: 'help', keys: ['?'], does: 'every key', chapter: 'Screen', hint: 'help' },
  {
    verb: 'quit',
    keys: ['q'],
    does: 'back; at the list: leave',
    chapter: 'Screen',
    hint: 'quit',
    detailHint: 'back',
  },
  { verb: 'mark', keys: ['space'], does: 'mark, or take the mark away', chapter: 'Choose', hint: 'mark' },
  {
    verb: 'scope',
    keys: ['s'],
    does: 'which operations: to do, unknown, stalled, open, all',
    chapter: 'Choose',
    hint: 'scope',
  },
  { verb: 'group', keys: ['g'], does: 'group by cause, by task, or not', chapter: 'Choose', hint: 'group' },
  {
    verb: 'next_tab',
    keys: ['t', ']'],
    does: 'the operation, its task’s report, its history',
    chapter: 'Move',
    hint: 'tab',
    detailHint: 'report, history',
  },
  { verb: 'down', keys: ['j', 'down'], does: 'down', chapter: 'Move' },
  { verb: 'up', keys: ['k', 'up'], does: 'up', chapter: 'Move' },
  {
    verb: 'page_down',
    keys: ['pagedown', 'ctrl-f'],
    does: 'a page down',
    chapter: 'Move',
    detailHint: 'page down',
  },
  { verb: 'page_up', keys: ['pageup', 'ctrl-b'], does: 'a page up', chapter: 'Move' },
  { verb: 'half_down', keys: ['ctrl-d'], does: 'half a page down', chapter: 'Move' },
  { verb: 'half_up', keys: ['ctrl-u'], does: 'half a page up', chapter: 'Move' },
  { verb: 'first', keys: ['home', '<'], does: 'to the first', chapter: 'Move' },
  { verb: 'last', keys: ['end', 'G', '>'], does: 'to the last that is loaded; more follow', chapter: 'Move' },
  {
    verb: 'other_pane',
    keys: ['tab', 'shift-tab'],
    does: 'between the list and the operation',
    chapter: 'Move',
  },
  { verb: 'to_list', keys: ['h', 'left'], does: 'to the list', chapter: 'Move' },
  { verb: 'to_detail', keys: ['l', 'right'], does: 'to the operation', chapter: 'Move' },
  {
    verb: 'back',
    keys: ['escape'],
    does: 'back one step; takes a filter away; never leaves',
    chapter: 'Move',
  },
  { verb: 'mark_range', keys: ['v'], does: 'mark from here to where it is pressed again', chapter: 'Choose' },
  { verb: 'mark_down', keys: ['shift-down'], does: 'mark and go down', chapter: 'Choose' },
  { verb: 'mark_up', keys: ['shift-up'], does: 'mark and go up', chapter: 'Choose' },
  { verb: 'mark_all', keys: ['*'], does: 'mark all that the filter shows', chapter: 'Choose' },
  { verb: 'unmark', keys: ['-'], does: 'take all marks away', chapter: 'Choose' },
  { verb: 'only_marked', keys: ['M'], does: 'show the marked ones only', chapter: 'Choose' },
  { verb: 'sort', keys: ['o'], does: 'order: risk, age, id', chapter: 'Choose' },
  { verb: 'refresh', keys: ['r'], does: 'look again, and take in what is new', chapter: 'Screen' },
  { verb: 'reconcile', keys: ['p'], does: 'ask the outside system, by its probe', chapter: 'Decide' },
  { verb: 'resolve_confirmed', keys: ['c'], does: 'resolve: it took effect', chapter: 'Decide' },
  { verb: 'resolve_not_executed', keys: ['X'], does: 'resolve: it did not take effect', chapter: 'Decide' },
  { verb: 'allow_retry', keys: ['R'], does: 'allow one more attempt', chapter: 'Decide' },
  { verb: 'defer', keys: ['d'], does: 'not now', chapter: 'Decide' },
  { verb: 'claim', keys: ['m'], does: 'claim: you look at it', chapter: 'Decide' },
  { verb: 'note', keys: ['n'], does: 'note what you found', chapter: 'Decide' },
  { verb: 'takeover', keys: ['T'], does: 'take its task over', chapter: 'Decide' },
  { verb: 'handback', keys: ['H'], does: 'hand its task back', chapter: 'Decide' },
  { verb: 'approve', keys: ['V'], does: 'approve exactly this', chapter: 'Decide' },
  { verb: 'cancel', keys: ['C'], does: 'cancel: no further attempt', chapter: 'Decide' },
  { verb: 'abandon', keys: ['A'], does: 'abandon: nobody asks any more', chapter: 'Decide' },
  { verb: 'reopen', keys: ['O'], does: 'reopen: doubt how it was settled', chapter: 'Decide' },
  {
    verb: 'undo',
    keys: ['u'],
    does: 'take back what you decided last, where that can be',
    chapter: 'Decide',
  },
  { verb: 'copy', keys: ['y'], does: 'copy the id', chapter: 'Screen' },
  { verb: 'preview', keys: ['P'], does: 'show or hide the operation beside the list', chapter: 'Screen' },
  { verb: 'command', keys: [':'], does: 'name what to do; Tab completes', chapter: 'Screen' },
  { verb: 'repaint', keys: ['ctrl-l'], does: 'paint the screen anew', chapter: 'Screen' },
  { verb: 'suspend', keys: ['ctrl-z'], does: 'to the shell; fg comes back', chapter: 'Screen' },
  { verb: 'interrupt', keys: ['ctrl-c'], does: 'leave at once', chapter: 'Screen' },
]

const BY_KEY = new Map(KEYMAP.flatMap(({ keys, verb }) => keys.map(key => [key, verb] as const)))

/** What a key does; undefined where it does nothing. */
export function verbOf(key: string): Verb | undefined {
  return BY_KEY.get(key === ' ' ? 'space' : key)
}

/** As help and documents write a key. */
export function keyWords(key: string): string {
  const arrow = ARROWS[key]
  if (arrow !== undefined) return arrow
  return key.length === 1
    ? key
    : key.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
}

const ARROWS: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  'shift-up': 'Shift-↑',
  'shift-down': 'Shift-↓',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  escape: 'Esc',
  space: 'Space',
}

/** As `:` takes it: `resolve-confirmed`. */
export function verbWords(verb: Verb): string {
  return verb.replaceAll('_', '-')
}

/** What `:` completes to. */
export function verbsFor(text: string): readonly string[] {
  const begun = text.trim()
  return KEYMAP.map(({ verb }) => verbWords(verb)).filter(name => name.startsWith(begun))
}
