"""The extender of the recorded cases, over real HTTP: the rules of the conformance README on a port of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from engine.transport import AllowList, HttpTransport

RECORDED = "http://127.0.0.1:18099"


def gen_of(node: dict[str, Any]) -> int | None:
    try:
        return int(node["metadata"].get("labels", {})["gen"])
    except (KeyError, ValueError):
        return None


def filter_nodes(question: dict[str, Any], nodes: list[dict[str, Any]]) -> dict[str, Any]:
    """A node with an odd "gen" fails, for good where it is 9."""
    passed, failed, for_good = [], {}, {}
    for node in nodes:
        name, gen = node["metadata"]["name"], gen_of(node)
        if gen is None or gen % 2 == 0:
            passed.append(node)
        elif gen == 9:
            for_good[name] = "gen is nine"
        else:
            failed[name] = "gen is odd"
    answer: dict[str, Any] = {"FailedNodes": failed, "FailedAndUnresolvableNodes": for_good, "Error": ""}
    if question.get("NodeNames") is not None:
        answer["NodeNames"] = [node["metadata"]["name"] for node in passed]
    else:
        answer["Nodes"] = {"metadata": {}, "items": passed}
    return answer


def prioritize_nodes(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A node's score is its "gen"."""
    return [{"Host": node["metadata"]["name"], "Score": gen_of(node) or 0} for node in nodes]


def preempt(question: dict[str, Any], rack_of: Callable[[str], str]) -> dict[str, Any]:
    """Nodes of rack r1 are dropped."""
    found: dict[str, Any] = dict(question.get("NodeNameToMetaVictims") or {})
    for name, victims in (question.get("NodeNameToVictims") or {}).items():
        uids = [{"UID": pod["metadata"]["uid"]} for pod in victims["Pods"]]
        found[name] = {"Pods": uids, "NumPDBViolations": victims.get("NumPDBViolations", 0)}
    kept = {name: victims for name, victims in found.items() if rack_of(name) != "r1"}
    return {"NodeNameToMetaVictims": kept}


class Handler(BaseHTTPRequestHandler):
    server: RuleServer

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.num_questions += 1
        answer = self.server.answer(self.path, question)
        body = json.dumps(answer).encode()
        self.send_response(500 if answer is None else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Says nothing."""


class RuleServer(ThreadingHTTPServer):
    """Serves the rules; nodes asked about by name are looked up with ``find_node``, the extender's own cache."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.find_node: Callable[[str], dict[str, Any]] = lambda _: {}
        self.num_questions = 0
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def server_close(self) -> None:
        """Stops serving."""
        self.shutdown()
        super().server_close()

    def transport(self, address: str, payload: bytes, timeout: float) -> bytes:
        """Sends a question for the recorded address to this server."""
        http = HttpTransport(AllowList.parse(f"127.0.0.1:{self.server_port}", private=True))
        return http(address.replace(RECORDED, f"http://127.0.0.1:{self.server_port}"), payload, timeout)

    def rack_of(self, name: str) -> str:
        """The rack of a node."""
        labels: dict[str, str] = self.find_node(name).get("metadata", {}).get("labels", {})
        return labels.get("rack", "")

    def answer(self, path: str, question: dict[str, Any]) -> Any:
        """The answer to a question, or None for none."""
        nodes = (question.get("Nodes") or {}).get("items") or []
        nodes += map(self.find_node, question.get("NodeNames") or [])
        if path == "/rule/filter":
            return filter_nodes(question, nodes)
        if path == "/rule/prioritize":
            return prioritize_nodes(nodes)
        if path == "/rule/preempt":
            return preempt(question, self.rack_of)
        return None
