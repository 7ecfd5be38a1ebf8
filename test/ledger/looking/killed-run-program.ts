import { setTimeout as sleep } from 'node:timers/promises'
import { Annotation, START, StateGraph } from '@langchain/langgraph'
import { openLedger } from '../../../src/index.js'

// An agent's program: a graph of LangGraph whose nodes work under a ledger. Its last node is killed in the middle of a call.

async function main(path: string, config?: string) {
  const told = config === undefined ? {} : { config }
  const ledger = await openLedger(path, { onWarning: () => {}, telemetry: false, ...told })
  const run = await ledger.task('run', { budget: { steps: 2 }, deadlineAt: Date.now() + 60_000 })
  const idle = await ledger.task('idle', { goal: 'wait for something that nobody knows of' })

  async function look() {
    for (const step of [1, 2, 3]) await run.activity({ tool: 'read', input: { step }, result: step })
    await run.heartbeat()
    return {}
  }

  async function limited() {
    const call = { id: 'limited', task: 'run', tool: 'tickets.create', input: { n: 1 }, waitForRetryMs: 0 }
    await ledger.run(call, () => {
      const why = { code: 'ECONNREFUSED', syscall: 'connect' }
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), why)
    })
    await ledger.prepare({ id: 'written down', task: 'run', tool: 'mail.send', input: { n: 3 } })
    await idle.activity({ tool: 'read', input: {}, result: 'nothing' })
    await sleep(20)
    await idle.heartbeat()
    return {}
  }

  async function upload() {
    const call = { id: 'upload', task: 'run', tool: 'files.upload', input: { n: 2 } }
    await ledger.run({ ...call, deadlineAt: Date.now() + 60_000 }, async ({ progress, heartbeat }) => {
      await progress({ parts: 1 })
      await sleep(20)
      await heartbeat()
      await twice(() => process.kill(process.pid, 'SIGKILL'))
    })
    return {}
  }

  /** The first attempt goes on after its task was taken over and handed back, beside the second one. */
  async function twice(whenBothRun: () => void) {
    const repeat = { kind: 'conditional', names: 'permanent' } as const
    const call = {
      id: 'twice',
      task: 'shared',
      tool: 'pages.create',
      input: { n: 4 },
      repeat,
      maxAttempts: 2,
    }
    const opened = () => openLedger(path, { onWarning: () => {}, telemetry: false, ...told })
    await ledger.run(call, async ({ progress }) => {
      const person = await opened()
      await person.takeover('shared', 'it looks dead')
      await person.handback('shared', 'it was')
      const other = await opened()
      await other.run(call, async () => {
        await sleep(20)
        await progress({ parts: 1 })
        whenBothRun()
        await sleep(60_000)
      })
    })
  }

  await new StateGraph(Annotation.Root({}))
    .addNode('look', look)
    .addNode('limited', limited)
    .addNode('upload', upload)
    .addEdge(START, 'look')
    .addEdge('look', 'limited')
    .addEdge('limited', 'upload')
    .compile()
    .invoke({})
}

const [path = '', config] = process.argv.slice(2)
void main(path, config)
