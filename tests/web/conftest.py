"""What the tests of the web side share: a real worker, manifests to import, the API as a client sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from playground.models import OPEN, Run
from playground.runs.claim import request_cancel

OVER = {"finished", "failed", "cancelled", "interrupted"}


class Api:
    """The API, called as other programs call it."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.client.get(f"/api/v1/{path}", query)
        assert answer.status_code == status, answer.content[:2000]
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 201) -> Any:
        answer = self.client.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json")
        assert answer.status_code == status, answer.content[:2000]
        return answer.json()

    def import_text(
        self, text: str | bytes, status: int = 201, content_type: str = "application/yaml", query: str = ""
    ) -> Any:
        answer = self.client.post(f"/api/v1/clusters/import{query}", text, content_type=content_type)
        assert answer.status_code == status, answer.content[:2000]
        return answer.json()

    def import_files(self, files: dict[str, bytes], status: int = 201, **fields: str) -> Any:
        uploads = [SimpleUploadedFile(name, content) for name, content in files.items()]
        answer = self.client.post("/api/v1/clusters/import", {"file": uploads, **fields})
        assert answer.status_code == status, answer.content[:2000]
        return answer.json()

    def run(self, cluster_id: str, **more: Any) -> Any:
        return self.post("runs", {"cluster": cluster_id, **more})

    def wait_for(self, run_id: str, seconds: float = 60) -> Any:
        """Returns the run once it is over."""
        return eventually(lambda: (run := self.get(f"runs/{run_id}"))["status"] in OVER and run, seconds)


def eventually(look: Callable[[], Any], seconds: float = 30) -> Any:
    """Returns what `look` gives as soon as that is true."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"did not happen within {seconds} s"
        time.sleep(0.01)
    return found


@pytest.fixture
def api(client: Client) -> Api:
    return Api(client)


@pytest.fixture(scope="session")
def _worker(django_db_setup: None) -> Iterator[None]:
    if settings.REDIS_URL:
        with worker_process():
            yield
        return
    from playground.worker import EmbeddedWorker

    worker = EmbeddedWorker()
    worker.start(reconciles=False)
    yield
    worker.stop(timeout=5)


@contextmanager
def worker_process() -> Iterator[None]:
    """A worker as deployed, on the test's database and broker."""
    before, _slash, after = os.environ["DATABASE_URL"].partition("@/")
    query = after.partition("?")[2]
    url = f"{before}@/{connection.settings_dict['NAME']}?{query}"
    environment = {**os.environ, "DATABASE_URL": url}
    command = [sys.executable, "-m", "celery", "-A", "playground", "worker", "-P", "threads", "-c", "4"]
    with subprocess.Popen([*command, "--loglevel", "WARNING"], env=environment) as process:
        try:
            yield
        finally:
            process.terminate()


@pytest.fixture
def worker(transactional_db: None, _worker: None) -> Iterator[None]:
    """A Celery worker with the engine in processes of its own: a thread of this process, or one as deployed."""
    yield
    for run in Run.objects.filter(status__in=OPEN):
        request_cancel(run)
    eventually(lambda: not Run.objects.filter(status__in=OPEN).exists())


def node(name: str, cpu: str = "4", memory: str = "8Gi", **more: Any) -> dict[str, Any]:
    amounts = {"cpu": cpu, "memory": memory, "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "spec": more,
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def pod(name: str, cpu: str = "500m", memory: str = "256Mi", **spec: Any) -> dict[str, Any]:
    requests = {"cpu": cpu, "memory": memory}
    container = {"name": "main", "image": "registry.example/app:1", "resources": {"requests": requests}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"containers": [container], **spec},
        "status": {"phase": "Running" if "nodeName" in spec else "Pending"},
    }


def manifests(*objects: dict[str, Any]) -> str:
    """Returns objects as a List in JSON."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})


def small_cluster(num_nodes: int = 3, num_pods: int = 5) -> str:
    return manifests(
        *(node(f"node-{index}") for index in range(num_nodes)),
        *(pod(f"pod-{index:04d}") for index in range(num_pods)),
    )
