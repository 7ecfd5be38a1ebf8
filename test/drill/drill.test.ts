import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { INCIDENTS, type Incident, incidentOf } from './kit/incident.js'
import { judge, type Staged, staged } from './kit/judge.js'
import { unled } from './kit/led.js'
import { play } from './kit/play.js'
import { createStage } from './kit/stage.js'
import { transcript } from './kit/transcript.js'

const MOST_COMMANDS = 6
const GOLDENS = join(import.meta.dirname, '../../fixtures/drill')

/** The incident as it stands when somebody looks. */
function begun(incident: Incident): Promise<Staged> {
  const stage = createStage()
  onTestFinished(() => stage.down())
  return staged(incident, stage)
}

const incidents = await Promise.all(INCIDENTS.map(incidentOf))

it('there are incidents enough to learn from', () => {
  expect(incidents.length).toBeGreaterThanOrEqual(15)
})

describe.each(incidents)('$name: $title', incident => {
  it('is taken over rightly by few commands, each named by what was printed before', async () => {
    const { commands, told, name } = incident
    expect(commands.length).toBeLessThanOrEqual(MOST_COMMANDS)
    const world = await begun(incident)
    const played = await play(commands, world.stage)
    const session = transcript(told, played, world.stage)
    const golden = join(GOLDENS, `${name}.txt`)
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(golden, session)
    expect(await judge(incident, world)).toEqual([])
    expect(unled(played)).toEqual([])
    expect(session).toBe(existsSync(golden) ? readFileSync(golden, 'utf8') : '')
  })

  it.each(incident.wrong)('is not taken over by $commands', async wrong => {
    const world = await begun(incident)
    const played = await play(wrong.commands, world.stage)
    if ('judged' in wrong) {
      expect(played.filter(({ code }) => code !== 0)).toEqual([])
      expect(await judge(incident, world)).toContain(wrong.judged)
      return
    }
    const last = played.at(-1)
    expect(last).toMatchObject({ code: wrong.exit, printed: expect.stringContaining(wrong.says) })
  })
})
