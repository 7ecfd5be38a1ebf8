import { expect, it } from 'vitest'
import { counted } from '../../src/core/counted.js'

it('says one task, and no tasks or several', () => {
  expect([0, 1, 2].map(count => counted(count, 'task'))).toEqual(['0 tasks', '1 task', '2 tasks'])
})
