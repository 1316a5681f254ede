from __future__ import annotations

import pytest

from scheduler_core.errors import ManifestError
from scheduler_core.simulator import Question, ask
from tests.core.simulator.scenario.scenes import Scene
from tests.make import make, make_node, make_pod

NODES = [make_node("a", cpu="2"), make_node("b", cpu="4")]
OWNER = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1", "uid": "u", "controller": True}
OWNED = make(
    {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "owned",
            "namespace": "default",
            "labels": {"app": "web"},
            "ownerReferences": [OWNER],
        },
        "spec": {"nodeName": "a", "containers": [{"name": "c", "image": "i"}]},
        "status": {"phase": "Running", "startTime": "2026-01-01T00:00:00Z"},
    }
)
MIRROR = make_pod("mirror", node="a")
PODS = [
    make_pod("full", node="a", requests={"cpu": "2"}),
    OWNED,
    make_pod("done", node="a", status={"phase": "Succeeded"}),
    make_pod("waits", requests={"cpu": "2"}),
]


def test_to_continue_moves_nobody() -> None:
    scene = Scene([*NODES, *PODS])
    assert scene.result.placements["default/full"] == "a"
    assert scene.result.moves == ()
    assert scene.result.question == "What is pending is placed; bound pods stay where they are."


def test_a_selection_is_placed_anew_and_the_rest_stays() -> None:
    scene = Scene([*NODES, *PODS], question=Question(ask="reschedule", pods=("default/full",)))
    (move,) = scene.result.moves
    assert (move.pod, move.before) == ("default/full", "a")
    assert move.after == scene.result.placements["default/full"] == "b"
    assert scene.result.placements["default/owned"] == "a"
    assert scene.result.question == "1 bound pod of the selection and what was pending are placed anew."


def test_all_is_replanned_but_what_has_ended() -> None:
    asked = ask([*NODES, *PODS], Question(ask="replan"))
    assert asked.moved == {"default/full": "a", "default/owned": "a"}
    assert asked.text == "All is placed anew: 2 bound pods and what was pending."
    owned = next(it for it in asked.objects if it.metadata.name == "owned")
    assert (owned.spec.node_name, owned.status.phase, owned.status.start_time) == ("", "Pending", None)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("selection", "moved"),
    [
        ({"nodes": ("a",)}, {"default/full", "default/owned"}),
        ({"nodes": ("a",), "selector": {"app": "web"}}, {"default/owned"}),
        ({"owners": ("ReplicaSet/default/web-1",)}, {"default/owned"}),
        ({"namespaces": ("default",), "pods": ("default/full",)}, {"default/full"}),
    ],
)
def test_all_conditions_of_a_selection_hold(selection: dict[str, tuple[str, ...]], moved: set[str]) -> None:
    question = Question(ask="reschedule", **selection)  # type: ignore[arg-type]
    assert set(ask([*NODES, *PODS], question).moved) == moved


@pytest.mark.parametrize(
    ("question", "field", "message"),
    [
        (
            Question(ask="reschedule"),
            "question.pods",
            "expected pods, nodes, namespaces, owners or a selector",
        ),
        (Question(ask="reschedule", nodes=("c",)), "question", "no bound pod is what was selected"),
        (Question(ask="reschedule", pods=("default/x",)), "question.pods[0]", "no such pod"),
    ],
)
def test_a_question_about_nothing_is_refused(question: Question, field: str, message: str) -> None:
    with pytest.raises(ManifestError) as refused:
        ask([*NODES, *PODS], question)
    assert [(error.field, error.message) for error in refused.value.errors] == [(field, message)]
