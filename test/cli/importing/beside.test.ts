import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importDocument } from '../../../src/core/documents/import-schema.js'
import { listDocument } from '../../../src/core/documents/list-schema.js'
import { openLedger } from '../../../src/ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'

async function aPlace() {
  const cwd = aDirectory()
  const cli = (...argv: string[]) => runCli(argv, { cwd })
  await cli('init')
  const take = async (lines: readonly object[], source = 'jsonl') => {
    const file = join(cwd, 'theirs.jsonl')
    writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    const { out } = await cli('import', source, file, '--json')
    const [input] = importDocument.parse(JSON.parse(out)).inputs
    return input
  }
  const stalledTasks = async () => {
    const { out } = await cli('list', '--stalled', '--json')
    return listDocument.parse(JSON.parse(out)).stalled_tasks ?? []
  }
  const verified = async () => (await cli('verify')).code
  return { cwd, cli, take, stalledTasks, verified }
}

const task = { record: 'task', task_id: 'jsonl:run-7', goal: 'Ship it', status: 'running' }
const phase = {
  record: 'phase',
  task_id: 'jsonl:run-7',
  name: 'build',
  input_revision: 'abc123',
  status: 'done',
  artifact: 'dist',
  artifact_digest: `sha256:${'ab'.repeat(32)}`,
}

describe('a phase of another record', () => {
  it('is taken in, moved on and known again, and verify finds each of them as it was written', async () => {
    const { take, verified } = await aPlace()
    const counts = (added: number, changed: number, unchanged: number) => ({
      phases: { added, changed, unchanged },
    })
    expect(await take([task, { ...phase, status: 'running' }])).toMatchObject(counts(1, 0, 0))
    expect(await verified()).toBe(0)
    expect(await take([task, phase])).toMatchObject(counts(0, 1, 0))
    expect(await verified()).toBe(0)
    expect(await take([task, { ...phase, at: 1_770_000_000_000 }])).toMatchObject(counts(0, 0, 1))
  })

  it('does not take the place of one that was written here', async () => {
    const { cwd, cli, take } = await aPlace()
    const ledger = await openLedger(join(cwd, '.agent-ledger', 'ledger.db'))
    const own = await ledger.task('jsonl:run-7')
    await own.phase('build', { inputRevision: 'v1' }, () => 'built')
    await ledger.close()
    const input = await take([task, phase])
    expect(input?.warnings).toMatchObject([{ code: 'phase_written_here' }])
    expect((await cli('report', 'jsonl:run-7', '--json')).out).not.toContain('abc123')
  })

  it('of a ledger of ours comes back with all that tells whether it may be reused', async () => {
    const [from, to] = [await aPlace(), await aPlace()]
    const url = join(from.cwd, '.agent-ledger', 'ledger.db')
    const ledger = await openLedger(url)
    const about = await ledger.task('release')
    await about.phase('install', { inputRevision: 'v1' }, () => 1)
    await about.phase('build', { inputRevision: 'v1', basedOn: ['install'] }, () => ({ files: 7 }))
    await about.note({ summary: 'It builds.', model: 'm-1' })
    await ledger.close()
    const { out } = await from.cli('export')
    writeFileSync(join(to.cwd, 'copy.jsonl'), out)
    expect((await to.cli('import', 'jsonl', 'copy.jsonl')).code).toBe(0)
    expect(await to.verified()).toBe(0)
    const copy = await openLedger(join(to.cwd, '.agent-ledger', 'ledger.db'))
    const again = await copy.task('release')
    expect(await again.phase('build', { inputRevision: 'v1', basedOn: ['install'] }, () => 0)).toMatchObject({
      reused: true,
      result: { files: 7 },
    })
    await copy.close()
    expect((await to.cli('report', 'release')).out).toContain('It builds.')
    writeFileSync(join(from.cwd, 'copy.jsonl'), readFileSync(join(to.cwd, 'copy.jsonl')))
    const back = await from.cli('import', 'jsonl', 'copy.jsonl', '--json')
    expect(JSON.parse(back.out).inputs[0].outcome).toBe('nothing_new')
  })
})

describe('what an agent did, told without times', () => {
  const call = (result: string) => ({
    record: 'action',
    task_id: task.task_id,
    kind: 'tool',
    tool: 'log',
    input: { job: 4 },
    result,
    outcome: 'ok',
  })

  it('is known by its place, so that a loop is counted once however often it is read', async () => {
    const { take, stalledTasks } = await aPlace()
    const three = [task, call('a'), call('b'), call('b'), call('b')]
    expect(await take(three)).toMatchObject({ actions: { added: 4 } })
    expect(await take(three)).toMatchObject({ actions: { added: 0, unchanged: 4 } })
    expect(await stalledTasks()).toEqual([])
    expect(await take([...three, call('b')])).toMatchObject({ actions: { added: 1, unchanged: 4 } })
    expect(await stalledTasks()).toMatchObject([
      { task_id: task.task_id, stalled_by: [{ rule: 'loop_same_action_same_result', times: 4 }] },
    ])
  })

  it('makes no sign of life: a task that stood still does not live for having been read', async () => {
    const { take, cli } = await aPlace()
    const old = { ...task, created_at: Date.now() - 86_400_000 }
    await take([old, call('a'), call('b')])
    const { out } = await cli('list', '--stalled', '--json')
    expect(listDocument.parse(JSON.parse(out)).stalled_tasks).toEqual([])
  })

  it('is told apart from what has times beside it', async () => {
    const { take } = await aPlace()
    const timed = (at: number, result: string) => ({ ...call(result), at })
    const mixed = [task, timed(3_000, 'x'), call('a'), timed(2_000, 'y'), timed(4_000, 'z'), call('b')]
    await take(mixed)
    expect(await take(mixed)).toMatchObject({ actions: { added: 0 } })
    expect(await take([...mixed, call('c')])).toMatchObject({ actions: { added: 1 } })
  })
})
