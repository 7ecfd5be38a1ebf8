import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { textHead } from '../../../src/sources/text-file/chunks.js'
import { createJsonSplitter, type JsonPiece } from '../../../src/sources/text-file/json-splitter.js'
import { jsonValues } from '../../../src/sources/text-file/json-values.js'
import { textLines } from '../../../src/sources/text-file/lines.js'

const folder = mkdtempSync(join(tmpdir(), 'text-file-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'input')

async function read(content: string | Buffer, options: object = { lists: ['events', 'history.events'] }) {
  writeFileSync(path, content)
  const pieces: JsonPiece[] = []
  for await (const piece of jsonValues(path, options)) pieces.push(piece)
  return pieces
}

const told = (pieces: readonly JsonPiece[]) =>
  pieces.map(piece =>
    piece.kind === 'torn' ? `torn: ${piece.why}` : `${piece.kind} ${JSON.stringify(piece.value)}`,
  )

describe('the JSON values of a file', () => {
  it.each([
    ['one document', '{"a":[1,{"b":"]}"}]}', ['value {"a":[1,{"b":"]}"}]}']],
    ['one a line', '{"a":1}\r\n\n{"a":2}', ['value {"a":1}', 'value {"a":2}']],
    ['the items of one array', ' [ {"a":1}, "x\\"" , [2] ] ', ['value {"a":1}', 'value "x\\""', 'value [2]']],
    [
      'bare values',
      '1 true null "s" -2.5e3',
      ['value 1', 'value true', 'value null', 'value "s"', 'value -2500'],
    ],
    ['nothing', ' \n', []],
    [
      'a list taken out',
      '{"x":{"events":[9]},"events":[{"i":1},2],"y":"z"}',
      ['item {"i":1}', 'item 2', 'value {"x":{"events":[9]},"events":[],"y":"z"}'],
    ],
    [
      'a list two levels down, in each item of an array',
      '[{"history":{"events":[1]},"t":""},{"history":{"events":[]}}]',
      ['item 1', 'value {"history":{"events":[]},"t":""}', 'value {"history":{"events":[]}}'],
    ],
    ['a list that is none', '{"events":null}', ['value {"events":null}']],
    ['digits no number holds', '{"id":12345678901234567890}', ['value {"id":"12345678901234567890"}']],
  ])('%s', async (_, content, expected) => {
    expect(told(await read(content))).toEqual(expected)
  })

  it.each([
    ['a line cut inside a text', '{"a":"x\n{"b":2}', ['torn: a line ends inside a text', 'value {"b":2}']],
    [
      'a line cut between values',
      '{"c":[1,\n{"d":4},\n{"a"\n{"b":2}',
      ['torn: a value begins inside another that was not finished', 'value {"b":2}'],
    ],
    [
      'a line cut after a key',
      '{"a"\n{"b":2}',
      ['torn: a value begins inside another that was not finished', 'value {"b":2}'],
    ],
    [
      'brackets that do not fit',
      '{"a":[1}\n{"b":2}',
      ['torn: a bracket closes what another opened', 'value {"b":2}'],
    ],
    ['what is no JSON', '{"a":nope} {"b":2}', ['torn: a value is no JSON', 'value {"b":2}']],
    [
      'a file that ends inside its list',
      '{"events":[{"i":1},{"i"',
      ['item {"i":1}', 'torn: the file ends before the value does'],
    ],
    [
      'an array that is not closed',
      '[{"i":1}',
      ['value {"i":1}', 'torn: the file ends before the value does'],
    ],
  ])('says what is torn and reads on: %s', async (_, content, expected) => {
    const pieces = await read(content)
    expect(told(pieces).slice(0, expected.length)).toEqual(expected)
  })

  it('comes the same however the bytes are cut into chunks', () => {
    const text = '[{"history":{"events":[{"é":"\\u00e9\\\\"},[1,2]],"n":1}},\n{"a":"x\n{"events":[3],"k":"}"}'
    const inChunks = (size: number) => {
      const pieces: JsonPiece[] = []
      const splitter = createJsonSplitter({ lists: ['events', 'history.events'] }, piece =>
        pieces.push(piece),
      )
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += size)
        splitter.write(Buffer.from(bytes.subarray(at, at + size)))
      splitter.end()
      return pieces
    }
    const whole = inChunks(1000)
    expect(whole.map(({ kind }) => kind)).toEqual(['item', 'item', 'value', 'torn', 'item', 'value'])
    for (let size = 1; size < 40; size++) expect(inChunks(size)).toEqual(whole)
  })

  it('gives the offset of each value', async () => {
    const content = '  {"a":1}\n\n[{"b":"é"},{"c":3}]'
    for (const piece of await read(content)) {
      const text = Buffer.from(content).subarray(piece.offset).toString()
      expect(piece.kind === 'value' && text.startsWith(JSON.stringify(piece.value))).toBe(true)
    }
  })

  it('keeps no value larger than it is told', async () => {
    const pieces = await read(`{"a":"${'x'.repeat(100)}"}{"b":1}`, { mostBytes: 50 })
    expect(told(pieces)).toEqual(['torn: a value of 108 bytes is larger than what is kept', 'value {"b":1}'])
  })

  it('refuses nesting that nothing after it could hold', async () => {
    expect(told(await read(`${'{"a":'.repeat(600)}1${'}'.repeat(600)}{"b":1}`))).toEqual([
      'torn: a value is nested more than 500 levels deep',
      'value {"b":1}',
    ])
  })

  it('reads UTF-16, as PowerShell writes it, and passes over a byte order mark', async () => {
    expect(told(await read(Buffer.from('\ufeff{"a":"é😀"}', 'utf16le')))).toEqual(['value {"a":"é😀"}'])
    expect(told(await read('\ufeff{"a":1}'))).toEqual(['value {"a":1}'])
    expect(textHead(path, 4).toString()).toBe('{')
  })
})

describe('the lines of a file', () => {
  it('come with number and place, and the last says whether it is whole', async () => {
    writeFileSync(path, 'é\r\n\nlong line\ncut')
    const lines = []
    for await (const line of textLines(path, { mostBytes: 5 })) lines.push(line)
    expect(lines).toEqual([
      { text: 'é', line: 1, offset: 0, isWhole: true },
      { text: '', line: 2, offset: 4, isWhole: true },
      { text: null, line: 3, offset: 5, isWhole: true },
      { text: 'cut', line: 4, offset: 15, isWhole: false },
    ])
  })

  it('are refused by the path that cannot be read', async () => {
    await expect(textLines(join(folder, 'nowhere')).next()).rejects.toMatchObject({
      code: 'ledger_unreadable',
      path: join(folder, 'nowhere'),
    })
  })
})
