import { KEYMAP, keyWords } from '../../src/tui/keymap.js'
import { table } from './with-block.js'

/** Every key of the triage screen, from its keymap. */
export function keyTable(): string {
  return table(
    ['key', 'does', 'about'],
    KEYMAP.map(({ keys, does, chapter }) => [
      keys.map(key => `\`${keyWords(key)}\``).join(' '),
      does,
      chapter.toLowerCase(),
    ]),
  )
}
