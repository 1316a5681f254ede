"""What a visitor waits for, measured against the served application; `pytest -s` prints the figures."""

from __future__ import annotations

import json
import time
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.needs import outside
from tests.web.conftest import small_cluster
from tests.web.test_serve import address_of, serving

pytestmark = pytest.mark.serial

IMPORT_SECONDS = 1.0
FIRST_EVENT_SECONDS = 0.5
RUN_SECONDS = 3.0


def test_an_import_a_first_event_and_a_whole_run_come_in_time(tmp_path: Path) -> None:
    dump = outside("dumps/seven-nodes.json").read_bytes()
    with serving(tmp_path) as process:
        root = address_of(process)
        with httpx.Client(base_url=root, timeout=60) as client:
            begun = time.monotonic()
            client.post(
                "/api/v1/clusters/import", files={"file": ("seven-nodes.json", dump)}
            ).raise_for_status()
            import_seconds = time.monotonic() - begun
            cluster = client.post("/api/v1/clusters/import", content=small_cluster(100, 500)).json()["id"]
            time.sleep(3)  # the spare engine is there when people click
            figures = [follow_a_run(client, root, cluster) for _ in range(3)]
    first_seconds, run_seconds = (min(column) for column in zip(*figures, strict=True))
    print(  # noqa: T201
        f"\nimport of seven-nodes.json {import_seconds:.3f} s; 500 pods on 100 nodes: click to first event "
        f"{first_seconds:.3f} s, to the end with all events {run_seconds:.3f} s (best of {len(figures)})"
    )
    assert import_seconds < IMPORT_SECONDS
    assert first_seconds < FIRST_EVENT_SECONDS
    assert run_seconds < RUN_SECONDS


def follow_a_run(client: httpx.Client, root: str, cluster: str) -> tuple[float, float]:
    """Returns the seconds from the click to the first event at the socket, and to the end of the run there."""
    begun = time.monotonic()
    run_id = client.post("/api/v1/runs", json={"cluster": cluster}).json()["id"]
    first_seconds, last_seq, run = 0.0, 0, {}
    with connect(f"ws{root.removeprefix('http')}/ws/runs/{run_id}/", origin=root) as socket:  # type: ignore[arg-type]
        for text in socket:
            frame = json.loads(text)
            if "run" in frame:
                run = frame["run"]
                continue
            first_seconds = first_seconds or time.monotonic() - begun
            last_seq = frame["last_seq"]
            socket.send(json.dumps({"ack": last_seq}))
    run_seconds = time.monotonic() - begun
    assert run["status"] == "finished"
    assert last_seq == run["last_seq"]
    time.sleep(2)  # until there is a spare engine again
    return first_seconds, run_seconds
