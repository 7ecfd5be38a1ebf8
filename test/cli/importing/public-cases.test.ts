import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import { showDocument } from '../../../src/core/documents/show-schema.js'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { fixture } from '../../sources/saver-file.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

// Reports of people who run agents, as a person who takes over meets them: each is a command and what it must say.

it('D1: two questions wait, and each is named with its id, its node and its words', async () => {
  const { out, code } = await runCli(['report', '--from', fixture('js-interrupt-two'), '--json'])
  expect(code).toBe(0)
  const { interrupts, advice } = JSON.parse(out).checkpoint.thread
  const open = interrupts.filter(({ state }: { state: string }) => state === 'open')
  expect(open).toHaveLength(2)
  const text = (await runCli(['report', '--from', fixture('js-interrupt-two')])).out
  expect(text).toContain('waits for 2 answers')
  expect(text).not.toMatch(/waits for 1 answer|waiting for approval/)
  expect(open.map(({ value }: { value: string }) => value)).toEqual(['approve refund 40?', 'approve email?'])
  for (const { id, node, value } of open) {
    expect(text).toContain(`id ${id}, node ${node}: "${value}"`)
    expect(advice.reasons.join()).toContain(id)
  }
})

it('D3: a question that an old answer would be used for is open, and that is warned of', async () => {
  const { out } = await runCli(['report', '--from', fixture('js-interrupt-second'), '--json'])
  const { thread } = JSON.parse(out).checkpoint
  expect(thread.interrupts.filter(({ state }: { state: string }) => state !== 'answered')).toMatchObject([
    { node: 'ask', value: 'q2', state: 'answer_reused' },
  ])
  expect(thread.warnings.map(({ code }: { code: string }) => code)).toContain('answer_reused')
  expect(thread.advice.action).toBe('hand_over')
  const text = (await runCli(['report', '--from', fixture('js-interrupt-second')])).out
  expect(text).toContain('the answer "a1" is stored; a resume without an answer uses it again')
})

it('D4: a decision about an id that is not there writes nothing and names those that are near', async () => {
  const ledger = await aLedger()
  await ledger.lost({ operation_id: 'op-62' })
  await ledger.store.close()
  const before = readFileSync(ledger.path)
  const { code, err } = await runCli([
    ...['resolve', 'op-26', '--as', 'confirmed', '--evidence', 't', '--reason', 'r', '--by', 'maya', '--yes'],
    ...['--ledger', ledger.path],
  ])
  expect(code).toBe(4)
  expect(err).toContain('there is no operation op-26 (did you mean op-62?)')
  expect(readFileSync(ledger.path).equals(before)).toBe(true)
})

it('D9: what both branches of a thread did is told, and which of them is current', async () => {
  const ledger = await aLedger()
  const { store, clock } = ledger
  const thread = { source: 'langgraph', uri: fixture('js-fork-old-checkpoint'), thread_id: 't1' }
  const request = { type: 'open', task: { task_id: 'run-66', thread } } as const
  const by = { actor: 'agent', clock }
  await store.changeTask({ task_id: 'run-66', request, by, isOwnerGone: () => false })
  for (const [id, value] of [
    ['op-66', 'inv-1'],
    ['op-67', 'inv-2'],
  ] as const) {
    await ledger.confirmed({ operation_id: id, task_id: 'run-66', input: id })
    const external_ids = [{ kind: 'invoice', value }]
    await store.addEvidence({ operation_id: id, evidence: [], external_ids, by })
  }
  await store.close()
  const { out } = await runCli(['report', 'run-66', '--ledger', ledger.path, '--json'])
  const { confirmed, checkpoint, external_ids } = JSON.parse(out)
  expect(confirmed.map((one: { operation_id: string }) => one.operation_id)).toEqual(['op-66', 'op-67'])
  const forked = checkpoint.thread.warnings.find(({ code }: { code: string }) => code === 'forked')
  expect(forked.message).toMatch(
    new RegExp(`2 branches, ending at \\S+, ${checkpoint.thread.checkpoint_id} \\(the current one\\)`),
  )
  expect(external_ids.map(({ value }: { value: string }) => value)).toEqual(
    expect.arrayContaining(['inv-1', 'inv-2']),
  )
})

it('P7: a backup holds what only the log of a ledger holds, while its writer is open', async () => {
  const ledger = await aLedger()
  await ledger.lost({ operation_id: 'op-999' })
  const folder = aDirectory()
  const output = join(folder, 'copy.db')
  const { code } = await runCli(['backup', '--ledger', ledger.path, '--output', output])
  expect(code).toBe(0)
  const { out } = await runCli(['list', '--unknown', '--ledger', output, '--json'])
  expect(listDocument.parse(JSON.parse(out)).operations.map(one => one.operation_id)).toEqual(['op-999'])
})

it('R8: the ids of a step before and after a replay lead to one operation with two attempts', async () => {
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  const line = (id: string, fields: object) =>
    `${JSON.stringify({ operation_id: id, run_id: 'A1', tool: 'post', attempt: 1, ...fields })}\n`
  const first = join(cwd, 'a1.jsonl')
  writeFileSync(first, line('T-1', { status: 'failed', error: 'timeout', at: '2026-03-10T11:00:00Z' }))
  const replayed = join(cwd, 'a1-again.jsonl')
  writeFileSync(
    replayed,
    readFileSync(first, 'utf8') +
      line('T-9', { status: 'succeeded', replay_of: 'T-1', at: '2026-03-10T11:05:00Z' }),
  )
  for (const file of [first, replayed]) expect((await runCli(['import', file], { cwd })).code).toBe(0)
  const show = async (id: string) => {
    const { out, err } = await runCli(['show', id, '--json'], { cwd })
    return { ...showDocument.parse(JSON.parse(out)), err }
  }
  const [before, after] = [await show('T-1'), await show('T-9')]
  expect(before.operation_id).toBe('jsonl:T-1')
  expect(after.operation_id).toBe('jsonl:T-1')
  expect(after.err).toContain('T-9 is the source_id id of jsonl:T-1')
  expect(after.attempts).toHaveLength(2)
  const again = await runCli(['import', replayed, '--json'], { cwd })
  expect(JSON.parse(again.out).inputs[0].outcome).toBe('nothing_new')
})

it('an id that several operations have elsewhere leads to none, and they are named', async () => {
  const ledger = await aLedger()
  await ledger.confirmed({ operation_id: 'a', input: 1 })
  await ledger.confirmed({ operation_id: 'b', input: 2 })
  await ledger.store.close()
  const { code, err } = await runCli(['show', 'T-1', '--ledger', ledger.path])
  expect(code).toBe(4)
  expect(err).toContain('it is an external id of a, b')
  expect(err).toContain('agent-ledger list --all --external-id=T-1')
})
