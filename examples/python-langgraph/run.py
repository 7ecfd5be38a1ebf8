"""The whole story of this example, told with real processes: the graph opens a ticket, the answer is lost, the process is
killed, a person takes over, the graph is resumed, and one ticket exists.

    python run.py [folder]

AGENT_LEDGER_BIN names the command that runs agent-ledger; default: `npx agent-ledger`.
"""
import json
import os
import shlex
import subprocess
import sys
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
folder = sys.argv[1] if len(sys.argv) > 1 else "python-langgraph-demo"
LEDGER = os.path.join(folder, "ledger.db")
CHECKPOINT = os.path.join(folder, "checkpoint.sqlite")
BIN = shlex.split(os.environ.get("AGENT_LEDGER_BIN", "npx agent-ledger"))

if os.path.exists(LEDGER):
    sys.exit(f"there is a ledger already: {LEDGER}. The story begins with an empty one: name another folder.")
os.makedirs(folder, exist_ok=True)
service = subprocess.Popen(
    ["node", os.path.join(HERE, "..", "ticket-service.mjs")],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    encoding="utf-8",
)
url = service.stdout.readline().strip()


def title(text):
    print(f"\n# {text}", flush=True)


def agent(**env):
    """Runs the agent as a process of its own, with this added to its environment."""
    words = "".join(f"{name}={value} " for name, value in env.items())
    print(f"$ {words}python agent.py {folder} {url}", flush=True)
    done = subprocess.run([sys.executable, os.path.join(HERE, "agent.py"), folder, url, *BIN], env={**os.environ, **env})
    if done.returncode < 0:
        print(f"(signal {-done.returncode})", flush=True)


def agent_ledger(*args, read=False):
    """Runs one command of agent-ledger, as a person would type it."""
    if not read:
        print(f"$ agent-ledger {shlex.join(args)}", flush=True)
    command = [*BIN, "--ledger", LEDGER, *args]
    return subprocess.run(command, stdout=subprocess.PIPE if read else None, encoding="utf-8", check=not read).stdout


def get(address):
    with urllib.request.urlopen(address) as response:
        return json.load(response)


agent_ledger("init", "--quiet")
title("The graph runs. The service opens the ticket, the answer is lost, the process is killed.")
agent(AGENT_LEDGER_CRASH_AT="answer_lost")

title("A person looks, who knows nothing of this run.")
agent_ledger("list", "--unknown")
agent_ledger("report")
agent_ledger("checkpoint", CHECKPOINT)

title("Resumed too early: LangGraph runs the node again, the ledger does not send again, the graph pauses.")
agent()

title("The person looks at the service, finds the ticket, and says so.")
[ticket] = get(f"{url}/tickets?queue=operations")["items"]
print(ticket)
[operation] = json.loads(agent_ledger("list", "--unknown", "--json", read=True))["operations"]
agent_ledger(
    *("resolve", "--as", "confirmed", "--external-id", f"ticket={ticket['id']}", "--evidence", ticket["url"]),
    *("--result", json.dumps({"id": ticket["id"]}), "--reason", "found at the service", "--yes"),
    operation["operation_id"],
)

title("The graph is resumed. It takes the result from the ledger and ends.")
agent()

title("The service counts for itself.")
effects = get(f"{url}/_effects")
print(f"tickets: {len(effects)}")
service.stdin.close()
sys.exit(0 if len(effects) == 1 else 1)
