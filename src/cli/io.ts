import { type Descriptor, descriptorSink, hasNoReader, unwritable, writeAll } from './descriptor.js'

/** One of the two streams a command writes to. */
export interface Sink {
  readonly isTerminal: boolean
  /** width of the terminal now; undefined when it is none */
  readonly columns: () => number | undefined
  /** height of the terminal now; undefined when it is none */
  readonly rows: () => number | undefined
  /** Writes and waits while the reader is slow. False once nobody reads any more: stop producing. */
  readonly write: (text: string) => Promise<boolean>
  /** The same for bytes of somebody else's program, untouched. A slow reader holds nothing else up. */
  readonly pass: (bytes: Uint8Array) => Promise<boolean>
}

/** All a command has of the process around it. */
export interface Io {
  readonly stdout: Sink
  readonly stderr: Sink
  /** true when a person can be asked: stdin and stderr are a terminal */
  readonly canAsk: boolean
  /** One line typed on the terminal; undefined when input ended or ctrl-c was pressed. The text must be safe. */
  readonly ask: (question: string) => Promise<string | undefined>
  /** stdin, whole, as UTF-8 */
  readonly readAll: () => Promise<string>
  /** stdin line by line */
  readonly lines: () => AsyncIterable<string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/**
 * The streams of this process, each made when it is first used: opening one that nothing is written to costs a start
 * 1 ms. Questions go to stderr, so that stdout carries results only.
 */
export function processIo(process: NodeJS.Process): Io {
  let stdout: Sink | undefined
  let stderr: Sink | undefined
  return {
    get stdout() {
      stdout ??= descriptorSink(1) ?? sink(process.stdout, 1)
      return stdout
    },
    get stderr() {
      stderr ??= descriptorSink(2) ?? sink(process.stderr, 2)
      return stderr
    },
    get canAsk() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true
    },
    ask: question => ask(process, question),
    readAll: () => readAll(process.stdin),
    lines: () => readLines(process.stdin),
    env: process.env,
    cwd: folderOf(process),
  }
}

function sink(stream: NodeJS.WriteStream, descriptor: Descriptor): Sink {
  let isOpen = true
  // Without a listener Node dies with a stack trace when `| head -1` has read enough. Each write learns of it below.
  stream.on('error', () => {
    isOpen = false
  })
  return {
    isTerminal: stream.isTTY === true,
    columns: () => (stream.isTTY === true ? stream.columns : undefined),
    rows: () => (stream.isTTY === true ? stream.rows : undefined),
    write: text =>
      new Promise((resolve, reject) => {
        if (!isOpen) return resolve(false)
        stream.write(text, error => {
          if (!error) resolve(true)
          else if (hasNoReader(error)) resolve(false)
          else reject(unwritable(descriptor, error))
        })
      }),
    pass: bytes => writeAll(descriptor, bytes),
  }
}

// readline is loaded when it is needed: it costs every other start 2 ms.
async function ask(process: NodeJS.Process, question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  return new Promise(resolve => {
    const line = createInterface({ input: process.stdin, output: process.stderr })
    line.once('SIGINT', () => line.close())
    line.once('close', () => resolve(undefined))
    line.question(question, answer => {
      resolve(answer)
      line.close()
    })
  })
}

async function* readLines(stdin: NodeJS.ReadStream): AsyncIterable<string> {
  const { createInterface } = await import('node:readline')
  yield* createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** The folder may have been removed under us: then it is the one that the shell believes to be in. */
function folderOf(process: NodeJS.Process): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD ?? '/'
  }
}
