import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { execa, type Options } from 'execa'

const root = join(import.meta.dirname, '..', '..', '..')
export const EXAMPLE = join(root, 'examples', 'python-langgraph')
export const PROGRAM = [process.execPath, join(root, 'bin', 'agent-ledger.js')]

/** The interpreter: that of a virtual environment where AGENT_LEDGER_PYTHON names it. */
const PYTHON = process.env.AGENT_LEDGER_PYTHON ?? 'python3'

/** Fails where the interpreter or a module is missing: what was not run has not passed. */
export function requirePython(...modules: readonly string[]): void {
  const script = modules.map(name => `import ${name}`).join('\n')
  const { status, stderr, error } = spawnSync(PYTHON, ['-c', script], { encoding: 'utf8' })
  if (status === 0) return
  const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
  throw new Error(
    `not run: ${PYTHON} cannot do it (${why}); install examples/python-langgraph/requirements.txt into a virtual environment and name its python in AGENT_LEDGER_PYTHON`,
  )
}

export function python(args: readonly string[], options: Options = {}) {
  return execa(PYTHON, args, { reject: false, ...options, env: { PYTHONPATH: EXAMPLE, ...options.env } })
}
