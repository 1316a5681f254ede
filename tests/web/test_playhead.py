"""The process at a run's playhead, as the application keeps it: its answers are the run's, and it ends with the run."""

from __future__ import annotations

from typing import Any

import pytest

from playground.models import CycleDetail, EventChunk, Run
from playground.runs import detail
from playground.runs.child import Child
from playground.runs.kept import Keeper
from playground.runs.playhead import playheads
from tests.web.conftest import Api, eventually, small_cluster

pytestmark = pytest.mark.usefixtures("worker")

WAIT = {"prefer": "wait=60"}


@pytest.fixture
def stays(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Child]]:
    """Who was kept, each time."""
    kept: list[tuple[Any, Child]] = []

    def keep(self: Keeper, key: Any, child: Child) -> None:
        if self is playheads:
            kept.append((key, child))
        original(self, key, child)

    original = Keeper.keep
    monkeypatch.setattr(Keeper, "keep", keep)
    return kept


def forgotten(api: Api, run: str, *cycles: int) -> dict[int, Any]:
    """Returns what the run itself said of cycles, all of which is then forgotten."""
    said = {cycle: api.get(f"runs/{run}/cycles/{cycle}") for cycle in cycles}
    CycleDetail.objects.filter(run_id=run).delete()
    return said


def asked(api: Api, run: str, cycle: int) -> Any:
    answer = api.client.get(f"/api/v1/runs/{run}/cycles/{cycle}", headers=WAIT)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_neighbours_and_jumps_are_answered_by_one_process_as_the_run_was(
    api: Api, stays: list[tuple[Any, Child]]
) -> None:
    run = api.wait_for(api.run(api.import_text(small_cluster(5, 300))["id"])["id"])["id"]
    said = forgotten(api, run, 200, 201, 199, 3, 300)
    assert {cycle: asked(api, run, cycle) for cycle in said} == said
    assert len({child.pid for _key, child in stays}) == 1
    assert len(stays) == len(said)


def test_a_fork_is_answered_by_its_own_run(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 20))["id"]
    parent = api.wait_for(api.run(cluster)["id"])["id"]
    body = {"cycle": 7, "edits": [{"kind": "cordon", "nodes": ["node-0", "node-1"]}]}
    fork = api.wait_for(api.post(f"runs/{parent}/fork", body)["id"])["id"]
    before, after = forgotten(api, parent, 9, 5), forgotten(api, fork, 9, 5)
    assert before[9] != after[9]
    assert {cycle: asked(api, fork, cycle) for cycle in after} == after
    assert {cycle: asked(api, parent, cycle) for cycle in before} == before


def test_it_ends_when_its_run_is_deleted(api: Api, stays: list[tuple[Any, Child]]) -> None:
    runs = [api.wait_for(api.run(api.import_text(small_cluster(3, 10))["id"])["id"])["id"] for _ in range(2)]
    for run in runs:
        forgotten(api, run)
        asked(api, run, 7)
    (_, gone), (_, other) = stays
    assert api.client.delete(f"/api/v1/runs/{runs[0]}").status_code == 204
    assert not gone.is_alive()
    assert other.is_alive()


def test_what_was_stored_otherwise_since_is_not_answered_from_memory(
    api: Api, stays: list[tuple[Any, Child]]
) -> None:
    run = api.wait_for(api.run(api.import_text(small_cluster(3, 10))["id"])["id"])["id"]
    said = forgotten(api, run, 7, 8)
    assert asked(api, run, 7) == said[7]
    Run.objects.filter(id=run).update(digest="0" * 64)  # as after going on: another outcome
    assert asked(api, run, 8) == said[8]
    (_, first), (_, second) = stays
    assert first.pid != second.pid
    assert eventually(lambda: not first.is_alive())


def test_events_beyond_those_it_was_given_are_compared_too(
    api: Api, stays: list[tuple[Any, Child]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detail, "AHEAD", 2)
    run = api.wait_for(api.run(api.import_text(small_cluster(5, 300))["id"])["id"])["id"]
    said = forgotten(api, run, 20, 290)
    assert asked(api, run, 20) == said[20]
    for chunk in EventChunk.objects.filter(run_id=run):
        told, mark, rest = bytes(chunk.payload).partition(b'"type":"CycleStarted","cycle":280,')
        chunk.payload = told + mark.replace(b"Started", b"Begun") + rest
        chunk.save()
    answer = api.client.get(f"/api/v1/runs/{run}/cycles/290", headers=WAIT)
    assert answer.status_code == 409
    assert "gave another event at seq" in answer.json()["detail"]


def test_a_run_keeps_the_newest_of_its_replayed_details(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detail, "MAX_REPLAYED", 3)
    run = api.wait_for(api.run(api.import_text(small_cluster(3, 20))["id"])["id"])["id"]
    CycleDetail.objects.filter(run_id=run, cycle__gt=2).delete()
    for cycle in (5, 6, 9, 8, 7):
        asked(api, run, cycle)

    def stored() -> set[int]:
        return set(CycleDetail.objects.filter(run_id=run).values_list("cycle", flat=True))

    assert eventually(lambda: stored() == {1, 2, 9, 8, 7})
