import { createNames, type Names } from './names.js'
import { isProse } from './prose.js'
import { SECRET_SHAPES, signsOf } from './shapes.js'

/** Masks secrets in one text. */
export interface TextMask {
  /** a quick look that never misses a secret, and may be wrong the other way */
  readonly isSuspect: (text: string) => boolean
  readonly mask: (text: string) => string
  readonly names: Names
}

/** What stands in a secret's place. It says the kind and nothing about the value, not even its length. */
export function maskOf(kind: string): string {
  return `[masked ${kind}]`
}

export function createTextMask(extraNames: readonly string[]): TextMask {
  const names = createNames(extraNames)
  const suspect = new RegExp(`${signsOf(SECRET_SHAPES)}|${names.quick}`, 'i')
  let made: ReturnType<typeof patternsOf> | undefined
  const mask = (text: string): string => {
    if (!suspect.test(text)) return text
    made ??= patternsOf(names)
    const { shapes, named } = made
    let masked = text
    for (const shape of shapes)
      if (shape.sign.test(masked)) masked = masked.replace(shape.pattern, shape.mask)
    for (const pattern of named) {
      masked = masked.replace(pattern, (all: string, name: string, joint: string, value: string) =>
        maskNamed(names, { all, name, joint, value }),
      )
    }
    return masked
  }
  return { isSuspect: text => suspect.test(text), mask, names }
}

/** What really finds them: forty patterns, made once something looks like a secret. */
function patternsOf(names: Names) {
  return {
    shapes: SECRET_SHAPES.map(shape => ({
      sign: new RegExp(signsOf([shape]), 'i'),
      pattern: new RegExp(shape.pattern, 'g'),
      mask: maskOf(shape.id),
    })),
    named: [headerPattern(names), assignmentPattern(names), flagPattern(names)],
  }
}

// A value: quoted, quoted inside a JSON text that is itself a string, or bare. Bare ones end at a blank or at what
// commonly encloses them; a comma does not end them, since passwords may hold one.
const VALUE = [
  '"(?:[^"\\\\]|\\\\.)*"',
  "'(?:[^'\\\\]|\\\\.)*'",
  '\\\\"(?:[^"\\\\]|\\\\[^"])*\\\\"',
  '[^\\s"\'\\\\;&<>(){}\\[\\]]+',
].join('|')

const NOT_MASKED = '(?!["\'\\\\]*\\[masked )'

// The identifier before the name comes along (`idempotency_` of `idempotency_token`): it can make the name harmless.
const BEFORE = '(?:(?<![\\w.-])[\\w.-]{0,40})?'

/** `Cookie: a=b; c=d`: to the end of the line. */
function headerPattern({ headers }: Names): RegExp {
  return new RegExp(`(${headers})([ \\t]{0,3}:[ \\t]{0,3})${NOT_MASKED}([^\\r\\n"'\\\\]+)`, 'gi')
}

/** `password=x`, `"api_key": "x"`, `token => 'x'`. */
function assignmentPattern({ pattern }: Names): RegExp {
  const joint = '\\\\?["\']?[ \\t]{0,3}(?:=>?|:)[ \\t]{0,3}'
  return new RegExp(`(${BEFORE}(?:${pattern}))(${joint})${NOT_MASKED}(${VALUE})`, 'gi')
}

/** `--password x` on a command line. */
function flagPattern({ pattern }: Names): RegExp {
  return new RegExp(
    `((?<![\\w-])--?[\\w-]{0,40}(?:${pattern}))([ \\t]{1,3})(?!-)${NOT_MASKED}(${VALUE})`,
    'gi',
  )
}

interface Found {
  readonly all: string
  readonly name: string
  readonly joint: string
  readonly value: string
}

function maskNamed(names: Names, { all, name, joint, value }: Found): string {
  const listed = names.find(name)
  if (listed === undefined) return all
  // `token: expired` tells what went wrong; a key in quotes, or a value with a digit, is data.
  const isSaid = /^[ \t]*:/.test(joint)
  if (isSaid && listed.inProse === true && value.length < 16 && !/\d/.test(value)) return all
  // `secret: not found`: a quote or no blank after the colon makes it data.
  if (isSaid && /[ \t]$/.test(joint) && isProse(value)) return all
  const quote = /^(?:\\")|^["']/.exec(value)?.[0] ?? ''
  return `${name}${joint}${quote}${maskOf(listed.name)}${quote}`
}
