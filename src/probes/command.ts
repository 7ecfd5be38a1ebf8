import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '../core/json.js'
import type { CommandProbe, ModuleProbe } from '../core/probe.js'
import { cannotAsk, fillPlain } from './fill.js'
import type { Brought, ProbeFacts, Prober, ProbeWorld } from './probe.js'
import { programEnv, runProgram } from './program.js'
import { observedIn } from './program-answer.js'

const DEFAULT_TIMEOUT_MS = 30_000
const MAX_BYTES = 4 * 1_048_576

/** A program that gets the question as JSON on stdin and answers as JSON on stdout. */
export const command: Prober<CommandProbe> = {
  plan: ({ probe, facts }, world) => {
    const argv = filledArgv(probe.run, facts)
    const env = programEnv(probe.env ?? [], world.env)
    const problem = 'problem' in argv ? argv.problem : 'problem' in env ? env.problem : undefined
    const what = `run ${JSON.stringify('argv' in argv ? argv.argv : probe.run)}`
    return [{ what, ...(problem === undefined ? {} : { problem }) }]
  },
  ask: async ({ probe, facts }, world) => {
    const argv = filledArgv(probe.run, facts)
    if ('problem' in argv) return without(world, { kind: 'command' }, argv.problem)
    const asked = { argv: argv.argv, env: probe.env ?? [], timeoutMs: probe.timeout_ms }
    return ask(asked, { facts, world, request: { kind: 'command', argv: argv.argv } })
  },
}

/** A module of JavaScript: run by a Node of its own, so that one that hangs is ended like a program. */
export const module: Prober<ModuleProbe> = {
  plan: ({ probe }) => [{ what: `run probe() of ${probe.path}` }],
  ask: ({ probe, facts }, world) => {
    const path = isAbsolute(probe.path) ? probe.path : join(world.folder, probe.path)
    const argv = [world.node, '--input-type=module', '--eval', RUNNER, '--', pathToFileURL(path).href]
    const asked = { argv, env: probe.env ?? [], timeoutMs: probe.timeout_ms }
    return ask(asked, { facts, world, request: { kind: 'module', path: probe.path } })
  },
}

// What the module prints on its own goes to stderr: stdout is the answer's.
const RUNNER = `
console.log = console.info = console.debug = console.error
let text = ''
for await (const chunk of process.stdin) text += chunk
const { probe } = await import(process.argv.at(-1))
const answer = await probe(JSON.parse(text))
process.stdout.write(JSON.stringify(answer) ?? '', () => process.exit(0))
`

interface Asked {
  readonly argv: readonly string[]
  readonly env: readonly string[]
  readonly timeoutMs: number | undefined
}

interface Asking {
  readonly facts: ProbeFacts
  readonly world: ProbeWorld
  readonly request: JsonObject
}

async function ask(
  { argv, env: names, timeoutMs }: Asked,
  { facts, world, request }: Asking,
): Promise<Brought> {
  const env = programEnv(names, world.env)
  if ('problem' in env) return without(world, request, env.problem)
  const ran = await runProgram(
    {
      argv,
      env: env.env,
      stdin: `${JSON.stringify(facts)}\n`,
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    },
    world,
  )
  const reading = { observed_at: world.clock().at, scope: null, request, response_digest: null }
  if ('failed' in ran)
    return { ...reading, completeness: 'failed', code: ran.failed, why: ran.why, retry_after_ms: null }
  const who = request.kind === 'module' ? 'the module' : 'the program'
  const digest = `sha256:${ran.digest}`
  if (ran.code !== 0) {
    const said = ran.stderr.trim().split('\n').at(-1) ?? ''
    const why = `${who} ended with ${ran.code}${said === '' ? '' : `: ${said}`}`
    return {
      ...reading,
      response_digest: digest,
      completeness: 'failed',
      code: 'program_failed',
      why,
      retry_after_ms: null,
    }
  }
  const { observed, scope } = observedIn(ran.stdout, who)
  return { ...reading, response_digest: digest, scope, ...observed }
}

function filledArgv(
  run: readonly string[],
  facts: ProbeFacts,
): { readonly argv: readonly string[] } | { readonly problem: string } {
  const argv: string[] = []
  for (const [i, part] of run.entries()) {
    const text = fillPlain(part, facts)
    if ('problem' in text) return text
    // What an agent wrote must not become an option of the program.
    if (i > 0 && text.text.startsWith('-') && !part.startsWith('-'))
      return { problem: `${part} begins with a dash: the program would take it for an option` }
    argv.push(text.text)
  }
  return { argv }
}

function without(world: ProbeWorld, request: JsonObject, problem: string): Brought {
  return { observed_at: world.clock().at, scope: null, request, response_digest: null, ...cannotAsk(problem) }
}
