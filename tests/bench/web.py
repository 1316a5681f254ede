"""`make bench-web`: how long people wait, measured on the application as `make run` serves it.

Imports a cluster, runs it, follows its socket: the time of the import, from asking for the run to its first event, and
to its end with all events arrived. The median of several; nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from websockets.asyncio.client import connect

from tests.bench.make_workload import case
from tests.serve import served

DUMP = "dumps/seven-nodes.json"
ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.web", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="the median of so many (default: 5)")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as var,
        served(Path(var)) as address,
        httpx.Client(timeout=60) as client,
    ):
        client.base_url = httpx.URL(f"{address}/api/v1/")
        for title, body in bodies().items():
            seconds = [import_once(client, body) for _ in range(options.runs)]
            print(f"{'import ' + title:44} {median(took for took, _ in seconds):7.3f} s")
        first_and_end = [follow_once(client, seconds[-1][1]) for _ in range(options.runs)]
    print(f"{'run asked for → first event':44} {median(first for first, _ in first_and_end):7.3f} s")
    print(
        f"{'run asked for → ended, all events arrived':44} {median(end for _, end in first_and_end):7.3f} s"
    )


def bodies() -> dict[str, bytes]:
    """Returns what to import by title; the cluster that is run comes last."""
    found = {}
    dump = Path(os.environ.get("PLAYGROUND_DATA") or ROOT.parent / "shared") / DUMP
    if dump.exists():
        found[dump.name] = dump.read_bytes()
    made = case(100, 500, "mixed")["objects"]
    items = {"apiVersion": "v1", "kind": "List", "items": made}
    return {**found, "100 nodes, 500 pending pods": json.dumps(items).encode()}


def import_once(client: httpx.Client, body: bytes) -> tuple[float, str]:
    """Imports a cluster; returns the seconds and its id."""
    started = time.perf_counter()
    answer = client.post("clusters/import", content=body, headers={"Content-Type": "application/json"})
    took = time.perf_counter() - started
    answer.raise_for_status()
    return took, answer.json()["id"]


def follow_once(client: httpx.Client, cluster: str) -> tuple[float, float]:
    """Runs a cluster; returns the seconds to the first event and to the end with all events."""
    started = time.perf_counter()
    answer = client.post("runs", json={"cluster": cluster})
    answer.raise_for_status()
    first, last_seq = asyncio.run(follow(str(client.base_url), answer.json()["id"]))
    end = time.perf_counter()
    run = client.get(f"runs/{answer.json()['id']}").json()
    assert (run["status"], run["last_seq"]) == ("finished", last_seq), run
    return first - started, end - started


async def follow(base: str, run: str) -> tuple[float, int]:
    """Follows a run's socket to its close; returns when the first event came and the last sequence number."""
    host = base.split("/")[2]
    first, last_seq = 0.0, 0
    async with connect(f"ws://{host}/ws/runs/{run}/?after=0", max_size=None) as socket:
        async for message in socket:
            frame: dict[str, Any] = json.loads(message)
            if "events" in frame:
                first = first or time.perf_counter()
                assert frame["first_seq"] == last_seq + 1
                last_seq = frame["last_seq"]
                await socket.send(json.dumps({"ack": last_seq}))
    return first, last_seq


if __name__ == "__main__":
    main()
