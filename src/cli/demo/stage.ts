import { join, relative } from 'node:path'
import { LedgerError } from '../../core/errors.js'
import { type Safe, safe, words } from '../../core/safe-text.js'
import { ledgerCommand, shellWord } from '../../core/shell-word.js'
import type { Deps } from '../deps.js'
import { PACKAGE_ROOT } from './package-root.js'
import { type Ending, readScript, runScript, type Surroundings } from './processes.js'

const CLI = join(PACKAGE_ROOT, 'bin', 'agent-ledger.js')

/** Prints what happens and makes it happen: each command line is shown before its own output. */
export interface Stage {
  /** a numbered heading */
  chapter(title: Safe): Promise<void>
  say(text: Safe): Promise<void>
  /** shows a command line that needs no running */
  show(line: string): Promise<void>
  /** shows and runs one of our own commands, as a process of its own */
  command(verb: string, options: readonly string[], id?: string): Promise<void>
  /** the same, of whose output only the first lines are shown, as `| head` does */
  head(lines: number, verb: string, options: readonly string[], id?: string): Promise<void>
  /** runs one of our own commands out of sight and gives what it printed */
  read(verb: string, options: readonly string[], id?: string): Promise<string>
  /** shows and runs a script with Node; `env` is set for it alone */
  script(path: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ending>
}

export function createStage(deps: Deps, surroundings: Surroundings): Stage {
  let chapters = 0
  const say = async (text: Safe) => void (await deps.print(text))
  const show = (line: string) => say(words`${deps.paint.dim(words`$`)} ${deps.paint.bold(safe(line))}`)
  return {
    say,
    show,
    async chapter(title) {
      chapters += 1
      await say(
        words`${safe(chapters === 1 ? '' : '\n', { multiline: true })}${deps.paint.busy(words`${chapters}. ${title}`)}`,
      )
    },
    async command(verb, options, id) {
      await show(ledgerCommand(verb, options, id))
      const ended = await runScript([CLI, ...argsOf(verb, options, id)], surroundings)
      if (ended !== 0) throw wentWrong(`agent-ledger ${verb} ended with ${ended}`)
    },
    async head(lines, verb, options, id) {
      await show(`${ledgerCommand(verb, options, id)} | head -${lines}`)
      const whole = await readScript([CLI, ...argsOf(verb, options, id)], surroundings)
      await say(deps.show(whole.split('\n').slice(0, lines).join('\n'), { multiline: true }))
    },
    read: (verb, options, id) => readScript([CLI, ...argsOf(verb, options, id)], surroundings),
    async script(path, args, env = {}) {
      const settings = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`)
      const command = ['node', nearest(path, deps.io.cwd), ...args].map(shellWord)
      await show([...settings, ...command].join(' '))
      return runScript([path, ...args], { ...surroundings, env: { ...surroundings.env, ...env } })
    },
  }
}

/** The story did not go as it must; what is on screen above shows where. */
export function wentWrong(what: string): LedgerError {
  return new LedgerError('internal', `the demonstration went wrong: ${what}`)
}

function argsOf(verb: string, options: readonly string[], id?: string): string[] {
  return [verb, ...options, ...(id === undefined ? [] : ['--', id])]
}

/** The path as somebody here would type it. */
function nearest(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short.startsWith('..') ? path : short
}
