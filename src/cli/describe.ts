import { type Parameter, type Parameters, typedName } from './command.js'

/** `<op> [task] [op...]`: the arguments as a usage line shows them. */
export function argumentUsage(args: Parameters): string {
  return Object.entries(args)
    .map(([key, { many, required }]) => bracketed(many === true ? `${key}...` : key, required === true))
    .join(' ')
}

/** `--older-than <duration>`, as help and man page show it. */
export function optionTerm(key: string, { placeholder }: Parameter<unknown>): string {
  return placeholder === undefined ? `--${typedName(key)}` : `--${typedName(key)} <${placeholder}>`
}

/** The summary with its choices and the value that stands in when none is given. */
export function described({ summary, choices, fallback, many, placeholder }: Parameter<unknown>): string {
  const notes = [
    choices === undefined ? '' : choices.join(', '),
    many === true && placeholder !== undefined ? 'may be repeated' : '',
    fallback === undefined ? '' : `default: ${fallback}`,
  ].filter(note => note !== '')
  return notes.length === 0 ? summary : `${summary} (${notes.join('; ')})`
}

/** `<op>`, `[task]`. */
export function bracketed(name: string, isRequired: boolean): string {
  return isRequired ? `<${name}>` : `[${name}]`
}
