import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkpointDocumentSchema } from '../../../src/core/checkpoint-schema.js'
import type { TaskStatus } from '../../../src/core/task.js'
import { readCheckpoint } from '../../../src/sources/index.js'
import { operationsIn, readRecords, tasksIn } from './build-history.js'

/** What `test/sources/fixtures.test.ts` does not look at: what the activities themselves wrote down while they ran. */
interface Expected {
  readonly task: TaskStatus
  readonly tasks?: number
  readonly will_run?: readonly string[]
  readonly advice?: string
  readonly trace?: readonly {
    readonly what: 'began' | 'wrote'
    readonly tool: string
    readonly attempt: number
  }[]
}

const root = join(import.meta.dirname, '../../../fixtures/temporal')
const names = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)

describe.each(names)('the workflow %s', name => {
  const folder = join(root, name)
  const expected: Expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  const [file] = readdirSync(folder).filter(entry => /^history|^both|^input/.test(entry))
  const path = join(folder, existsSync(join(folder, 'input')) ? 'input' : (file ?? ''))

  it('never calls done what was not, nor not done what was', async () => {
    const trace = expected.trace ?? []
    for (const { tool, status, attempts, input } of operationsIn(await readRecords(path))) {
      const own = trace.filter(line => line.tool === tool)
      if (own.length === 0 && trace.length > 0 && input === null) continue
      if (status === 'not_executed' || status === 'prepared') expect(own).toEqual([])
      const began = own.filter(({ what }) => what === 'began').length
      if (attempts.at(-1)?.end === 'ambiguous' && tool in NO_ACTIVITY === false && trace.length > 0)
        expect(began).toBeGreaterThan(0)
    }
  })

  it('stands as it stood', async () => {
    const tasks = tasksIn(await readRecords(path))
    expect(tasks).toHaveLength(expected.tasks ?? 1)
    expect(tasks.at(-1)?.status).toBe(expected.task)
  })

  it('runs again what was decided by hand', async () => {
    const document = await readCheckpoint(path, { source: 'temporal' })
    checkpointDocumentSchema.parse(document)
    const [thread] = document.threads
    if (expected.will_run) expect(thread?.will_run.map(({ node }) => node)).toEqual(expected.will_run)
    if (expected.advice) expect(thread?.advice.action).toBe(expected.advice)
  })
})

const NO_ACTIVITY: Readonly<Record<string, true>> = { 'start child': true, 'start failingChild': true }
