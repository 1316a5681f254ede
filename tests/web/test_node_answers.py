"""Why not this node, by the interface."""

from __future__ import annotations

from typing import Any

import pytest

from playground.models import CycleDetail, DetailStatus
from tests.web.conftest import Api, eventually, manifests, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(api: Api, worker: None) -> Any:
    """A finished run: "a" is placed on n1, "c" and "d" fit nowhere."""
    things = manifests(node("n1"), node("n2", cpu="1"), pod("a", "2"), pod("c", "8"), pod("d", "9"))
    return api.wait_for(api.run(api.import_text(things)["id"])["id"])


def test_a_node_says_what_it_lacks_for_the_pod_of_a_cycle(api: Api, over: Any) -> None:
    answer = api.get(f"runs/{over['id']}/cycles/2/nodes/n2")
    assert (answer["pod"], answer["verdict"]) == ("default/c", "refused_for_good")
    assert answer["text"] == "n2 is refused by NodeResourcesFit: cpu: needs 8, free 1 of 1, short by 7."
    assert answer["remedies"][0]["text"] == "Request at most 1 cpu (7 less)"
    assert api.get(f"runs/{over['id']}/cycles/1/nodes/n1")["verdict"] == "chosen"


def test_a_node_that_is_not_there_is_an_answer_and_a_cycle_that_is_not_there_is_none(
    api: Api, over: Any
) -> None:
    assert api.get(f"runs/{over['id']}/cycles/1/nodes/elsewhere.internal")["verdict"] == "unknown"
    assert "no cycle 99" in api.get(f"runs/{over['id']}/cycles/99/nodes/n1", status=404)["detail"]


def test_a_node_tells_whom_it_refused_and_why_the_latest_first(api: Api, over: Any) -> None:
    story = api.get(f"runs/{over['id']}/nodes/n2")
    assert [(answer["cycle"], answer["pod"]) for answer in story["answers"]] == [
        (3, "default/d"),
        (2, "default/c"),
        (1, "default/a"),
    ]
    assert story["answers"][2]["text"].startswith(
        "n2 is refused by NodeResourcesFit: cpu: needs 2, free 1 of 1"
    )
    assert (story["num_cycles"], story["next_until"]) == (3, None)
    until = api.get(f"runs/{over['id']}/nodes/n1", until=2)
    assert [answer["pod"] for answer in until["answers"]] == ["default/c"], "a was placed on it"
    assert until["num_cycles"] == 2


def test_a_page_of_cycles_leads_to_the_earlier_ones(api: Api, over: Any) -> None:
    path = f"runs/{over['id']}/nodes/n2"
    first = api.get(path, limit=2)
    assert [answer["cycle"] for answer in first["answers"]] == [3, 2]
    assert first["next_until"] == 1
    second = api.get(path, limit=2, until=1)
    assert [answer["cycle"] for answer in second["answers"]] == [1]
    assert second["next_until"] is None
    assert "limit" in api.get(path, 400, limit=51)["detail"]


def test_what_is_not_stored_of_a_page_is_computed_by_one_replay(api: Api, over: Any) -> None:
    path = f"runs/{over['id']}/nodes/n2"
    as_run = api.get(path)
    CycleDetail.objects.filter(run_id=over["id"]).exclude(cycle=2).delete()
    answer = api.client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer["Retry-After"]) == (202, "1")
    answered = eventually(
        lambda: (got := api.client.get(f"/api/v1/{path}")).status_code == 200 and got.json()
    )
    assert answered == as_run
    stored = CycleDetail.objects.filter(run_id=over["id"], status=DetailStatus.STORED)
    assert sorted(stored.values_list("cycle", flat=True)) == [1, 2, 3]
