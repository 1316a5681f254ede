"""Extenders in the application: off until an operator lists them, and never asked again by a replay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from playground.models import CycleDetail
from tests.conformance.extender_server import RuleServer
from tests.web.conftest import Api, eventually, manifests, node, pod

pytestmark = pytest.mark.usefixtures("worker")

CONFIG = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders:
- urlPrefix: http://127.0.0.1:{port}/rule
  filterVerb: filter
  weight: 1
"""


@pytest.fixture
def extender() -> Iterator[RuleServer]:
    with RuleServer() as server:
        yield server


def finished(api: Api, extender: RuleServer) -> dict[str, Any]:
    """A run on two nodes, of which the extender refuses the one with an odd generation."""
    odd, even = node("odd"), node("even")
    odd["metadata"]["labels"]["gen"], even["metadata"]["labels"]["gen"] = "3", "2"
    cluster = api.import_text(manifests(odd, even, pod("a")))
    profile = api.post("profiles", {"name": "asks", "config": CONFIG.format(port=extender.server_port)})
    run: dict[str, Any] = api.wait_for(api.run(cluster["id"], profile=profile["id"])["id"])
    return run


def test_extenders_are_off_until_an_operator_lists_their_hosts(api: Api, extender: RuleServer) -> None:
    run = finished(api, extender)
    assert extender.num_questions == 0
    (pending,) = api.get(f"runs/{run['id']}/placements")["pending"]
    assert "switched off" in pending["message"]


def test_a_listed_extender_is_asked_and_a_replay_takes_its_answers_from_the_run(
    api: Api, extender: RuleServer, settings: Any
) -> None:
    settings.EXTENDER_HOSTS = f"127.0.0.1:{extender.server_port}"
    settings.EXTENDER_PRIVATE = True
    run = finished(api, extender)
    assert api.get(f"runs/{run['id']}/placements")["placements"] == {"default/a": "even"}
    assert extender.num_questions == 1
    path = f"/api/v1/runs/{run['id']}/cycles/1"
    as_run = api.client.get(path).json()
    CycleDetail.objects.filter(run_id=run["id"]).delete()
    again = eventually(lambda: (got := api.client.get(path)).status_code == 200 and got.json())
    assert again == as_run
    assert extender.num_questions == 1
