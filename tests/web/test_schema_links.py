"""schemathesis goes from answer to answer by the links of the schema: a cluster is made, read, run, its cycles read."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from playground.api.describe import schema
from playground.models import Run
from tests.web import computed
from tests.web.conftest import node, pod
from tests.web.test_schemathesis import application, closed, configuration, known

__all__ = ["closed", "known"]

WALKS = 16
STEPS = 12
SMALL = [node("node-a"), pod("pod-a"), pod("pod-b", "9")]
WALKED = {
    *("clusters_create", "clusters_retrieve", "clusters_destroy"),
    *("runs_create", "runs_retrieve", "run_cycles", "run_cycle", "run_fork", "runs_destroy"),
}
"""The operations on the way from a new cluster to a run's cycles."""


def document() -> dict[str, Any]:
    """Returns the schema of what the links lead through, with bodies that the core takes."""
    whole = schema()
    made = copy.deepcopy(whole)
    made["paths"] = {
        path: {method: each for method, each in methods.items() if each["operationId"] in WALKED}
        for path, methods in made["paths"].items()
    }
    shapes = made["components"]["schemas"]
    shapes["NewClusterRequest"]["properties"]["objects"]["enum"] = [SMALL]
    run, fork = shapes["NewRunRequest"], shapes["NewForkRequest"]
    run["properties"] = {"cluster": run["properties"]["cluster"]}
    fork["properties"], fork["required"] = {"cycle": {"type": "integer", "enum": [1]}}, ["cycle"]
    for methods in made["paths"].values():
        for operation in methods.values():
            del operation["security"]  # every request has a token
            parameters = operation.get("parameters", ())
            operation["parameters"] = [each for each in parameters if each["in"] == "path"]
            for response in operation["responses"].values():
                links = response.get("links", {}).items()
                response["links"] = {name: link for name, link in links if link["operationId"] in WALKED}
    return made


def test_every_link_leads_to_an_operation_with_the_parameters_it_names() -> None:
    operations = {
        each["operationId"]: each for methods in schema()["paths"].values() for each in methods.values()
    }
    links = [
        link
        for each in operations.values()
        for response in each["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert len(links) > 20
    for link in links:
        target = operations[link["operationId"]]
        names = {parameter["name"] for parameter in target.get("parameters", ()) if parameter["in"] == "path"}
        assert set(link.get("parameters", {})) == names, link


def test_what_one_answer_names_the_next_request_finds(known: dict[str, Any]) -> None:
    walked: Counter[str] = Counter()
    config = configuration(
        ["2xx", "404", "409"],
        generation={"mode": "positive"},
        phases={"stateful": {"inference": {"algorithms": []}}},
    )
    loaded = schemathesis.openapi.from_dict(document(), config=config)
    loaded.app = application()

    class Walk(loaded.as_state_machine()):  # type: ignore[misc]
        """One way through the API."""

        def setup(self) -> None:
            self.held = transaction.savepoint()

        def teardown(self) -> None:
            transaction.savepoint_rollback(self.held)
            super().teardown()

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": {"Authorization": f"Bearer {known['text']}", "Accept-Encoding": "identity"}}

        def after_call(self, response: Any, case: Any) -> None:
            walked[f"{case.operation.label} {response.status_code}"] += 1
            if case.operation.label == "POST /api/v1/runs" and response.status_code == 201:
                computed.compute(Run.objects.get(id=response.json()["id"]))

    run_state_machine_as_test(
        seed(2)(Walk),
        settings=settings(
            max_examples=WALKS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )

    for wanted in (
        "GET /api/v1/clusters/{id} 200",
        "POST /api/v1/runs 201",
        "GET /api/v1/runs/{run_id}/cycles 200",
    ):
        assert walked[wanted], walked
