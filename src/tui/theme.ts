import type { Tone } from './screens/line.js'

/** What a tone looks like: the sixteen colours that a terminal's own theme decides, and no nested ones. */
export interface Look {
  readonly color?: 'yellow' | 'red' | 'cyan'
  readonly bold?: true
  readonly dimColor?: true
  readonly inverse?: true
}

export const THEME: Readonly<Record<Tone, Look>> = {
  plain: {},
  title: { bold: true },
  dim: { dimColor: true },
  doubt: { color: 'yellow' },
  alarm: { color: 'red' },
  busy: { color: 'cyan' },
  selected: { inverse: true },
}
