// A LangGraph agent whose second node opens a ticket through the ledger. Start it again after a crash: LangGraph runs
// the node again from its first line, and the ledger does not let it open a second ticket.
//   node agent.mjs <folder for ledger and checkpoint> <url of the ticket service>
import { join } from 'node:path'
import { Annotation, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { openLedger, operationId } from 'agent-ledger'
import { crashPoint } from 'agent-ledger/testing'

const [folder, service] = process.argv.slice(2)
const checkpoint = join(folder, 'checkpoint.sqlite')
const thread = 'alert-4711'
const ledger = await openLedger(join(folder, 'ledger.db'))

const State = Annotation.Root({ alert: Annotation(), finding: Annotation(), ticket: Annotation() })

/** Reads only, so it may run as often as it likes. */
function diagnose({ alert }) {
  return { finding: `${alert}: /var/log is 98 % of it` }
}

async function openTicket({ finding }, config) {
  const { thread_id, langgraph_checkpoint_ns, langgraph_node, langgraph_step } = config.metadata
  const tool = 'tickets.open'
  const input = { title: finding, queue: 'operations' }
  const outcome = await ledger.run(
    {
      // The namespace is the same string when LangGraph runs this node again, so it is the same operation.
      id: operationId({ task: thread_id, step: langgraph_checkpoint_ns, tool }),
      task: thread_id,
      step: langgraph_node,
      tool,
      effect: 'compensable',
      repeat: { kind: 'none' },
      target: 'operations',
      input,
      contract: { look_here: { url: `${service}/tickets?title=${encodeURIComponent(input.title)}` } },
      checkpoint: {
        source: 'langgraph',
        uri: checkpoint,
        thread_id,
        namespace: langgraph_checkpoint_ns,
        checkpoint_id: config.executionInfo.checkpointId,
        node: langgraph_node,
        task_id: config.executionInfo.taskId,
        step: langgraph_step,
      },
    },
    async ({ signal }) => {
      const request = { method: 'POST', body: JSON.stringify(input), signal }
      const response = await fetch(`${service}/tickets`, request).catch(lost)
      if (response.status !== 201) throw new Error(`the ticket service answered ${response.status}`)
      return response.json()
    },
  )
  if (outcome.status === 'confirmed') return { ticket: outcome.result.id }
  // Anything else is for a person: the graph pauses here with what the ledger knows, and asks again on a resume.
  return interrupt(outcome)
}

const graph = new StateGraph(State)
  .addNode('diagnose', diagnose)
  .addNode('open_ticket', openTicket)
  .addEdge(START, 'diagnose')
  .addEdge('diagnose', 'open_ticket')
  .addEdge('open_ticket', END)
  .compile({ checkpointer: SqliteSaver.fromConnString(checkpoint) })

await ledger.task(thread, {
  goal: 'Look after the alert "disk full on db-2"',
  agent: 'langgraph-example',
  thread: { source: 'langgraph', uri: checkpoint, thread_id: thread },
})

const config = { configurable: { thread_id: thread } }
const isNew = (await graph.getState(config)).values.alert === undefined
const state = await graph.invoke(isNew ? { alert: 'disk full on db-2' } : null, config)
console.log(
  state.ticket === undefined
    ? `agent: paused; the ticket may be open, so it was not sent again`
    : `agent: done; the ticket is ${state.ticket}`,
)
await ledger.close()

/** The answer is lost. Told so by AGENT_LEDGER_CRASH_AT=answer_lost, the process is killed right here. */
function lost(error) {
  crashPoint('answer_lost')
  throw error
}
