// Builds dist/: the command line as CommonJS chunks (esbuild) and the library as ES modules with types (tsc).
// Why CommonJS, why chunks: an ES module launcher costs 7 ms a start, and one bundle of everything 130 ms.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { SHORT } from '../bin/load.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const src = join(root, 'src')
const out = join(root, 'dist', 'cli')

async function main() {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const modules = await buildCommandLine()
  writeFileSync(join(out, 'THIRD-PARTY.txt'), licences(modules))
  run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
  plainTypes(join(root, 'dist', 'lib'))
  run('scripts/warm.mjs')
  run('--import', 'tsx', 'scripts/man.ts')
}

/** The types that the package declares name none of Node's own, so that whoever uses them needs no `@types/node`. */
function plainTypes(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter(one => one.endsWith('.d.ts'))) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    const plain = text
      .replace(/^import \{ type KeyObject \} from 'node:crypto';\n/gm, '')
      .replace(/\bKeyObject\b/g, 'object')
      .replace(/\bBuffer\b/g, 'Uint8Array')
    if (plain !== text) writeFileSync(path, plain)
  }
}

function run(...argv) {
  execFileSync(process.execPath, argv, { cwd: root, stdio: 'inherit' })
}

/** Builds the entry, then every module that some chunk imports with `import()`, until no new one is named. */
async function buildCommandLine() {
  const main = join(src, 'cli', 'main.ts')
  const chunks = new Map(['main', ...SHORT.map(name => `main-${name}`)].map(name => [name, main]))
  const inputs = new Set()
  // A Map visits the entries that are added while it is walked.
  for (const [name, entry] of chunks) {
    const inlined = name.startsWith('main-') ? chunksOf(name.slice('main-'.length)) : []
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(out, `${name}.cjs`),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20.19',
      jsx: 'automatic',
      minify: true,
      legalComments: 'none',
      // As Node wraps a module before it runs it: put around it here, bin/load.js need not copy each text to do so.
      banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
      footer: { js: '})' },
      // The application's own; the command line makes no spans.
      external: ['@opentelemetry/api'],
      sourcemap: 'linked',
      sourcesContent: false,
      metafile: true,
      supported: { 'dynamic-import': false },
      // A chunk is CommonJS, where `import.meta` is empty.
      define: { 'process.env.NODE_ENV': '"production"', 'import.meta.dirname': '__dirname' },
      plugins: [
        noExecutableCommands,
        lazyBuiltins,
        awaitedLayout,
        lazyChunks(chunks, inlined),
        sqliteBinding,
        narrowText,
      ],
      logOverride: { 'require-resolve-not-external': 'silent' },
    })
    for (const input of Object.keys(metafile.inputs)) inputs.add(input)
  }
  return inputs
}

/** What a short command loads in any case. In one file with its entry, what they share is there once, and less is opened. */
function chunksOf(command) {
  return ['cli-parse', 'cli-open-for-reading', `cli-commands-${command}`, `ledger-looking-${command}`]
}

/** `import('./x.js')` becomes `require('./x.cjs')` of a chunk of its own, run when it is first called. */
function lazyChunks(chunks, inlined) {
  return {
    name: 'lazy-chunks',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData === 'inner' || kind === 'entry-point' || importer.includes('node_modules'))
          return undefined
        const found = await resolve(path, { kind, resolveDir, importer, pluginData: 'inner' })
        if (found.errors.length > 0) return found
        if (kind === 'dynamic-import' && !found.external) {
          const chunk = chunkOf(chunks, found.path)
          if (!inlined.includes(chunk)) return { path: `./${chunk}.cjs`, external: true }
        }
        // What is imported and not used goes, with all it imports: the registry wants a command's declaration alone.
        return { ...found, sideEffects: false }
      })
    },
  }
}

/** `src/cli/commands/list.ts` → `cli-commands-list`; a package → its name. */
function chunkOf(chunks, file) {
  const inner = relative(src, file)
  const name = inner.startsWith('..') ? packageOf(relative(root, file)).replace('/', '-') : inner
  const chunk = name.replace(/\.tsx?$/, '').replaceAll('/', '-')
  chunks.set(chunk, file)
  return chunk
}

/** better-sqlite3 finds its addon by trying thirteen places; ours is in one. Inlined and told, it starts 5 ms sooner. */
const sqliteBinding = {
  name: 'sqlite-binding',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bindings$/ }, () => ({ path: 'bindings', namespace: 'sqlite-binding' }))
    onResolve({ filter: /^better-sqlite3\/package\.json$/ }, ({ path }) => ({ path, external: true }))
    onLoad({ filter: /.*/, namespace: 'sqlite-binding' }, () => ({
      contents: `const { dirname, join } = require('node:path')
module.exports = name => require(join(dirname(require.resolve('better-sqlite3/package.json')), 'build/Release', name))`,
      resolveDir: root,
    }))
  },
}

/** Loading crypto costs 4 ms, and most of what looks at a ledger neither makes a digest nor waits: each is loaded when called. */
const lazyBuiltins = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      importer.includes('node_modules') || !Object.hasOwn(LATER, path)
        ? undefined
        : { path, namespace: 'lazy-builtins', sideEffects: false },
    )
    onLoad({ filter: /.*/, namespace: 'lazy-builtins' }, ({ path }) => ({
      contents: LATER[path]
        .map(
          name =>
            `export const ${name} = (...given) => require('${path.slice('node:'.length)}').${name}(...given)`,
        )
        .join('\n'),
    }))
  },
}

const LATER = {
  'node:crypto': [
    'createHash',
    'createHmac',
    'createPrivateKey',
    'createPublicKey',
    'generateKeyPairSync',
    'hash',
    'randomBytes',
    'randomUUID',
    'sign',
    'verify',
  ],
  'node:timers/promises': ['setImmediate', 'setTimeout'],
}

/**
 * The screen's chunk is CommonJS like the others, which cannot wait while it is loaded: ink waits for its developer tools,
 * which we have not, and the layout engine for its WebAssembly. The screen waits for that itself (src/tui/layout-ready.ts).
 */
const awaitedLayout = {
  name: 'awaited-layout',
  setup({ onLoad }) {
    onLoad({ filter: /ink[/\\]build[/\\]reconciler\.js$/ }, ({ path }) => ({
      contents: replaced(path, [
        ["await import('./devtools.js')", ''],
        ['? await loadPackageJson()', '? undefined'],
        ["const fs = await import('node:fs');", ''],
        ["const content = fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8');", ''],
        ['return JSON.parse(content);', ''],
      ]),
    }))
    onLoad({ filter: /yoga-layout[/\\]dist[/\\]src[/\\]index\.js$/ }, ({ path }) => ({
      contents: replaced(path, [
        [
          'const Yoga = wrapAssembly(await loadYoga());',
          'let Yoga; export const ready = loadYoga().then(made => { Yoga = wrapAssembly(made) });',
        ],
        ['export default Yoga;', 'export { Yoga as default };'],
      ]),
    }))
    // Its WebAssembly stands in it as text. Fetched as an address, that brings Node's whole HTTP client, 15 ms of a first frame.
    onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
      contents: replaced(path, [['return w||"function"!=typeof fetch?Promise', 'return true?Promise']]),
    }))
    onLoad({ filter: /src[/\\]tui[/\\]layout-ready\.ts$/ }, () => ({
      contents: "export { ready as layoutReady } from 'yoga-layout'",
      resolveDir: root,
    }))
  },
}

/**
 * V8 keeps a text with one character beyond Latin-1 in two bytes a character: one ellipsis in a pattern, which esbuild
 * leaves as it is written, doubles what each start reads of a chunk and brings the first collection of garbage forward.
 */
const narrowText = {
  name: 'narrow-text',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/[^\0-\x7f]/g, one => `\\u${hexOf(one)}`),
      loader: 'ts',
    }))
  },
}

function hexOf(unit) {
  return unit.charCodeAt(0).toString(16).padStart(4, '0')
}

/** The text of a package's file with pieces replaced, each of which must be there: another version may read otherwise. */
function replaced(path, pieces) {
  return pieces.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} holds no ${from}`)
      return text.replace(from, to)
    },
    readFileSync(path, 'utf8'),
  )
}

/** commander loads child_process for subcommands that are programs of their own; we have none, and it costs 1 ms. */
const noExecutableCommands = {
  name: 'no-executable-commands',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
      importer.includes('node_modules/commander/') ? { path, namespace: 'nothing' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
  },
}

function packageOf(path) {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path
}

/** The licences of what is bundled, which their terms ask us to hand on. */
function licences(inputs) {
  const names = new Set([...inputs].filter(path => path.includes('node_modules/')).map(packageOf))
  return [...names]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function licenceOf(name) {
  const folder = resolve(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const text = ['LICENSE', 'LICENSE.md', 'license', 'LICENCE', 'LICENSE.txt']
    .map(read)
    .find(found => found !== undefined)
  return `${name} ${version} (${license})\n\n${text ?? ''}`

  function read(file) {
    try {
      return readFileSync(join(folder, file), 'utf8')
    } catch {
      return undefined
    }
  }
}

await main()
