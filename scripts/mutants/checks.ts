import type { Check } from './mutant.js'

export function test(file: string, title: string): Check {
  return { file, test: title }
}

/** The exhaustive search of one of the bounded setups. */
function model(setup: string): Check {
  return test('test/model/model.test.ts', `holds every law: ${setup}`)
}

export const keyed = model('keyed, consistent, 2 attempts')
export const conditional = model('conditional, consistent, 2 attempts')
export const laggingProbe = model('probe only, lagging, 2 attempts')
export const plain = model('nothing, consistent, 2 attempts')
export const people = model('keyed, lagging, 1 attempts, people may be wrong, 202')
export const approval = model('nothing, consistent, 2 attempts, approval')
