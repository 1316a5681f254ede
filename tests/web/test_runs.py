"""Runs from the request to the last event: a real worker, the real engine in its own process."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from playground.models import CycleDetail, EventChunk, Profile, Run
from playground.runs.child import Child
from playground.runs.spawner import spawner
from tests.web.conftest import Api, eventually, manifests, node, pod, small_cluster

pytestmark = pytest.mark.usefixtures("worker")


def engine_pids() -> list[int]:
    """Returns the engine processes that this process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            command = (path.parent / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if parent == os.getpid() and b"engine.process" in command:
            found.append(int(path.parent.name))
    return found


@pytest.fixture
def no_spare() -> Iterator[None]:
    """No engine is kept warm: the only ones are those of the test's runs, started under the test's settings."""
    spawner.stop()
    yield
    spawner.keep_spare()


def large_cluster(api: Api) -> str:
    """Imports a cluster whose run takes some seconds."""
    return str(api.import_text(small_cluster(60, 2000))["id"])


def all_events(api: Api, run_id: str, limit: int = 1000) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    while page := api.get(f"runs/{run_id}/events", after=len(events), limit=limit)["events"]:
        events += page
    return events


def test_a_run_places_pods_and_says_why_not(api: Api) -> None:
    cluster = api.import_text(
        manifests(node("n1"), node("n2", cpu="1"), pod("a"), pod("b", "3"), pod("c", "8"))
    )
    run = api.run(cluster["id"])
    assert (run["status"], run["cluster"], run["revision"]) == ("pending", cluster["id"], cluster["revision"])
    over = api.wait_for(run["id"])
    assert over["status"] == "finished", over["message"]
    assert (over["num_bound"], over["num_pending"], over["num_cycles"]) == (2, 1, 3)
    assert over["progress"]["bound"] == 2
    assert over["errors"] == []
    outcome = api.get(f"runs/{run['id']}/placements")
    assert outcome["placements"] == {"default/a": "n1", "default/b": "n1"} or outcome["placements"] == {
        "default/a": "n2",
        "default/b": "n1",
    }
    (waiting,) = outcome["pending"]
    assert waiting["pod"] == "default/c"
    assert waiting["queue"] == "unschedulable"
    assert waiting["message"].startswith("0/2 nodes are available: 2 Insufficient cpu.")


def test_events_come_in_order_without_gaps_and_their_digest_is_the_runs(api: Api) -> None:
    cluster = api.import_text(small_cluster(5, 120))
    over = api.wait_for(api.run(cluster["id"])["id"])
    events = all_events(api, over["id"], limit=37)
    assert [event["seq"] for event in events] == list(range(1, over["last_seq"] + 1))
    assert events[0]["type"] == "RunStarted"
    assert events[-1]["type"] == "RunFinished"
    assert len(over["digest"]) == len(hashlib.sha256().hexdigest())


def test_the_same_question_gives_the_same_bytes(api: Api) -> None:
    cluster = api.import_text(small_cluster(5, 60))
    first, again = (api.wait_for(api.run(cluster["id"])["id"]) for _ in range(2))
    assert first["digest"] == again["digest"] != ""

    def stored(run: dict[str, Any]) -> bytes:
        rows = EventChunk.objects.filter(run_id=run["id"]).values_list("payload", flat=True)
        return b"\n".join(map(bytes, rows))

    assert stored(first) == stored(again)


def test_cycles_are_listed_a_page_at_a_time(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 25))
    over = api.wait_for(api.run(cluster["id"])["id"])
    path = f"runs/{over['id']}/cycles"
    first = api.get(path, limit=10)
    assert [line["cycle"] for line in first["cycles"]] == list(range(1, 11))
    assert first["next_after"] == 10
    rest = api.get(path, after=10)
    assert len(rest["cycles"]) == over["num_cycles"] - 10
    assert rest["next_after"] is None
    line = first["cycles"][0]
    assert line["result"] in ("scheduled", "unschedulable")
    assert line["num_evaluated"] == 3
    (only,) = api.get(path, pod=line["pod"])["cycles"]
    assert only == line


def test_a_cycles_detail_is_there_as_soon_as_the_run_is_over(api: Api) -> None:
    cluster = api.import_text(manifests(node("n1"), node("n2"), pod("a")))
    over = api.wait_for(api.run(cluster["id"])["id"])
    detail = api.get(f"runs/{over['id']}/cycles/1")
    assert (detail["cycle"], detail["pod"], detail["result"]) == (1, "default/a", "scheduled")
    assert sorted(detail["nodes"]) == ["n1", "n2"]
    assert len(detail["outcome"]) == 2
    assert "no cycle 2" in api.get(f"runs/{over['id']}/cycles/2", status=404)["detail"]


def test_a_detail_that_is_not_kept_is_computed_again_by_replay(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 10))
    over = api.wait_for(api.run(cluster["id"])["id"])
    path = f"runs/{over['id']}/cycles/7"
    as_run = api.get(path)
    CycleDetail.objects.filter(run_id=over["id"]).delete()
    answer = api.client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json(), answer["Retry-After"]) == (202, {"status": "replaying"}, "1")
    replayed = eventually(
        lambda: (got := api.client.get(f"/api/v1/{path}")).status_code == 200 and got.json()
    )
    assert replayed == as_run


def test_a_replay_takes_over_what_the_run_decided_before_the_cycle(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 10))
    over = api.wait_for(api.run(cluster["id"])["id"])
    path = f"/api/v1/runs/{over['id']}/cycles/7"
    as_run = api.client.get(path).json()
    CycleDetail.objects.filter(run_id=over["id"]).delete()
    chunks = list(EventChunk.objects.filter(run_id=over["id"]))
    for chunk in chunks:  # a search that nobody made: whoever searched again would say something else
        told, scored, rest = bytes(chunk.payload).partition(b'"NodesScored","cycle":2,')
        chunk.payload = told + scored + rest.replace(b'"scores":[', b'"scores":[["elsewhere",100],', 1)
        chunk.save()
    assert any(b"elsewhere" in chunk.payload for chunk in chunks)
    replayed = eventually(lambda: (got := api.client.get(path)).status_code == 200 and got.json())
    assert replayed == as_run


def test_a_replay_is_waited_for_by_who_prefers_it(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 10))
    over = api.wait_for(api.run(cluster["id"])["id"])
    path = f"/api/v1/runs/{over['id']}/cycles/7"
    as_run = api.client.get(path).json()
    CycleDetail.objects.filter(run_id=over["id"]).delete()
    answer = api.client.get(path, headers={"prefer": "wait=60"})
    assert (answer.status_code, answer["Preference-Applied"]) == (200, "wait=60")
    assert answer.json() == as_run


def test_replays_that_are_asked_for_at_once_do_not_lock_each_other_out(api: Api) -> None:
    cluster = api.import_text(small_cluster(20, 600))
    over = api.wait_for(api.run(cluster["id"])["id"])
    paths = [f"/api/v1/runs/{over['id']}/cycles/{cycle}" for cycle in (150, 300, 450, 600)]
    CycleDetail.objects.filter(run_id=over["id"]).delete()

    def answers() -> list[int]:
        return [api.client.get(path).status_code for path in paths]

    assert answers() == [202, 202, 202, 202]
    assert eventually(lambda: (got := answers()) == [200, 200, 200, 200] and got)


def test_a_replay_whose_engine_died_is_tried_again_later(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 10))
    over = api.wait_for(api.run(cluster["id"])["id"])
    now = timezone.now()
    detail = CycleDetail.objects.filter(run_id=over["id"], cycle=7)
    detail.update(status="failed", payload=None, message="The engine died.", requested_at=now)
    path = f"/api/v1/runs/{over['id']}/cycles/7"
    assert api.client.get(path).json()["detail"] == "The engine died."
    detail.update(requested_at=now - timedelta(minutes=1))
    assert api.client.get(path).status_code == 202
    assert eventually(lambda: api.client.get(path).status_code == 200)


def test_a_replay_that_gives_other_events_says_so(api: Api) -> None:
    cluster = api.import_text(small_cluster(3, 10))
    over = api.wait_for(api.run(cluster["id"])["id"])
    CycleDetail.objects.filter(run_id=over["id"]).delete()
    for chunk in EventChunk.objects.filter(run_id=over["id"]):
        chunk.payload = bytes(chunk.payload).replace(b'"type":"PodBound"', b'"type":"PodLost"')
        chunk.save()
    Run.objects.filter(id=over["id"]).update(engine_version="0.0.1")
    path = f"/api/v1/runs/{over['id']}/cycles/9"
    problem = eventually(lambda: (got := api.client.get(path)).status_code == 409 and got.json())
    assert "gave another event at seq" in problem["detail"]
    CycleDetail.objects.update(requested_at=timezone.now() - timedelta(days=1))
    assert api.client.get(path).status_code == 409
    assert "computed by engine 0.0.1" in problem["detail"]


def test_a_run_of_nothing_works_and_ends(api: Api) -> None:
    cluster = api.import_text(manifests({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "x"}}))
    over = api.wait_for(api.run(cluster["id"])["id"])
    assert (over["status"], over["num_cycles"]) == ("finished", 0)
    assert api.get(f"runs/{over['id']}/cycles") == {"cycles": [], "next_after": None}
    outcome = api.get(f"runs/{over['id']}/placements")
    assert (outcome["placements"], outcome["pending"]) == ({}, [])
    assert outcome["ending"]["question"].startswith("What is pending is placed")


def test_pods_without_a_node_wait(api: Api) -> None:
    over = api.wait_for(api.run(api.import_text(manifests(pod("a")))["id"])["id"])
    (waiting,) = api.get(f"runs/{over['id']}/placements")["pending"]
    assert waiting["message"].startswith("no nodes available to schedule pods")


def test_a_profile_is_copied_and_a_broken_one_fails_the_run_with_its_place(api: Api) -> None:
    cluster = api.import_text(small_cluster())
    head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
    profile = api.post("profiles", {"name": "plain", "config": head})
    assert api.wait_for(api.run(cluster["id"], profile=profile["id"])["id"])["status"] == "finished"
    Profile.objects.update(config=f"{head}parallelism: -3\n")  # as stored by an older version
    over = api.wait_for(api.run(cluster["id"], profile=profile["id"])["id"])
    assert over["profile"] == profile["id"]
    assert over["status"] == "failed"
    assert [error["field"] for error in over["errors"]] == ["parallelism"]


def test_cancelling_ends_a_run_soon_and_keeps_what_came(api: Api) -> None:
    run = api.run(large_cluster(api))
    eventually(lambda: api.get(f"runs/{run['id']}")["last_seq"] > 0)
    api.post(f"runs/{run['id']}/cancel", status=200)
    over = api.wait_for(run["id"])
    assert over["status"] == "cancelled"
    assert over["num_bound"] < 2000
    assert len(all_events(api, run["id"], limit=20_000)) == over["last_seq"]


def test_cancelling_what_is_over_changes_nothing(api: Api) -> None:
    over = api.wait_for(api.run(api.import_text(small_cluster())["id"])["id"])
    assert api.post(f"runs/{over['id']}/cancel", status=200)["status"] == "finished"


@pytest.mark.serial
@pytest.mark.usefixtures("no_spare")
def test_a_killed_engine_shows_as_failed_within_a_second(api: Api) -> None:
    run = api.run(large_cluster(api))
    eventually(lambda: api.get(f"runs/{run['id']}")["last_seq"] > 0)
    for pid in engine_pids():
        os.kill(pid, signal.SIGKILL)
    over = api.wait_for(run["id"], seconds=1)
    assert over["status"] == "failed"
    assert over["message"] == "The engine's process was ended by SIGKILL before the run was complete."
    assert len(all_events(api, run["id"], limit=20_000)) == over["last_seq"] > 0
    again = api.wait_for(api.run(api.import_text(small_cluster())["id"])["id"])
    assert again["status"] == "finished"


@pytest.mark.usefixtures("no_spare")
def test_an_engine_that_hangs_is_ended(api: Api, settings: Any) -> None:
    settings.RUN_SILENT_SECONDS = 0.3
    settings.RUN_GRACE_SECONDS = 0.2
    run = api.run(large_cluster(api))
    eventually(lambda: api.get(f"runs/{run['id']}")["status"] == "running")
    for pid in engine_pids():
        os.kill(pid, signal.SIGSTOP)
    over = api.wait_for(run["id"])
    assert (over["status"], over["message"]) == ("failed", "The engine said nothing for 0.3 s and was ended.")


def test_a_run_that_takes_too_long_is_stopped(api: Api, settings: Any) -> None:
    settings.RUN_SECONDS = 0.2
    over = api.wait_for(api.run(large_cluster(api))["id"])
    assert (over["status"], over["message"]) == ("failed", "The run took longer than 0.2 s and was stopped.")


@pytest.mark.usefixtures("no_spare")
def test_a_run_that_takes_too_much_memory_says_so(api: Api, settings: Any) -> None:
    settings.RUN_MEMORY_BYTES = 125 << 20
    cluster = api.import_text(small_cluster(20, 6000))
    over = api.wait_for(api.run(cluster["id"])["id"])
    assert over["status"] == "failed"
    assert over["message"] == "The engine needed more than the 125 MiB of memory that a run may have."


def test_deleting_a_running_run_ends_its_engine(api: Api) -> None:
    cluster = large_cluster(api)
    before = max(len(engine_pids()), 1)  # a spare one, and those that stay with questions of other tests
    run = api.run(cluster)
    eventually(lambda: api.get(f"runs/{run['id']}")["last_seq"] > 0)
    assert api.client.delete(f"/api/v1/runs/{run['id']}").status_code == 204
    eventually(lambda: len(engine_pids()) <= before)
    assert not EventChunk.objects.filter(run_id=run["id"]).exists()
    assert not Run.objects.filter(id=run["id"]).exists()


def test_deleting_a_cluster_deletes_its_runs(api: Api) -> None:
    cluster = api.import_text(small_cluster())
    over = api.wait_for(api.run(cluster["id"])["id"])
    assert api.client.delete(f"/api/v1/clusters/{cluster['id']}").status_code == 204
    api.get(f"runs/{over['id']}", status=404)
    assert not EventChunk.objects.exists()


def test_several_runs_at_once_do_not_mix(api: Api) -> None:
    clusters = [api.import_text(small_cluster(3, count))["id"] for count in (20, 30, 40)]
    runs = [api.run(cluster) for cluster in clusters]
    for run, count in zip(runs, (20, 30, 40), strict=True):
        over = api.wait_for(run["id"])
        assert over["num_bound"] + over["num_pending"] == count
        assert {event["seq"] for event in all_events(api, run["id"])} == set(range(1, over["last_seq"] + 1))


def test_no_engine_outlives_a_killed_server(tmp_path: Path) -> None:
    program = (
        "import django, os, time; django.setup()\n"
        "from playground.runs.spawner import spawner\n"
        "print(spawner.take().pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "playground.settings"},
    ) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        server.kill()
    eventually(lambda: not Path(f"/proc/{pid}").exists())


def test_the_engine_gets_none_of_the_servers_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "do-not-tell")
    child: Child = spawner.take()
    try:
        seen = eventually(lambda: Path(f"/proc/{child.pid}/environ").read_bytes())
        assert b"do-not-tell" not in seen
    finally:
        child.kill()
        child.end()


def test_options_are_stored_as_given(api: Api) -> None:
    options = {"seed": 7}
    cluster = api.import_text(small_cluster())
    run = api.run(cluster["id"], options=options)
    assert api.get(f"runs/{run['id']}")["options"] == options
