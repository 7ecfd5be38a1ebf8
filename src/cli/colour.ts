import type { Safe } from '../core/safe-text.js'

/** Colours by what they mean. Meaning never rests on them: each stands beside a word. */
export interface Paint {
  readonly bold: Painter
  readonly dim: Painter
  /** in doubt */
  readonly doubt: Painter
  /** stalled, failed, refused */
  readonly alarm: Painter
  /** under way */
  readonly busy: Painter
  readonly isOn: boolean
}

type Painter = (text: Safe) => Safe

/** What the decision is taken from. */
interface Wishes {
  readonly noColor: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
}

/**
 * Flag > NO_COLOR (non-empty, as no-color.org says) > FORCE_COLOR, CLICOLOR_FORCE > CLICOLOR > TERM=dumb > terminal.
 * chalk 5 itself ignores NO_COLOR and CLICOLOR, so it is never asked.
 */
export function wantsColour({ noColor, env, isTerminal }: Wishes): boolean {
  if (noColor || (env.NO_COLOR ?? '') !== '') return false
  const forced = env.FORCE_COLOR ?? env.CLICOLOR_FORCE
  if (forced !== undefined) return !isOff(forced)
  if (env.CLICOLOR !== undefined && isOff(env.CLICOLOR)) return false
  return env.TERM !== 'dumb' && isTerminal
}

/** The painters for one stream. The sixteen colours a terminal's own theme decides are all we use. */
export async function createPaint(isOn: boolean): Promise<Paint> {
  const plain: Painter = text => text
  if (!isOn) return { bold: plain, dim: plain, doubt: plain, alarm: plain, busy: plain, isOn }
  // Loaded when there is something to colour: it asks the terminal about itself for 2 ms.
  const { Chalk } = await import('chalk')
  const colours = new Chalk({ level: 1 })
  // Painting adds only chalk's own sequences around text that was safe before.
  const painter = (style: (text: string) => string) => (text: Safe) => style(text) as Safe
  return {
    bold: painter(colours.bold),
    dim: painter(colours.dim),
    doubt: painter(colours.yellow),
    alarm: painter(colours.red),
    busy: painter(colours.cyan),
    isOn,
  }
}

function isOff(text: string): boolean {
  return text === '0' || text === 'false'
}
