"""Why not this node, by the interface."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Api, manifests, node, pod

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


def test_a_node_tells_of_every_pod_that_found_no_place_up_to_a_cycle(api: Api, over: Any) -> None:
    story = api.get(f"runs/{over['id']}/nodes/n1")
    assert [answer["pod"] for answer in story["answers"]] == ["default/d", "default/c"]
    assert story["answers"][1]["text"].startswith(
        "n1 is refused by NodeResourcesFit: cpu: needs 8, free 2 of 4"
    )
    assert story["num_unread"] == 0
    until = api.get(f"runs/{over['id']}/nodes/n1", until=2)
    assert [answer["pod"] for answer in until["answers"]] == ["default/c"]
