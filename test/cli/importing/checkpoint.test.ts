import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkpointDocument } from '../../../src/core/documents/checkpoint-schema.js'
import { fixture } from '../../sources/saver-file.js'
import { aDirectory } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'
import { anEffectLedger, CHARGE } from './a-source.js'

const read = async (argv: readonly string[], cwd = aDirectory()) => {
  const { code, out, err } = await runCli(['checkpoint', ...argv, '--json'], { cwd })
  return { code, err, document: out === '' ? undefined : checkpointDocument.parse(JSON.parse(out)) }
}

describe('checkpoint', () => {
  it('says by what it knew the system, on stderr and in the text', async () => {
    const why = 'has the tables checkpoints and writes of a LangGraph saver'
    const { out, err } = await runCli(['checkpoint', fixture('js-agent-tools-kill')], { cwd: aDirectory() })
    expect(err).toContain(`${why}: read as langgraph`)
    expect(out).toContain(`read as langgraph: it ${why}`)
  })

  it('tells what a resume would repeat by the store’s own records where no ledger knows the run', async () => {
    const { document } = await read([fixture('js-agent-tools-kill')])
    expect(document?.threads[0]?.replay_risk).toMatchObject([
      { operation_id: 'langgraph:t1:call_2', node: 'tools', status: 'unknown' },
    ])
    expect(document?.threads[0]?.advice.action).toBe('reconcile_first')
  })

  it('does not take records that tell nothing of a node for a node that does nothing', async () => {
    const { document } = await read(['--from', fixture('js-kill-mid-node')])
    const advice = document?.threads[0]?.advice
    expect(advice?.action).toBe('reconcile_first')
    expect(advice?.reasons[0]).toContain('no ledger knows this run')
  })

  it('shows records without checkpoints as threads of which nobody knows what would run', async () => {
    const { path } = anEffectLedger({ state: 'indeterminate' })
    const { document } = await read([path])
    expect(document).toMatchObject({ source: 'effect-ledger', saver: 'records', left_out: 0 })
    expect(document?.threads[0]?.replay_risk.map(one => one.operation_id)).toEqual([CHARGE])
    expect(document?.threads[0]?.warnings.map(one => one.code)).toEqual(['no_checkpoint'])
    const named = await read([path, '--thread', 'effect-ledger:orders', '--source', 'effect-ledger'])
    expect(named.document?.threads).toEqual(document?.threads)
    const unknown = await read([path, '--thread', 'effect-ledger:order'])
    expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining('did you mean')])
  })

  it('holds no more threads than fit, and says how many are left out', async () => {
    const path = join(aDirectory(), 'many.jsonl')
    const lines = Array.from({ length: 1_003 }, (_, n) =>
      JSON.stringify({ operation_id: `o${n}`, run_id: `r${n}`, tool: 't', status: 'unknown' }),
    )
    writeFileSync(path, lines.join('\n'))
    const { document, err } = await read(['--from', path])
    expect([document?.threads.length, document?.left_out]).toEqual([1_000, 3])
    expect(err).toContain('3 more threads are stored: name one with --thread')
  })

  it.each([
    [[], 'nothing to read was named'],
    [['a', '--from', 'b'], 'given twice'],
    [['--from', fixture('js-done'), '--source', 'nobody'], 'there is no source nobody'],
    [['--from', fixture('js-done'), '--source', 'temporal'], 'is a SQLite database, not a history'],
  ])('refuses %j', async (argv, why) => {
    const { code, err, document } = await read(argv)
    expect(code).toBeGreaterThan(1)
    expect(err).toContain(why)
    expect(document).toBeUndefined()
  })
})
