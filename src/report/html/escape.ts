import type { Safe } from '../../core/safe-text.js'

declare const htmlBrand: unique symbol

/** Markup: only `html`, `text` and `joined` make it. */
export type Html = string & { readonly [htmlBrand]: true }

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that stays text, between tags and in quoted attributes alike. It must be safe for a terminal already. */
export function text(shown: Safe): Html {
  return shown.replaceAll(/[&<>"']/g, char => ENTITIES[char] ?? char) as Html
}

/** A template of our own markup and of values that are markup already. Attributes are written in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly (Html | number)[]): Html {
  // Parts are literals in our source; values are markup or digits.
  return parts.reduce((whole, part, i) => `${whole}${values[i - 1] ?? ''}${part}`) as Html
}

export function joined(pieces: readonly Html[], between: '' | ' ' | '\n' = ''): Html {
  return pieces.join(between) as Html
}

export const NOTHING = '' as Html
