import { type Safe, safe, words } from './safe-text.js'

/** `1 task`, `2 tasks`: for nouns that take an s. */
export function counted(count: number, noun: string): Safe {
  return words`${count} ${safe(noun)}${count === 1 ? words`` : words`s`}`
}
