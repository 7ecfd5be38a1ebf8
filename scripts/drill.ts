// A takeover drill: `npm run drill` lists the incidents, `npm run drill -- answer-lost` sets one up in a folder and hands a
// shell over; when it is left, the agent is started again and the outside world is judged. `--replay` runs the recorded
// commands instead and prints the session.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INCIDENTS, incidentOf } from '../test/drill/kit/incident.js'
import { judge, staged } from '../test/drill/kit/judge.js'
import { unled } from '../test/drill/kit/led.js'
import { play } from '../test/drill/kit/play.js'
import { createStage, type Stage } from '../test/drill/kit/stage.js'
import { transcript } from '../test/drill/kit/transcript.js'

const MOST_COMMANDS = 6

const [name, ...flags] = process.argv.slice(2)
if (name === undefined || name === '--help' || name === '-h') await list()
else if (INCIDENTS.includes(name)) process.exitCode = await drill(name)
else {
  console.error(`there is no incident ${name}; npm run drill lists them`)
  process.exitCode = 2
}

async function list(): Promise<void> {
  console.log('npm run drill -- <name>            a shell in a folder with its ledger')
  console.log('npm run drill -- <name> --replay   the recorded commands, and what each printed\n')
  // The titles would give the answer away.
  for (const one of INCIDENTS) console.log(`${one.padEnd(20)} ${(await incidentOf(one)).told}`)
}

async function drill(chosen: string): Promise<number> {
  const incident = await incidentOf(chosen)
  const stage = createStage()
  try {
    const world = await staged(incident, stage)
    if (flags.includes('--replay')) {
      const played = await play(incident.commands, stage)
      console.log(transcript(incident.told, played, stage))
      for (const line of unled(played)) console.log(`no output before it named: ${line}`)
    } else {
      console.log(
        `${incident.told}\n\nThe ledger is in this folder; begin with: agent-ledger. Leave with: exit.\n`,
      )
      await shell(stage)
    }
    const count = typed(stage)
    console.log(
      `\n${count} commands of agent-ledger${count > MOST_COMMANDS ? `; ${MOST_COMMANDS} are enough` : ''}.`,
    )
    const found = await judge(incident, world)
    console.log('The agent was started again, and this is how it ended:')
    for (const line of found) console.log(`  wrong: ${line}`)
    console.log(found.length === 0 ? '  right.' : '')
    console.log(`What is right here: ${incident.right}`)
    return found.length === 0 && count <= MOST_COMMANDS ? 0 : 1
  } finally {
    await stage.down()
  }
}

function shell({ folder, env }: Stage): Promise<void> {
  const { TERM = 'dumb' } = process.env
  const child = spawn('bash', ['--norc', '--noprofile'], {
    cwd: folder,
    env: { ...env, TERM, PS1: 'drill$ ' },
    stdio: 'inherit',
  })
  return new Promise(resolve => child.on('close', () => resolve()))
}

function typed({ folder }: Stage): number {
  const path = join(folder, 'typed.log')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0
}
