import { type Safe, safe } from '../core/safe-text.js'
import type { Page, Section } from '../report/page/page.js'
import { lineText, type TextStyle } from '../report/text.js'
import type { Block } from './state.js'

/** A page for a pane: as `show` and `report` print it, to be broken into lines at the width there is. */
export function pageBlocks({ title, sections }: Page, style: TextStyle): Block[] {
  return [
    block(lineText(title, style), 'title'),
    ...sections.flatMap(section => sectionBlocks(section, style)),
  ]
}

function sectionBlocks({ heading, intro, entries }: Section, style: TextStyle): Block[] {
  return [
    block(safe('')),
    block(safe(heading), 'title'),
    ...(intro === undefined ? [] : [block(lineText(intro, style), 'dim')]),
    ...entries.flatMap(({ line, details }) => [
      block(lineText(line, style), 'plain', 1),
      ...details.map(detail => block(lineText(detail, style), 'plain', 4)),
    ]),
  ]
}

export function block(text: Safe, tone: Block['tone'] = 'plain', indent = 0): Block {
  return { text, tone, indent }
}
