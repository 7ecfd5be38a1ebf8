import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-blocks-'))
// What the blocks import of others.
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true }))

test('every TypeScript block of the README and the documents compiles against the library', async () => {
  const blocks = documents().flatMap(blocksOf)
  expect(blocks.length).toBeGreaterThan(2)
  for (const { name, code } of blocks) writeFileSync(join(folder, name), `${code}\nexport {}\n`)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config()))
  expect(await compile()).toBe('')
})

test('a block that calls the library wrongly is found', async () => {
  writeFileSync(
    join(folder, 'wrong.mts'),
    "import { openLedger } from 'agent-ledger'\nawait openLedger(42)\n",
  )
  expect(await compile()).toContain('wrong.mts(2,18): error TS2345')
})

function documents(): string[] {
  const docs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
  return ['README.md', ...docs.map(name => join('docs', name))]
}

/** Fenced blocks marked `ts`; one that is only a part of a program is marked otherwise (`text`). */
function blocksOf(file: string) {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], n) => ({
    name: `${file.replaceAll(/\W/g, '-')}-${n + 1}.mts`,
    code,
  }))
}

function config() {
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noUnusedLocals: false,
      typeRoots: [join(root, 'node_modules/@types')],
      paths: {
        'agent-ledger': [join(root, 'src/index.ts')],
        'agent-ledger/testing': [join(root, 'src/testing/index.ts')],
        'agent-ledger/*': [join(root, 'src/execute/wrappers/*.ts')],
      },
    },
    include: ['*.mts'],
  }
}

function compile(): Promise<string> {
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
      { cwd: folder },
      (_, printed) => resolve(printed),
    )
  })
}
