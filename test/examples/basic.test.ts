import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { aDirectory } from '../store/support/places.js'

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'basic', 'basic.mjs')

it('the basic example opens each ticket once and says what the agent should be told', async () => {
  const { stdout } = await execa(process.execPath, [EXAMPLE, aDirectory()])
  expect(stdout.split('\n')).toEqual([
    'the answer is lost:  it may be open: do not repeat, look. only a person can find out whether it happened',
    'asked again:         it may be open: do not repeat, look. only a person can find out whether it happened',
    'tickets at the service: 1',
    'after that:          TICKET-1 is open (on record, by person)',
    'another one:         TICKET-2 is open (just now, by receipt)',
    'refused for certain: certainly not open: a ticket needs a title',
    'tickets at the service: 2',
  ])
})
