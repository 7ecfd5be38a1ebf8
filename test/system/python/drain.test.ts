import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openLedgerForReading } from '../../../src/ledger/open-for-reading.js'
import { openLedger } from '../../../src/ledger.js'
import { aDirectory } from '../../store/support/places.js'
import { PROGRAM, python, requirePython } from './python.js'

beforeAll(() => requirePython('langgraph', 'langgraph.checkpoint.sqlite'))

const SCRIPT = `
import sys
from typing import TypedDict
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import RunControl
from ledger import Ledger

path, checkpoints, *command = sys.argv[1:]
ledger = Ledger(path, command)
control = RunControl()
State = TypedDict("State", {"n": int})

def first(state):
    control.request_drain("SIGTERM")
    ledger.ask("drain", task_id="run-1", reason="SIGTERM")
    return {"n": 1}

def second(state):
    print("second")
    return {"n": 2}

builder = StateGraph(State)
builder.add_node("first", first)
builder.add_node("second", second)
builder.add_edge(START, "first")
builder.add_edge("first", "second")
builder.add_edge("second", END)
with SqliteSaver.from_conn_string(checkpoints) as saver:
    graph = builder.compile(checkpointer=saver)
    try:
        graph.invoke({"n": 0}, {"configurable": {"thread_id": "1"}}, control=control)
    except Exception as error:
        print(type(error).__name__)
ledger.close()
`

test('A run of LangGraph in Python that was drained is told apart from one that crashed there', async () => {
  const folder = aDirectory()
  const [path, uri] = [join(folder, 'ledger.db'), join(folder, 'checkpoints.sqlite')]
  const ledger = await openLedger(path)
  await ledger.task('run-1', { thread: { source: 'langgraph', uri, thread_id: '1' } })
  await ledger.close()
  const { stdout, stderr } = await python(['-c', SCRIPT, path, uri, ...PROGRAM])
  expect(stderr).toBe('')
  expect(stdout).toBe('GraphDrained')
  const reading = await openLedgerForReading(path)
  const { document } = await reading.report('run-1')
  await reading.close()
  const warnings = JSON.stringify(document.checkpoint)
  expect(warnings).toContain('its run was told to stop before its next node')
  expect(warnings).toContain('second')
})
