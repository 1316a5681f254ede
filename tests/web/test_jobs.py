"""Jobs: large imports followed, waited for, cancelled, taken over, and nothing left of those that fail."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from engine.imports import ImportOptions
from playground import claims
from playground.jobs import execute
from playground.jobs.imports import question_of
from playground.models import (
    Cluster,
    ClusterRevision,
    Job,
    JobInput,
    Node,
    Pod,
    Resource,
    WorkStatus,
    workspace_of,
)
from tests.web.conftest import Api, eventually, manifests, node, pod, small_cluster

OVER = {"finished", "failed", "cancelled", "interrupted"}


def large_cluster(num_pods: int = 4000, *, wrong: bool = False) -> bytes:
    """Returns a dump of more than 2 MB."""
    objects = [node(f"node-{index}") for index in range(20)]
    objects += [pod(f"pod-{index:05d}", "10m", "1Mi") for index in range(num_pods)]
    for each in objects:
        each["metadata"]["annotations"] = {"note": "x" * 300}
    if wrong:
        objects.append(pod("greedy", "6GiB"))
    return manifests(*objects).encode()


def nothing_is_stored() -> bool:
    return not any(
        model.objects.exists() for model in (Cluster, ClusterRevision, Node, Pod, Resource, JobInput)
    )


def ask(client: Client, data: bytes, query: str = "", prefer: str = "") -> Any:
    headers = {"Prefer": prefer} if prefer else {}
    return client.post(
        f"/api/v1/clusters/import{query}", data, content_type="application/json", headers=headers
    )


def job_over(api: Api, job_id: str) -> Any:
    def look() -> Any:
        answer = api.client.get(f"/api/v1/jobs/{job_id}")
        assert answer.status_code in (200, 202)
        job = answer.json()
        assert (answer.status_code == 200) == (job["status"] in OVER)
        return job["status"] in OVER and job

    return eventually(look, 60)


@pytest.mark.usefixtures("worker")
class TestALargeImport:
    def test_is_a_job_that_says_how_far_it_is_and_then_names_its_cluster(
        self, api: Api, client: Client
    ) -> None:
        answer = ask(client, large_cluster(), "?name=Big")
        assert answer.status_code == 202
        job = answer.json()
        assert answer["Location"] == f"/api/v1/jobs/{job['id']}"
        assert answer["Retry-After"] == "1"
        assert job["kind"] == "import"
        assert job["status"] in ("pending", "running")
        job = job_over(api, job["id"])
        assert job["status"] == "finished", job["message"]
        assert job["progress"]["text"]
        cluster = api.get(f"clusters/{job['result']['cluster']}")
        assert cluster["name"] == "Big"
        assert cluster["counts"] == {"nodes": 20, "pods": 4000, "bound": 0, "pending": 4000, "other": 0}
        assert cluster["report"]["read"] == {"Node": 20, "Pod": 4000}
        assert not JobInput.objects.exists()

    def test_gives_the_same_revision_as_one_that_is_done_at_once(self, api: Api, settings: Any) -> None:
        settings.JOB_ABOVE_BYTES = 1 << 30
        at_once = api.import_text(large_cluster(), content_type="application/json")
        settings.JOB_ABOVE_BYTES = 1 << 20
        by_job = ask(api.client, large_cluster(), prefer="wait=60").json()
        for name in ("revision", "counts", "kinds", "report", "warnings", "name"):
            assert by_job[name] == at_once[name]
        items = [api.get(f"clusters/{each['id']}/pods", limit=5)["results"] for each in (at_once, by_job)]
        assert items[0] == items[1]

    def test_is_waited_for_where_that_is_preferred(self, client: Client) -> None:
        answer = ask(client, large_cluster(), prefer="wait=60")
        assert answer.status_code == 201
        assert answer["Preference-Applied"] == "wait=60"
        assert answer["Location"] == f"/api/v1/clusters/{answer.json()['id']}"

    def test_a_job_is_waited_for_when_it_is_read(self, client: Client) -> None:
        job = ask(client, large_cluster()).json()
        answer = client.get(f"/api/v1/jobs/{job['id']}", headers={"Prefer": "respond-async, wait=60"})
        assert answer.status_code == 200
        assert answer.json()["status"] == "finished"

    def test_that_is_wrong_says_where_and_leaves_nothing(self, api: Api, client: Client) -> None:
        answer = ask(client, large_cluster(wrong=True), prefer="wait=60")
        assert answer.status_code == 422
        (error,) = answer.json()["errors"]
        assert error["object"] == "Pod default/greedy"
        assert error["sentence"].startswith("input:1:")
        assert nothing_is_stored()

    def test_an_archive_that_is_small_and_unpacks_to_much_is_a_job(self, client: Client) -> None:
        packed = zipped({"all.json": large_cluster()})
        assert len(packed) < settings.JOB_ABOVE_BYTES
        answer = client.post(
            "/api/v1/clusters/import", packed, content_type="application/zip", headers={"Prefer": "wait=60"}
        )
        assert answer.status_code == 201, answer.content
        assert answer.json()["counts"]["pods"] == 4000
        assert answer["Preference-Applied"] == "wait=60"


@pytest.mark.usefixtures("worker")
def test_cancelling_while_rows_are_stored_leaves_nothing(
    api: Api, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.jobs import imports

    store = imports.store_rows

    def store_and_cancel(revision: ClusterRevision, rows: Any) -> None:
        store(revision, rows)
        assert Pod.objects.exists()
        assert api.get("clusters")["results"] == []
        for job in Job.objects.filter(status=WorkStatus.RUNNING):
            execute.cancel(job)

    monkeypatch.setattr(imports, "store_rows", store_and_cancel)
    job = job_over(api, ask(client, large_cluster()).json()["id"])
    assert job["status"] == "cancelled"
    assert job["message"] == "Cancelled; nothing was kept of it."
    assert nothing_is_stored()


@pytest.mark.django_db
class TestWithoutAWorker:
    """What happens to jobs that nobody, or nobody who lives, does."""

    @pytest.fixture
    def job(self) -> Job:
        question = question_of("", ImportOptions())
        job = Job.objects.create(workspace_id=workspace_of(), kind="import", question=question)
        JobInput.objects.create(job=job, position=0, name="a.json", data=small_cluster().encode())
        return job

    def test_a_waiting_job_is_answered_202_when_the_wait_is_over(self, client: Client, job: Job) -> None:
        answer = client.get(f"/api/v1/jobs/{job.id}")
        assert (answer.status_code, answer.json()["status"]) == (202, "pending")

    def test_a_waiting_job_is_cancelled_at_once_and_its_files_are_gone(self, api: Api, job: Job) -> None:
        assert api.post(f"jobs/{job.id}/cancel", status=200)["status"] == "cancelled"
        assert nothing_is_stored()
        assert execute.reconcile() == []

    def test_a_job_whose_task_was_lost_is_dispatched_again(self, job: Job) -> None:
        assert execute.reconcile() == [job.id]

    def test_what_a_dead_worker_left_is_undone_and_the_job_is_taken_up_again(self, job: Job) -> None:
        self.die_over(job)
        assert execute.reconcile() == [job.id]
        assert not Cluster.objects.exists()
        job.refresh_from_db()
        assert (job.status, job.scratch, job.attempts) == (WorkStatus.PENDING, {}, 1)
        assert claims.take(Job, job.id) is not None

    def test_a_job_whose_worker_died_three_times_is_given_up(self, job: Job) -> None:
        for _ in range(settings.RUN_MAX_ATTEMPTS):
            self.die_over(job)
            execute.reconcile()
        job.refresh_from_db()
        assert job.status == WorkStatus.INTERRUPTED
        assert nothing_is_stored()

    def test_a_dead_worker_s_job_that_was_cancelled_ends_cancelled(self, job: Job) -> None:
        self.die_over(job)
        Job.objects.update(cancel_requested=True)
        assert execute.reconcile() == []
        job.refresh_from_db()
        assert job.status == WorkStatus.CANCELLED
        assert nothing_is_stored()

    def test_deleting_a_job_undoes_what_it_left(self, api: Api, client: Client, job: Job) -> None:
        self.die_over(job)
        assert client.delete(f"/api/v1/jobs/{job.id}").status_code == 204
        assert nothing_is_stored()
        assert api.get(f"jobs/{job.id}", status=404)

    def test_a_job_of_an_unknown_kind_fails_with_a_sentence(self, job: Job) -> None:
        Job.objects.update(kind="of-tomorrow")
        execute.execute(job.id)
        job.refresh_from_db()
        assert job.status == WorkStatus.FAILED
        assert "does not know jobs of this kind" in job.message

    def test_jobs_are_listed_by_kind_and_status(self, api: Api, job: Job) -> None:
        assert [each["id"] for each in api.get("jobs?kind=import&status=pending")["results"]] == [job.id]
        assert api.get("jobs?kind=check")["results"] == []
        assert api.get("jobs?status=finished")["results"] == []
        api.get("jobs?status=gone", status=400)

    def die_over(self, job: Job) -> None:
        """Has a worker take the job, store half a cluster, and never be heard of again."""
        claim = claims.take(Job, job.id)
        assert claim is not None
        cluster = Cluster.objects.create(workspace_id=workspace_of(), name="half")
        ClusterRevision.objects.create(cluster=cluster)
        claim.write(scratch={"cluster": cluster.id})
        claim.row().update(lease_until=timezone.now() - timedelta(seconds=1))


@contextmanager
def seen_by_others() -> Iterator[list[list[tuple[str, bool, bool]]]]:
    """Collects each state that others can see: of every job its status, whether files and a cluster are there."""
    states: list[list[tuple[str, bool, bool]]] = []
    is_looking = False

    def look() -> None:
        nonlocal is_looking
        if connection.in_atomic_block or is_looking:
            return
        is_looking = True
        there = JobInput.objects.exists(), Cluster.objects.exists()
        states.append([(status, *there) for status in Job.objects.values_list("status", flat=True)])
        is_looking = False

    def between(execute: Any, *statement: Any) -> Any:
        look()
        done = execute(*statement)
        look()
        return done

    with connection.execute_wrapper(between):
        yield states


@pytest.mark.django_db(transaction=True)
class TestAJobIsOverOnlyWhen:
    """What an end promises is so at every moment at which somebody could read that end."""

    @pytest.fixture
    def job(self) -> Job:
        job = Job.objects.create(
            workspace_id=workspace_of(), kind="import", question=question_of("", ImportOptions())
        )
        JobInput.objects.create(job=job, position=0, name="a.json", data=small_cluster().encode())
        return job

    def ended(self, states: list[list[tuple[str, bool, bool]]], status: str) -> set[tuple[bool, bool]]:
        return {(files, cluster) for [(told, files, cluster)] in states if told == status}

    def test_finished_its_files_are_gone_and_its_cluster_is_there(self, job: Job) -> None:
        with seen_by_others() as states:
            execute.execute(job.id)
        assert self.ended(states, "running") >= {(True, False)}
        assert self.ended(states, "finished") <= {(False, True)}
        job.refresh_from_db()
        assert (job.status, JobInput.objects.exists()) == ("finished", False)

    def test_failed_its_files_are_gone_and_nothing_is_left(self, job: Job) -> None:
        JobInput.objects.update(data=manifests(pod("greedy", "6GiB")).encode())
        with seen_by_others() as states:
            execute.execute(job.id)
        assert self.ended(states, "failed") <= {(False, False)}
        job.refresh_from_db()
        assert (job.status, nothing_is_stored()) == ("failed", True)

    def test_of_an_unknown_kind_its_files_are_gone(self, job: Job) -> None:
        Job.objects.update(kind="of-tomorrow")
        with seen_by_others() as states:
            execute.execute(job.id)
        assert self.ended(states, "failed") <= {(False, False)}
        assert not JobInput.objects.exists()

    def test_cancelled_its_files_are_gone(self, job: Job) -> None:
        with seen_by_others() as states:
            execute.cancel(job)
        assert self.ended(states, "cancelled") <= {(False, False)}
        assert not JobInput.objects.exists()

    @pytest.mark.parametrize("cancelled", [True, False])
    def test_given_up_what_a_dead_worker_left_is_gone(self, job: Job, cancelled: bool) -> None:
        claim = claims.take(Job, job.id)
        assert claim is not None
        cluster = Cluster.objects.create(workspace_id=job.workspace_id, name="half")
        claim.write(scratch={"cluster": cluster.id})
        Job.objects.update(
            lease_until=timezone.now() - timedelta(seconds=1),
            attempts=settings.RUN_MAX_ATTEMPTS,
            cancel_requested=cancelled,
        )
        with seen_by_others() as states:
            execute.reconcile()
        assert self.ended(states, "cancelled" if cancelled else "interrupted") == {(False, False)}
        assert nothing_is_stored()


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.django_db
class TestArchives:
    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_an_archive_is_read_like_its_files(self, api: Api, pack: Any) -> None:
        files = {"nodes.json": manifests(node("n1")).encode(), "web/pods.json": manifests(pod("p")).encode()}
        cluster = api.import_files({"dump.tar.gz": pack({**files, "README.txt": b"words"})})
        assert cluster["name"] == "dump"
        assert cluster["counts"]["nodes"] == cluster["counts"]["pods"] == 1

    def test_an_archive_s_errors_name_the_file_in_it(self, api: Api) -> None:
        data = zipped({"a/pods.json": manifests(pod("p", "6GiB")).encode()})
        (error,) = api.import_files({"dump.zip": data}, status=422)["errors"]
        assert error["file"] == "dump.zip/a/pods.json"

    def test_an_export_of_kube_scheduler_simulator_brings_its_configuration(self, api: Api) -> None:
        config = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "percentageOfNodesToScore": 100,
        }
        plain = {"nodes": [node("n1")], "pods": [pod("p")], "namespaces": [], "schedulerConfig": config}
        for key in ("nodes", "pods"):
            for each in plain[key]:
                del each["kind"], each["apiVersion"]
        cluster = api.import_files({"export.json": json.dumps(plain).encode()})
        profile = api.get(f"profiles/{cluster['profile']}")
        assert json.loads(profile["config"]) == config

    def test_a_configuration_that_no_scheduler_takes_is_left_out_with_a_warning(self, api: Api) -> None:
        plain = {"nodes": [node("n1")], "schedulerConfig": {"kind": "KubeSchedulerConfiguration", "x": 1}}
        cluster = api.import_files({"export.json": json.dumps(plain).encode()})
        assert cluster["profile"] is None
        assert cluster["warnings"][0].startswith("the configuration that came with it is not taken: ")
