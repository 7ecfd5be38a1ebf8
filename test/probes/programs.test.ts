import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SingleProbe } from '../../src/core/probe.js'
import { askProbe } from '../../src/probes/index.js'
import { aWorld, someFacts } from './support/asking.js'

function aFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function ask(probe: SingleProbe, folder = '/tmp') {
  return askProbe(probe, { facts: someFacts(), world: aWorld({ folder }), settleMs: undefined })
}

/** A program of Node, given as its text. */
async function run(text: string, over: Partial<Extract<SingleProbe, { kind: 'command' }>> = {}) {
  const folder = aFolder({ 'probe.mjs': text })
  return ask({ kind: 'command', run: [process.execPath, 'probe.mjs'], grade: 'B', ...over }, folder)
}

const FOUND = {
  completeness: 'complete',
  matches: [{ external_id: { kind: 'job', value: 'j-1' }, matched_by: 'key' }],
  parent: 'readable',
}

describe('a program that probes', () => {
  it('gets the question on stdin and answers on stdout', async () => {
    const seen = await run(`
      let text = ''
      for await (const chunk of process.stdin) text += chunk
      const { idempotency_key, input } = JSON.parse(text)
      const found = ${JSON.stringify(FOUND)}
      found.result = { idempotency_key, title: input.title }
      console.log(JSON.stringify(found))`)
    expect(seen).toMatchObject({
      ...FOUND,
      grade: 'B',
      result: { idempotency_key: 'al-key-1', title: 'Disk full' },
      response_digest: expect.stringMatching(/^sha256:/),
    })
  })

  it.each([
    ['says nothing and ends with 0', '', 'said nothing'],
    ['prints nonsense', 'console.log("all good!")', 'no JSON'],
    ['prints JSON that is no answer', 'console.log("{}")', 'does not fit'],
    ['misspells a field', `console.log('{"completeness":"complete","match":[]}')`, 'does not fit'],
    [
      'names an id that is none',
      `console.log('{"completeness":"complete","matches":[{"external_id":{"kind":"a","value":""},"matched_by":"key"}]}')`,
      'an external id that is none',
    ],
  ])('is not understood where it %s', async (_, text, why) => {
    expect(await run(text)).toMatchObject({
      completeness: 'failed',
      code: 'not_understood',
      why: expect.stringContaining(why),
    })
  })

  it.each([
    ['fails', 'console.error("no route"); process.exit(3)', 'ended with 3: no route'],
    [
      'fails after an answer',
      `console.log('${JSON.stringify(FOUND)}'); process.exitCode = 1`,
      'ended with 1',
    ],
    ['is killed', 'process.kill(process.pid, "SIGKILL")', 'ended by SIGKILL'],
  ])('failed where it %s', async (_, text, why) => {
    expect(await run(text)).toMatchObject({
      completeness: 'failed',
      code: 'program_failed',
      why: expect.stringContaining(why),
    })
  })

  it('that is not there failed', async () => {
    expect(await ask({ kind: 'command', run: ['/nowhere/probe'] })).toMatchObject({
      completeness: 'failed',
      code: 'program_failed',
    })
  })

  it('that hangs is ended with all it began', async () => {
    const folder = aFolder({
      'child.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)`,
      'probe.mjs': `
        import { spawn } from 'node:child_process'
        process.on('SIGTERM', () => {})
        spawn(process.execPath, ['child.mjs'], { stdio: 'inherit' })
        setInterval(() => {}, 1000)`,
    })
    const seen = await ask(
      { kind: 'command', run: [process.execPath, 'probe.mjs'], timeout_ms: 3_000 },
      folder,
    )
    expect(seen).toMatchObject({ completeness: 'failed', code: 'timed_out' })
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('that ends and leaves a child with its pipe is waited for no longer', async () => {
    const seen = await run(`
      import { spawn } from 'node:child_process'
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      process.stdout.write('${JSON.stringify(FOUND)}', () => process.exit(0))`)
    expect(seen).toMatchObject(FOUND)
  })

  it('that says too much is ended', async () => {
    expect(await ask({ kind: 'command', run: ['yes'] })).toMatchObject({
      completeness: 'failed',
      code: 'too_large',
    })
  })

  it('gets no variable that is not named, and one that it prints is masked', async () => {
    const text = `
      const said = process.env.TOKEN ?? 'none'
      console.log(JSON.stringify({ completeness: 'complete', matches: [], result: said, disagreements: ['it is ' + said] }))`
    expect(await run(text)).toMatchObject({ result: 'none' })
    const named = await run(text, { env: ['TOKEN'] })
    expect(named).toMatchObject({ result: '[masked env.TOKEN]', disagreements: ['it is [masked env.TOKEN]'] })
    expect(await run(text, { env: ['NOT_THERE'] })).toMatchObject({ code: 'cannot_ask' })
  })

  it('is given no option that a value of the record would be', async () => {
    const facts = someFacts({ target: '--delete-all' })
    const probe: SingleProbe = { kind: 'command', run: ['echo', '{target}'] }
    const seen = await askProbe(probe, { facts, world: aWorld(), settleMs: undefined })
    expect(seen).toMatchObject({ completeness: 'failed', code: 'cannot_ask' })
  })

  it('is run without a shell', async () => {
    const folder = aFolder({})
    const facts = someFacts({ target: '$(touch pwned); touch pwned' })
    const world = aWorld({ folder })
    await askProbe({ kind: 'command', run: ['echo', '{target}'] }, { facts, world, settleMs: undefined })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })
})

describe('a module that probes', () => {
  const module = (text: string, over = {}) => {
    const folder = aFolder({ 'probe.mjs': text })
    return ask({ kind: 'module', path: 'probe.mjs', grade: 'C', ...over }, folder)
  }

  it('is called with the question, and what it prints is not its answer', async () => {
    const seen = await module(`
      console.log('hello')
      export async function probe({ operation_id }) {
        return { completeness: 'partial', why: 'one page', matches: [{ external_id: { kind: 'j', value: operation_id }, matched_by: 'operation_id' }] }
      }`)
    expect(seen).toMatchObject({
      completeness: 'partial',
      why: 'one page',
      grade: 'C',
      matches: [{ external_id: { value: 'op-1' } }],
    })
  })

  it.each([
    ['throws', 'export function probe() { throw new Error("no") }', 'program_failed'],
    ['answers nothing', 'export function probe() {}', 'not_understood'],
    ['has no such export', 'export const a = 1', 'program_failed'],
    ['does not load', 'import "./none.mjs"', 'program_failed'],
    [
      'never answers',
      'export function probe() { return new Promise(() => setInterval(() => {}, 1000)) }',
      'timed_out',
    ],
  ])('that %s failed', async (_, text, code) => {
    expect(await module(text, { timeout_ms: code === 'timed_out' ? 1_500 : 20_000 })).toMatchObject({
      completeness: 'failed',
      code,
    })
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
