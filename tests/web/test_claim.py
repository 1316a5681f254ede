"""One winner per run, leases, and what becomes of runs whose worker is gone."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from playground.models import Cluster, ClusterRevision, EventChunk, Run, RunStatus, workspace_of
from playground.runs.claim import Claim, ClaimLost, claim, go_on, reconcile, request_cancel


@pytest.fixture
def revision(db: None) -> ClusterRevision:
    cluster = Cluster.objects.create(workspace_id=workspace_of(), name="c")
    cluster.revision = ClusterRevision.objects.create(cluster=cluster, digest="0" * 64)
    cluster.save()
    return cluster.revision


def make_run(revision: ClusterRevision, **values: Any) -> Run:
    return Run.objects.create(
        workspace_id=workspace_of(), cluster=revision.cluster, revision=revision, **values
    )


def past(seconds: float = 1) -> Any:
    return timezone.now() - timedelta(seconds=seconds)


def claimed(run: Run) -> Claim:
    taken = claim(run.id)
    assert taken is not None
    return taken


def test_a_waiting_run_is_taken_once(revision: ClusterRevision) -> None:
    run = make_run(revision)
    assert claim(run.id) is not None
    assert claim(run.id) is None
    run.refresh_from_db()
    assert run.status == RunStatus.RUNNING
    assert run.attempts == 1
    assert run.started_at is not None


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_gets_the_run(transactional_db: None) -> None:
    cluster = Cluster.objects.create(workspace_id=workspace_of(), name="c")
    run = make_run(ClusterRevision.objects.create(cluster=cluster, digest="0" * 64))
    barrier = threading.Barrier(8)
    won: list[Claim | None] = []

    def compete() -> None:
        barrier.wait()
        won.append(claim(run.id))
        connections.close_all()

    threads = [threading.Thread(target=compete) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(taken is not None for taken in won) == 1


@pytest.mark.parametrize("status", [RunStatus.FINISHED, RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_run_that_is_over_is_not_taken(revision: ClusterRevision, status: RunStatus) -> None:
    assert claim(make_run(revision, status=status).id) is None


def test_a_running_run_is_taken_only_after_its_lease(revision: ClusterRevision) -> None:
    run = make_run(revision)
    first = claimed(run)
    EventChunk.objects.create(run=run, first_seq=1, last_seq=1, payload=b"{}")
    assert claim(run.id) is None
    first.row().update(lease_until=past())
    second = claimed(run)
    assert EventChunk.objects.filter(run=run).exists()
    with pytest.raises(ClaimLost):
        first.write(last_seq=7)
    with pytest.raises(ClaimLost):
        first.is_cancel_requested()
    second.write(last_seq=3)
    run.refresh_from_db()
    assert run.last_seq == 3


def test_a_run_is_tried_three_times_at_most(revision: ClusterRevision) -> None:
    run = make_run(revision)
    for _ in range(3):
        claimed(run).row().update(lease_until=past())
    assert claim(run.id) is None


def test_a_run_without_a_worker_is_handed_to_another(revision: ClusterRevision) -> None:
    dead, alive = make_run(revision), make_run(revision)
    first = claimed(dead)
    first.row().update(lease_until=past())
    claimed(alive)
    assert reconcile() == [dead.id]
    dead.refresh_from_db()
    alive.refresh_from_db()
    assert (dead.status, alive.status) == (RunStatus.PENDING, RunStatus.RUNNING)
    with pytest.raises(ClaimLost):
        first.write()
    assert claim(dead.id) is not None


def test_a_run_whose_workers_die_again_and_again_is_interrupted_until_somebody_has_it_go_on(
    revision: ClusterRevision,
) -> None:
    run = make_run(revision)
    for _ in range(settings.RUN_MAX_ATTEMPTS):
        claimed(run).row().update(lease_until=past())
    assert reconcile() == []
    run.refresh_from_db()
    assert run.status == RunStatus.INTERRUPTED
    assert "Go on" in run.message
    assert claim(run.id) is None
    assert go_on(run)
    assert (run.status, run.message) == (RunStatus.PENDING, "")
    assert claim(run.id) is not None


@pytest.mark.parametrize("status", [RunStatus.FINISHED, RunStatus.FAILED, RunStatus.RUNNING])
def test_only_what_was_cut_short_goes_on(revision: ClusterRevision, status: RunStatus) -> None:
    run = make_run(revision, status=status)
    assert not go_on(run)
    assert run.status == status


def test_waiting_runs_whose_task_was_lost_are_found(revision: ClusterRevision) -> None:
    never = make_run(revision)
    old = make_run(revision, dispatched_at=past(120))
    fresh = make_run(revision, dispatched_at=past(5))
    make_run(revision, cancel_requested=True)
    assert reconcile() == [never.id, old.id]
    remembers = bool(settings.REDIS_URL)
    assert reconcile(at_start=True) == [never.id, old.id, *(() if remembers else (fresh.id,))]


def test_cancelling_a_waiting_run_ends_it(revision: ClusterRevision) -> None:
    run = make_run(revision)
    request_cancel(run)
    assert run.status == RunStatus.CANCELLED
    assert claim(run.id) is None


def test_cancelling_a_running_run_tells_its_worker(revision: ClusterRevision) -> None:
    run = make_run(revision)
    mine = claimed(run)
    assert mine.is_cancel_requested() is False
    request_cancel(run)
    assert run.status == RunStatus.RUNNING
    assert mine.is_cancel_requested() is True


def test_a_deleted_run_stops_its_worker(revision: ClusterRevision) -> None:
    run = make_run(revision)
    mine = claimed(run)
    run.delete()
    with pytest.raises(ClaimLost):
        mine.write()
