"""SQL queries per address are a committed budget: more means a query per row crept in, fewer is worth noting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.web.conftest import Api, manifests, node, pod

BUDGETS: dict[str, int] = json.loads(Path(__file__).with_name("query_budgets.json").read_text())

CONFIG = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"


@pytest.fixture
def filled(api: Api, worker: None) -> dict[str, str]:
    """Several clusters with pods, resources and runs, so that a query per row would show."""
    things = [
        *(node(f"n{index}") for index in range(6)),
        *(pod(f"p{index}") for index in range(9)),
        *(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"ns{index}"}}
            for index in range(5)
        ),
    ]
    clusters = [api.import_text(manifests(*things))["id"] for _ in range(4)]
    runs = [api.run(cluster)["id"] for cluster in clusters for _ in range(2)]
    for run in runs:
        assert api.wait_for(run)["status"] == "finished"
    return {"cluster": clusters[0], "run": runs[0], "other": runs[1]}


def test_no_address_takes_more_queries_than_its_budget(api: Api, filled: dict[str, str]) -> None:
    taken: dict[str, int] = {}
    for request in BUDGETS:
        method, path = request.format(**filled).split(" ")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = call(api, method, path, filled)
        assert answer.status_code < 400, (request, answer.content[:500])
        taken[request] = len([each for each in queries.captured_queries if not is_bracket(each["sql"])])
    assert taken == BUDGETS


def call(api: Api, method: str, path: str, filled: dict[str, str]) -> Any:
    if method == "GET":
        return api.client.get(path)
    body: Any = {"cluster": filled["cluster"]}
    if path.endswith("fork"):
        body = {"cycle": 2}
    if path.endswith("profiles"):
        body = {"name": "plain", "config": CONFIG}
    if path.endswith("import"):
        body = {
            "apiVersion": "v1",
            "kind": "List",
            "items": [*(node(f"n{i}") for i in range(40)), pod("p"), pod("q")],
        }
    headers = {"idempotency-key": "k"} if path.endswith("profiles") else {}
    return api.client.post(path, json.dumps(body), content_type="application/json", headers=headers)


def is_bracket(sql: str) -> bool:
    """Returns whether it opens, closes or marks a transaction."""
    return sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))
