"""A client of `agent-ledger record --stream`: the standard library alone. Copy it into your project.

One process serves all calls; JSON lines go in and out. Each sending names this program as its holder, so what was in
flight when it dies is in doubt at once, and a person can take over.
"""
import json
import os
import socket
import subprocess
import threading


class LedgerError(Exception):
    """The ledger refused or failed. Nothing was sent. `error` is its answer: code, message, hint."""

    def __init__(self, error):
        super().__init__(f"{error['message']} ({error['hint']})")
        self.error = error


class NotExecuted(Exception):
    """Raise it in a handler where nothing took effect for certain, and nothing will."""


class Ledger:
    def __init__(self, path, command=("agent-ledger",), lease_ms=60_000):
        words = [*command, "record", "--stream", "--ledger", str(path)]
        self._lease_ms = lease_ms
        self._turn = threading.Lock()
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1, start_new_session=True
        )

    def tell(self, verb, **fields):
        """One verb of `agent-ledger record`; its answer, whether ok or not."""
        with self._turn:
            try:
                self._process.stdin.write(json.dumps({"verb": verb, **fields}) + "\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except OSError as gone:
                line, reason = "", gone
            else:
                reason = "it closed its output"
        if line == "":
            hint = "Look at what it printed, and start this program again."
            raise LedgerError({"code": "gone", "message": f"agent-ledger record has ended: {reason}", "hint": hint})
        return json.loads(line)

    def ask(self, verb, **fields):
        """The same, where anything but ok is an error. @raises LedgerError"""
        answer = self.tell(verb, **fields)
        if not answer["ok"]:
            raise LedgerError(answer["error"])
        return answer

    def run(self, handler, *, operation_id, task_id, tool, input, **intent):
        """Carries one outside write out, or answers from the record. `handler(sent)` makes the call; `sent` has
        `idempotency_key` and `attempt`. Returns {"status": "confirmed", "result"} or a status with what to do next.
        """
        names = {"operation_id": operation_id, "task_id": task_id, "tool": tool, "input": input}
        known = self.ask("prepare", **names, **intent)
        if known["status"] == "confirmed":
            return {"status": "confirmed", "result": known.get("result"), "replayed": True}
        sent = self.tell("send", operation_id=operation_id, lease_ms=self._lease_ms, pid=os.getpid())
        if not sent["ok"]:
            if "status" not in sent:
                raise LedgerError(sent["error"])
            return {**sent, "reason": sent["error"]["message"]}
        held = {name: sent[name] for name in ("operation_id", "attempt", "fence")}
        try:
            with _Heartbeat(self, held, self._lease_ms):
                result = handler(sent)
        except BaseException as error:
            verb = "reject" if _is_not_executed(error) else "lose"
            end = self.tell(verb, **held, reason=f"{type(error).__name__}: {error}")
            if not isinstance(error, Exception):
                raise  # a stop of the whole program: it is on record now
            return {**end, "reason": str(error)}
        end = self.tell("confirm", **held, result=result)
        if not end["ok"]:
            return {**end, "reason": end["error"]["message"]}
        return {"status": "confirmed", "result": result, "replayed": False}

    def close(self):
        self._process.stdin.close()
        self._process.wait()


class _Heartbeat:
    """Renews the lease at a third while the handler runs."""

    def __init__(self, ledger, held, lease_ms):
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, args=(ledger, held, lease_ms / 3000), daemon=True)

    def _beat(self, ledger, held, seconds):
        while not self._done.wait(seconds):
            if not ledger.tell("heartbeat", **held)["ok"]:
                return

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


def _is_not_executed(error):
    """Only what fails before the first byte; wrappers such as urllib keep the real one as reason or cause."""
    while error is not None:
        if isinstance(error, (NotExecuted, ConnectionRefusedError, socket.gaierror)):
            return True
        reason = getattr(error, "reason", None)
        error = reason if isinstance(reason, BaseException) else error.__cause__
    return False
