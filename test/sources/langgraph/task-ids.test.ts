import { describe, expect, it } from 'vitest'
import {
  callTaskId,
  errorHandlerTaskId,
  interruptId,
  pullTaskId,
  pushTaskId,
  type Superstep,
  taskNamespace,
  updateStateTaskId,
} from '../../../src/sources/langgraph/task-ids.js'
import { xxh128 } from './build-thread.js'

// Ids that the real libraries gave (JavaScript 1.7.3, Python 1.2.11, 1.2.24 and 0.2.60), copied from their databases.
const js = (checkpointId: string, step: number, namespace = ''): Superstep => ({
  language: 'javascript',
  v: 4,
  checkpointId,
  namespace,
  step,
  xxh128,
})
const python = (checkpointId: string, step: number, namespace = ''): Superstep => ({
  ...js(checkpointId, step, namespace),
  language: 'python',
})

describe('task ids', () => {
  it('of a node in JavaScript hash the first trigger', () => {
    const at = js('1f1ebf0a-aa19-62b0-8000-b97187210420', 1)
    expect(pullTaskId(at, 'n1', ['branch:to:n1'])).toBe('270bf437-6a41-520f-98d2-7ea09483512f')
  })

  it('of a node inside a subgraph hash its namespace', () => {
    const at = js('1f1ebf09-d245-6b40-8001-494d4b67e51c', 2, 'sub:7f4fd800-91b2-571b-bf22-74cbd11c6c27')
    expect(pullTaskId(at, 's2', ['branch:to:s2'])).toBe('730847f4-e502-5fda-be87-67446fdaf1a4')
  })

  it('of the input and of what it starts', () => {
    const at = js('1f1ebf0a-aa00-6c10-ffff-8bbee1af214e', 0)
    expect(pullTaskId(at, '__start__', ['__start__'])).toBe('ddf11baa-5c37-50a5-b6f0-c30003a8daaa')
  })

  it('of a node in Python hash all its triggers, sorted', () => {
    const at = python('1f1ebf12-80a8-6c10-8000-1dcf7534c20a', 1)
    expect(pullTaskId(at, 'ask', ['branch:to:ask'])).toBe('f602c533-b10a-3429-50c8-c943466cf6b9')
    expect(pullTaskId(at, 'x', ['b', 'a'])).toBe(pullTaskId(at, 'x', ['a', 'b']))
  })

  it('of a Send hash its place', () => {
    const at = python('1f1ebf1b-ab20-69cd-8001-41d594d77406', 2)
    expect(pushTaskId(at, 'tools', 0)).toBe('82474c84-4597-a074-cbd3-f40b4ac1d3a6')
    expect(pushTaskId(at, 'tools', 1)).not.toBe(pushTaskId(at, 'tools', 0))
  })

  it('of Python before 0.3 are SHA-1, whatever the layout says', () => {
    const at = { ...python('1f1ec2b8-dfe0-6ae9-8001-5faf086c14b8', 2), v: 1 }
    const id = pullTaskId(at, 'B2', ['B1'])
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(id).not.toBe(pullTaskId({ ...at, v: 2 }, 'B2', ['B1']))
  })

  it('of a functional task hash the entrypoint, its id and the order of the calls', () => {
    const entry = pullTaskId(js('1f1ebf0c-08a8-6d20-ffff-5e965441a834', 0), 'flow', ['__start__'])
    expect(entry).toBe('418764f2-3a6b-5d3c-91c1-973177bf059b')
    const call = { entry: 'flow', entryTaskId: entry, task: 't1', n: 0 }
    expect(callTaskId(js('1f1ebf0c-08a8-6d20-ffff-5e965441a834', 0), call)).toBe(
      'd4d1c3e9-b880-5d1a-87f1-9cb4a749dbfc',
    )
    const at = python('1f1ebf1b-75ae-672d-bfff-669a31ddd013', 0)
    const python0 = pullTaskId(at, 'flow', ['__start__'])
    expect(python0).toBe('227eacb6-611f-33a9-c70d-bc96295206d8')
    expect(callTaskId(at, { ...call, entryTaskId: python0 })).toBe('2fca7899-c550-a443-ad7a-42d2dcb224f9')
  })

  it('of an error handler hash the task that failed', () => {
    const at = js('1f1ebf0a-aa19-62b0-8000-b97187210420', 1)
    expect(errorHandlerTaskId(at, 'w', 'a')).not.toBe(errorHandlerTaskId(at, 'w', 'b'))
  })

  it('of updateState are the same in both languages', () => {
    expect(updateStateTaskId('1f1ebf0a-aa19-62b0-8000-b97187210420')).toMatch(/^[0-9a-f-]{14}5/)
  })

  it('of questions hash the namespace of the task, and from the second on how many were answered', () => {
    const namespace = taskNamespace('', 'ask', 'f602c533-b10a-3429-50c8-c943466cf6b9')
    expect(interruptId(xxh128, namespace, 0)).toBe('9db579d7eaaaef92f3a15833fa07a841')
    expect(interruptId(xxh128, namespace, 1)).not.toBe(interruptId(xxh128, namespace, 0))
  })
})
