"""schemathesis over every operation of the schema, all checks on.

`make test` tries a few examples of each; `EXAMPLES=500 pytest tests/web/test_schemathesis.py` more.
"""

from __future__ import annotations

import contextlib
import copy
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig

from playground.api.describe import schema
from playground.clusters.importing import Labels, import_cluster
from playground.models import AccessToken, Job, Run, Scope, Workspace
from tests.web import computed
from tests.web.conftest import pod, small_cluster

EXAMPLES = int(os.environ.get("EXAMPLES", "4"))
ADDRESSES = Path(__file__).with_name("addresses.txt").read_text().splitlines()
ABSENT = "0123456789abcdef"
OBJECTS = "/api/v1/clusters/{cluster_id}/objects"
OBJECT = OBJECTS + "/{kind}/{name}"
NAMESPACED = OBJECTS + "/{kind}/{namespace}/{name}"
JUDGED = {
    "manifests, which the API server's own validation judges": [
        *(
            "POST /api/v1/clusters",
            "POST /api/v1/clusters/import",
            "POST /api/v1/manifests",
            "POST /api/v1/checks",
        ),
        *(f"POST {OBJECTS}", f"PUT {OBJECT}", f"PUT {NAMESPACED}", f"PATCH {OBJECT}", f"PATCH {NAMESPACED}"),
    ],
    "configurations, with which a scheduler must start": [
        *("POST /api/v1/profiles", "PUT /api/v1/profiles/{id}", "PATCH /api/v1/profiles/{id}"),
        *("POST /api/v1/profiles/form", "POST /api/v1/profiles/text"),
    ],
    "edits and questions, which name what a cluster has": [
        *("POST /api/v1/scenarios", "PUT /api/v1/scenarios/{id}", "PATCH /api/v1/scenarios/{id}"),
        *("POST /api/v1/runs", "POST /api/v1/runs/{run_id}/fork", "POST /api/v1/plans", "POST /api/v1/edits"),
    ],
}
"""What no schema can say, and the operations that may therefore answer 422 to what fits theirs."""

REFUSED = ["400", "401", "403", "404", "406", "409", "412", "413", "415", "422", "429"]


@pytest.fixture
def closed(settings: Any) -> Iterator[None]:
    """A server that asks for a token, on the test's own connection, which outlives its requests."""
    settings.LOGIN_REQUIRED = True
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def known(db: None, closed: None) -> dict[str, Any]:
    """One of everything, and a token."""
    workspace = Workspace.objects.get(id="local")
    cluster = import_cluster(workspace.id, [("c.json", small_cluster(3, 4).encode())], Labels("c"))
    run = computed.compute(
        Run.objects.create(workspace=workspace, cluster=cluster, revision=cluster.revision)
    )
    job = Job.objects.create(workspace=workspace, kind="check", status="finished", result={})
    held = yaml.safe_dump(pod("web"))
    token, text = AccessToken.issue(workspace.id, "all", [Scope.WRITE], None)
    return {
        "cluster": cluster.id,
        "run": run.id,
        "check": computed.check(cluster, held).id,
        "job": job.id,
        "profile": computed.profile(workspace.id).id,
        "scenario": computed.scenario(workspace.id).id,
        "token": token.id,
        "text": text,
        "revision": cluster.revision.name if cluster.revision else "",
    }


@lru_cache
def application() -> Any:
    return get_wsgi_application()


def document(known: dict[str, Any], path: str) -> dict[str, Any]:
    """Returns the schema of one address, with what is there as the values to choose from."""
    whole = schema()
    made = copy.deepcopy({**whole, "paths": {path: whole["paths"][path]}})
    for path, methods in made["paths"].items():
        noun = path.removeprefix("/api/v1/").partition("/")[0].removesuffix("s")
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                _choose(parameter, noun, known)
    for shape in made["components"]["schemas"].values():
        for name, each in shape.get("properties", {}).items():
            if name in ("cluster", "profile", "scenario") and each.get("type") == "string":
                each["enum"] = [known[name], ABSENT]
    return made


def _choose(parameter: dict[str, Any], noun: str, known: dict[str, Any]) -> None:
    name = parameter["name"]
    values = {
        "id": [known.get(noun, ABSENT), ABSENT],
        f"{noun}_id": [known.get(noun, ABSENT), ABSENT],
        "with": [known["run"], ABSENT],
        "revision": [known["revision"], "ffff"],
        "kind": ["Pod", "Node", "Deployment"],
        "namespace": ["default"],
        "cycle": [1, 2, 999],
    }.get(name)
    if values and (parameter["in"] == "path" or name == "with"):
        parameter["schema"] = {"type": "integer" if name == "cycle" else "string", "enum": values}
    elif name == "name" and parameter["in"] == "path":
        parameter["schema"] = {"type": "string", "enum": ["pod-0000", "node-0", "absent"]}


def expected(address: str, operation: dict[str, Any]) -> list[str]:
    """Returns what a request that fits the schema may be answered: no more than the operation gives reason for."""
    names = {parameter["name"] for parameter in operation.get("parameters", ())}
    reasons = {
        "304": "If-None-Match" in names and address.startswith("GET"),
        "404": "404" in operation["responses"],  # half of the identifiers are of nothing
        "409": "409" in operation["responses"],
        "412": bool(names & {"If-Match", "If-None-Match"}) and not address.startswith("GET"),
        "403": "/tokens" in address,  # a token makes no tokens
        "422": any(address in operations for operations in JUDGED.values()),
    }
    return ["2xx", *(status for status, has_reason in reasons.items() if has_reason)]


def configuration(statuses: list[str], **more: Any) -> SchemathesisConfig:
    return SchemathesisConfig.from_dict(
        {
            **more,
            "checks": {
                "positive_data_acceptance": {"expected-statuses": statuses},
                "negative_data_rejection": {"expected-statuses": REFUSED},
            },
        }
    )


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_operation_does_what_the_schema_says(address: str, known: dict[str, Any]) -> None:
    method, path = address.split(" ")
    told = document(known, path)
    try_operation(told, path, method, GenerationMode.POSITIVE, known["text"])
    del told["paths"][path][method.lower()]["security"]  # what is wrong is not the token
    with contextlib.suppress(Unsatisfiable):  # there is nothing in it that could be wrong
        try_operation(told, path, method, GenerationMode.NEGATIVE, known["text"])


def try_operation(told: dict[str, Any], path: str, method: str, mode: GenerationMode, token: str) -> None:
    operation = told["paths"][path][method.lower()]
    loaded = schemathesis.openapi.from_dict(
        told, config=configuration(expected(f"{method} {path}", operation))
    )
    loaded.app = application()
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}

    @given(case=loaded[path][method].as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def try_one(case: Any) -> None:
        held = transaction.savepoint()
        try:
            case.call_and_validate(headers=headers)
        finally:
            transaction.savepoint_rollback(held)

    try_one()
