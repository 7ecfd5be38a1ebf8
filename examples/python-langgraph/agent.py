"""A LangGraph agent in Python whose second node opens a ticket through the ledger. Started again after a crash, LangGraph
runs the node again from its first line, and the ledger does not let it open a second ticket.

    python agent.py <folder for ledger and checkpoint> <url of the ticket service> [command that runs agent-ledger]
"""
import json
import os
import signal
import sys
import urllib.request
from typing import TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from ledger import Ledger

folder, service, *command = sys.argv[1:]
checkpoint = os.path.join(folder, "checkpoint.sqlite")
thread = "alert-4711"
ledger = Ledger(os.path.join(folder, "ledger.db"), command or ["agent-ledger"])


class State(TypedDict, total=False):
    alert: str
    finding: str
    ticket: str


def diagnose(state: State) -> State:
    """Reads only, so it may run as often as it likes."""
    return {"finding": f"{state['alert']}: /var/log is 98 % of it"}


def open_ticket(state: State, config: RunnableConfig) -> State:
    metadata = config["metadata"]
    namespace = metadata["langgraph_checkpoint_ns"]
    ticket = {"title": state["finding"], "queue": "operations"}
    outcome = ledger.run(
        lambda sent: post(f"{service}/tickets", ticket),
        # The namespace is the same string when LangGraph runs this node again, so it is the same operation.
        operation_id=f"{thread}/{namespace}/tickets.open",
        task_id=thread,
        tool="tickets.open",
        input=ticket,
        step=metadata["langgraph_node"],
        effect="compensable",
        repeat={"kind": "none"},
        target="operations",
        contract={"look_here": {"url": f"{service}/tickets?queue=operations"}},
        checkpoint={
            "source": "langgraph",
            "uri": checkpoint,
            "thread_id": thread,
            "namespace": namespace,
            "node": metadata["langgraph_node"],
            "step": metadata["langgraph_step"],
        },
    )
    if outcome["status"] == "confirmed":
        return {"ticket": outcome["result"]["id"]}
    # Anything else is for a person: the graph pauses here with what the ledger knows, and asks again on a resume.
    return interrupt({name: outcome.get(name) for name in ("status", "operation_id", "reason", "next_action")})


def post(url: str, body: dict) -> dict:
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except OSError:
        # The answer is lost. Told so by AGENT_LEDGER_CRASH_AT=answer_lost, the process is killed right here.
        if os.environ.get("AGENT_LEDGER_CRASH_AT") == "answer_lost":
            os.kill(os.getpid(), signal.SIGKILL)
        raise


with SqliteSaver.from_conn_string(checkpoint) as saver:
    graph = (
        StateGraph(State)
        .add_node("diagnose", diagnose)
        .add_node("open_ticket", open_ticket)
        .add_edge(START, "diagnose")
        .add_edge("diagnose", "open_ticket")
        .add_edge("open_ticket", END)
        .compile(checkpointer=saver)
    )
    ledger.ask(
        "task",
        task_id=thread,
        goal='Look after the alert "disk full on db-2"',
        agent="python-langgraph-example",
        thread={"source": "langgraph", "uri": checkpoint, "thread_id": thread},
    )
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    is_new = "alert" not in graph.get_state(config).values
    state = graph.invoke({"alert": "disk full on db-2"} if is_new else None, config)
    if "ticket" in state:
        print(f"agent: done; the ticket is {state['ticket']}")
    else:
        print("agent: paused; the ticket may be open, so it was not sent again")
ledger.close()
