import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importDocument } from '../../../src/core/documents/import-schema.js'
import { showDocument } from '../../../src/core/documents/show-schema.js'
import { aDirectory, contentsOf } from '../../store/support/places.js'
import { runCli } from '../fake-io.js'
import { anEffectLedger, CHARGE } from './a-source.js'

async function aPlace() {
  const cwd = aDirectory()
  await runCli(['init'], { cwd })
  const importing = async (...argv: string[]) => {
    const { code, out, err } = await runCli(['import', ...argv, '--json'], { cwd })
    return { code, err, inputs: out === '' ? [] : importDocument.parse(JSON.parse(out)).inputs }
  }
  const show = async (id = CHARGE) => {
    const document = showDocument.parse(JSON.parse((await runCli(['show', id, '--json'], { cwd })).out))
    return { ...document, ...document.intent, ...document.state }
  }
  const decide = (...argv: string[]) => runCli([...argv, '--yes', '--by', 'ana'], { cwd })
  const verify = async () => (await runCli(['verify'], { cwd })).code
  return { cwd, importing, show, decide, verify }
}

const CONFIRM = ['resolve', CHARGE, '--as', 'confirmed', '--evidence', 'seen', '--reason', 'it is there']

describe('import', () => {
  it('takes one thread alone in, where one is named, and tells of one that is not there', async () => {
    const { cwd, importing } = await aPlace()
    const lines = ['a', 'b'].map(run =>
      JSON.stringify({ operation_id: `op-${run}`, run_id: run, tool: 'post', status: 'unknown' }),
    )
    writeFileSync(join(cwd, 'two.jsonl'), lines.join('\n'))
    const one = await importing('two.jsonl', '--thread', 'jsonl:b')
    expect(one.inputs).toMatchObject([{ tasks: { added: 1 }, operations: { added: 1 } }])
    const { code, err } = await importing('two.jsonl', '--thread', 'jsonl:c')
    expect([code, JSON.parse(err)]).toEqual([
      4,
      expect.objectContaining({ code: 'not_found', id: 'jsonl:c' }),
    ])
    const history = join(import.meta.dirname, '../../../fixtures/temporal/failed')
    expect((await importing(history, '--thread', 'nobody')).code).toBe(4)
  })

  it('takes their record over as it stands, with their word, the rule and why as imported evidence', async () => {
    const { importing, show, verify } = await aPlace()
    const { path } = anEffectLedger({ state: 'indeterminate', error: 'TimeoutError' })
    const { code, inputs } = await importing(path)
    expect([code, inputs[0]?.source, inputs[0]?.outcome, inputs[0]?.operations.added]).toEqual([
      0,
      'effect-ledger',
      'done',
      1,
    ])
    const shown = await show()
    expect(shown).toMatchObject({
      status: 'unknown',
      in_doubt: true,
      provenance: 'imported',
      idempotency_key: 'k-1',
    })
    expect(shown.evidence).toEqual([
      expect.objectContaining({
        kind: 'record',
        origin: 'imported',
        body: expect.objectContaining({
          source: 'effect-ledger',
          foreign_status: 'indeterminate',
          rule: 'effect_ledger.indeterminate',
          why: expect.stringContaining('does not say whether'),
        }),
      }),
    ])
    expect(shown.attempts).toEqual([expect.objectContaining({ n: 1, end: 'ambiguous' })])
    expect(await verify()).toBe(0)
  })

  it('changes nothing the second time, and says so', async () => {
    const { cwd, importing } = await aPlace()
    const { path } = anEffectLedger()
    await importing(path)
    const before = contentsOf(join(cwd, '.agent-ledger'))
    const { code, inputs } = await importing(path)
    expect([code, inputs[0]?.outcome, inputs[0]?.operations.unchanged]).toEqual([0, 'nothing_new', 1])
    expect(contentsOf(join(cwd, '.agent-ledger'))['ledger.db']).toBe(before['ledger.db'])
    expect((await runCli(['import', path], { cwd })).out).toContain('nothing new, nothing was changed')
  })

  it('says what a dry run would do, and does nothing', async () => {
    const { cwd, importing } = await aPlace()
    const { path } = anEffectLedger()
    const { inputs } = await importing(path, '--dry-run')
    expect([inputs[0]?.outcome, inputs[0]?.operations.added]).toEqual(['would_be_done', 1])
    expect((await runCli(['list', '--all', '--json'], { cwd })).out).toContain('"operations":[]')
  })

  it('never calls what is in flight without a lease dead, until a person says that the workers are stopped', async () => {
    const { importing, show, verify } = await aPlace()
    const { path } = anEffectLedger()
    await importing(path)
    expect(await show()).toMatchObject({
      status: 'in_flight',
      in_doubt: false,
      next_action: { next_action: 'ask_person' },
    })
    await importing(path, '--assume-workers-stopped')
    const shown = await show()
    expect(shown).toMatchObject({ status: 'unknown', in_doubt: true })
    expect(shown.evidence.at(-1)?.body).toMatchObject({ rule: 'workers_stopped' })
    expect(await verify()).toBe(0)
  })

  it('moves on with their news while nobody here has decided', async () => {
    const { importing, show, verify } = await aPlace()
    const { path, set } = anEffectLedger()
    await importing(path)
    set({ state: 'indeterminate', error: 'TimeoutError' })
    await importing(path)
    expect((await show()).status).toBe('unknown')
    set({ state: 'in_flight', attempt: 2, error: null })
    await importing(path)
    expect(await show()).toMatchObject({ status: 'in_flight', may_have_applied: true })
    set({ state: 'completed', result: '{"id":"ch_1"}' })
    const { inputs } = await importing(path)
    expect(inputs[0]?.operations.changed).toBe(1)
    expect(await show()).toMatchObject({
      status: 'confirmed',
      settled_by: 'imported',
      result: { id: 'ch_1' },
    })
    expect(await verify()).toBe(0)
  })

  it('keeps what was decided here, and their other word as evidence', async () => {
    const { importing, show, decide, verify } = await aPlace()
    const { path, set } = anEffectLedger({ state: 'indeterminate' })
    await importing(path)
    expect((await decide(...CONFIRM)).code).toBe(0)
    set({ state: 'ready' })
    const { inputs, err } = await importing(path)
    expect(inputs[0]?.operations.kept_as_evidence).toBe(1)
    expect(err).toContain('kept_as_evidence')
    const shown = await show()
    expect(shown).toMatchObject({ status: 'confirmed', by_hand: { by: 'flag:ana' } })
    expect(shown.evidence.at(-1)?.body).toMatchObject({ foreign_status: 'ready' })
    expect((await importing(path)).inputs[0]?.outcome).toBe('nothing_new')
    expect(await verify()).toBe(0)
  })

  it('shows a contradiction, loudly, and leaves it to a person', async () => {
    const { importing, show, decide, verify } = await aPlace()
    const { path, set } = anEffectLedger({ state: 'indeterminate' })
    await importing(path)
    const wrong = [
      'resolve',
      CHARGE,
      '--as',
      'not-executed',
      '--evidence',
      'not there',
      '--reason',
      'no trace',
      '--early',
    ]
    expect((await decide(...wrong)).code).toBe(0)
    set({ state: 'completed', result: '{}' })
    const { inputs, err } = await importing(path)
    expect(inputs[0]?.operations.contradicted).toBe(1)
    expect(err).toContain('contradicted')
    expect(await show()).toMatchObject({ status: 'unknown', flags: { contradicted: true } })
    expect(await verify()).toBe(0)
  })

  it('refuses to send what another system may send, until a person allows it', async () => {
    const { cwd, importing, decide } = await aPlace()
    await importing(anEffectLedger({ state: 'ready' }).path)
    const line = JSON.stringify({ operation_id: CHARGE })
    const sent = await runCli(['record', 'send'], { cwd, stdin: line })
    expect([sent.code, sent.out + sent.err]).toEqual([7, expect.stringContaining('that system may send it')])
    await decide(
      'resolve',
      CHARGE,
      '--as',
      'not-executed',
      '--evidence',
      'no',
      '--reason',
      'no trace',
      '--early',
    )
    expect(
      (await decide('allow-retry', CHARGE, '--reason', 'it is off', '--accept-duplicate', 'may be twice'))
        .code,
    ).toBe(0)
    expect((await runCli(['record', 'send'], { cwd, stdin: line })).code).toBe(0)
  })

  it('leaves out another operation under the same id, takes the rest and ends with 6', async () => {
    const { importing } = await aPlace()
    await importing(anEffectLedger().path)
    const { code, inputs, err } = await importing(anEffectLedger({ request: '{"cents":1}' }).path)
    expect([code, inputs[0]?.operations.refused]).toEqual([6, 1])
    expect(err).toContain('other_intent')
  })

  it('goes on after an input that cannot be read, and ends with 6', async () => {
    const { cwd, importing } = await aPlace()
    writeFileSync(join(cwd, 'torn.db'), 'SQLite format 3\0')
    const { code, inputs } = await importing('torn.db', anEffectLedger().path)
    expect(code).toBe(6)
    expect(inputs.map(({ outcome }) => outcome)).toEqual(['not_done', 'done'])
    const alone = await runCli(['import', 'torn.db'], { cwd })
    expect(alone.code).toBe(3)
  })

  it('says what each source found in what none of them knows', async () => {
    const { cwd } = await aPlace()
    writeFileSync(join(cwd, 'notes.txt'), 'hello')
    const { code, err } = await runCli(['import', 'notes.txt'], { cwd })
    expect(code).toBe(3)
    for (const title of ['LangGraph', 'effect-ledger', 'agent-effects', 'an export of agent-ledger'])
      expect(err).toContain(title)
  })

  it.each([
    ['an empty file', '', 'is empty'],
    ['nothing that is known', 'hello', 'is known to none of the sources: it is not a SQLite database'],
  ])('says of %s what it is', async (_, content, words) => {
    const { cwd } = await aPlace()
    writeFileSync(join(cwd, 'notes.txt'), content)
    const { code, err } = await runCli(['import', 'notes.txt'], { cwd })
    expect([code, err]).toEqual([3, expect.stringContaining(`notes.txt ${words}`)])
    expect(err.includes('LangGraph')).toBe(content !== '')
  })

  it('says of a device that it is no file', async () => {
    const { cwd } = await aPlace()
    const { code, err } = await runCli(['import', '/dev/null'], { cwd })
    expect([code, err]).toEqual([3, expect.stringContaining('/dev/null is a pipe, socket or device')])
    expect(err).not.toContain('LangGraph')
  })

  it('takes no ledger into itself, and says of another one how it comes in', async () => {
    const [here, there] = [await aPlace(), await aPlace()]
    const own = join('.agent-ledger', 'ledger.db')
    const itself = await runCli(['import', own], { cwd: here.cwd })
    expect([itself.code, itself.err]).toEqual([2, expect.stringContaining('cannot be taken into itself')])
    const other = join(there.cwd, own)
    const { code, err } = await runCli(['import', other], { cwd: here.cwd })
    expect([code, err]).toEqual([3, expect.stringContaining('is a ledger of agent-ledger')])
    expect(err).toContain(`agent-ledger export --ledger=${other} --output`)
  })

  it('takes nothing in where the name of the system is mistyped, and nothing from stdin', async () => {
    const { cwd } = await aPlace()
    const { path } = anEffectLedger()
    const slip = await runCli(['import', 'efect-ledger', path], { cwd })
    expect([slip.code, slip.err]).toEqual([2, expect.stringContaining('(did you mean effect-ledger')])
    expect((await runCli(['list', '--all'], { cwd })).out).not.toContain('charge-1')
    const piped = await runCli(['import', '-'], { cwd })
    expect([piped.code, piped.err]).toEqual([2, expect.stringContaining('not stdin')])
  })

  it('wants a path after the name of a system, and something at all', async () => {
    const { cwd } = await aPlace()
    const named = await runCli(['import', 'effect-ledger'], { cwd })
    expect([named.code, named.err]).toEqual([2, expect.stringContaining('names no file')])
    expect((await runCli(['import'], { cwd })).code).toBe(2)
  })

  it('copies the contract of the tool from the configuration, but neither its key nor its approval', async () => {
    const { cwd, importing, show } = await aPlace()
    writeFileSync(
      join(cwd, 'agent-ledger.yaml'),
      'tools:\n  payments.charge:\n    effect: irreversible\n    approval: required\n    repeat: {kind: idempotency_key, retention: 24h}\n    look_here: {url: "https://pay.example/{target}"}\n',
    )
    await importing(anEffectLedger({ state: 'indeterminate' }).path)
    const shown = await show()
    expect(shown).toMatchObject({ effect: 'irreversible', next_action: { safe_to_repeat: false } })
    expect(JSON.stringify(shown)).not.toContain('"approval":"required"')
  })

  it('leaves the other system’s file byte for byte as it was', async () => {
    const { importing } = await aPlace()
    const { path } = anEffectLedger()
    const before = readFileSync(path)
    await importing(path)
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})
