"""A run that was cut short goes on: what is stored is computed again, compared and kept, and the rest is added."""

from __future__ import annotations

import json

import pytest

from playground.models import CycleSummary, EventChunk, Run, RunOutcome, RunStatus
from tests.web.conftest import Api, eventually, small_cluster
from tests.web.test_runs import all_events, large_cluster

pytestmark = pytest.mark.usefixtures("worker")


def cut_after(run: Run, num_chunks: int) -> None:
    """Leaves a run as its worker would if it had died after so many flushes."""
    kept = list(EventChunk.objects.filter(run=run).order_by("first_seq")[:num_chunks])
    assert len(kept) == num_chunks
    EventChunk.objects.filter(run=run, first_seq__gt=kept[-1].last_seq).delete()
    cycles = [event["cycle"] for chunk in kept for event in map(json.loads, bytes(chunk.payload).splitlines())
              if event["type"] == "PodAssumed"]  # fmt: skip
    CycleSummary.objects.filter(run=run).exclude(cycle__in=cycles).delete()
    RunOutcome.objects.filter(run=run).delete()
    Run.objects.filter(id=run.id).update(
        status=RunStatus.INTERRUPTED, last_seq=kept[-1].last_seq, digest="", num_bound=0, num_cycles=0
    )


def test_a_run_that_was_cancelled_goes_on_to_the_end_of_an_undisturbed_one(api: Api) -> None:
    cluster = large_cluster(api)
    whole = api.wait_for(api.run(cluster)["id"])
    run = api.run(cluster)
    eventually(lambda: api.get(f"runs/{run['id']}")["last_seq"] > 0)
    api.post(f"runs/{run['id']}/cancel", status=200)
    stopped = api.wait_for(run["id"])
    assert (stopped["status"], stopped["last_seq"] < whole["last_seq"]) == ("cancelled", True)
    assert api.post(f"runs/{run['id']}/continue", status=202)["status"] in {"pending", "running", "finished"}
    over = api.wait_for(run["id"])
    assert (over["status"], over["digest"], over["last_seq"]) == (
        "finished",
        whole["digest"],
        whole["last_seq"],
    )
    assert all_events(api, run["id"], limit=20_000) == all_events(api, whole["id"], limit=20_000)
    same = "placements", "pending"
    one, other = (api.get(f"runs/{each}/placements") for each in (run["id"], whole["id"]))
    assert [one[name] for name in same] == [other[name] for name in same]
    assert CycleSummary.objects.filter(run=run["id"]).count() == whole["num_cycles"]


@pytest.mark.parametrize("num_chunks", [1, 2])
def test_an_interrupted_run_goes_on_from_what_is_stored(api: Api, num_chunks: int) -> None:
    whole = api.wait_for(api.run(large_cluster(api))["id"])
    before = all_events(api, whole["id"], limit=20_000)
    summaries = list(CycleSummary.objects.filter(run=whole["id"]).order_by("cycle").values())
    cut_after(Run.objects.get(id=whole["id"]), num_chunks)
    first = EventChunk.objects.filter(run=whole["id"]).order_by("first_seq").values_list("pk", flat=True)[0]
    api.post(f"runs/{whole['id']}/continue", status=202)
    over = api.wait_for(whole["id"])
    assert (over["status"], over["digest"], over["message"]) == ("finished", whole["digest"], "")
    assert EventChunk.objects.filter(pk=first).exists()
    assert all_events(api, whole["id"], limit=20_000) == before
    told = list(CycleSummary.objects.filter(run=whole["id"]).order_by("cycle").values())
    assert [{**row, "id": 0} for row in told] == [{**row, "id": 0} for row in summaries]


def test_a_stored_beginning_that_is_computed_otherwise_is_dropped_and_told(api: Api) -> None:
    whole = api.wait_for(api.run(large_cluster(api))["id"])
    run = Run.objects.get(id=whole["id"])
    cut_after(run, 2)
    first = EventChunk.objects.filter(run=run).order_by("first_seq")[0]
    EventChunk.objects.filter(pk=first.pk).update(payload=bytes(first.payload).replace(b'"n', b'"m', 1))
    api.post(f"runs/{run.id}/continue", status=202)
    over = api.wait_for(run.id)
    assert (over["status"], over["digest"]) == ("finished", whole["digest"])
    assert "computed anew" in over["message"]


def test_what_ended_by_itself_has_nothing_to_go_on_with(api: Api) -> None:
    over = api.wait_for(api.run(api.import_text(small_cluster())["id"])["id"])
    refused = api.post(f"runs/{over['id']}/continue", status=409)
    assert refused["detail"] == "This run is finished: only a cancelled or interrupted one can go on."
