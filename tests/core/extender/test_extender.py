from __future__ import annotations

import numpy as np
import pytest

from scheduler_core.extender.errors import ExtenderError
from scheduler_core.extender.extender import scores_by_row
from scheduler_core.extender.wire import Victims
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.extender.service import URL, Service, extender
from tests.make import make_node, make_pod, make_snapshot

BOUND = make_pod("bound", node="b")
SNAPSHOT = make_snapshot([make_node(name) for name in ("a", "b", "c")], [BOUND])
NODES = SNAPSHOT.node_infos
POD = make_pod("asks")
INFO = PodInfo(POD, NODES.axis)


def names(rows: np.ndarray) -> list[str]:
    return [NODES.names[row] for row in rows]


def whole(*node_names: str) -> dict[str, object]:
    return {"Nodes": {"items": [{"metadata": {"name": name}} for name in node_names]}}


def test_filter_asks_with_whole_nodes_and_takes_whole_nodes() -> None:
    service = Service(filter={**whole("c", "a"), "FailedNodes": {"b": "no"}})
    verdict = extender(service, filter_verb="filter").filter(POD, NODES, NODES.order)
    assert names(verdict.rows) == ["c", "a"], "in the extender's order"
    assert (verdict.failed, verdict.failed_and_unresolvable, verdict.whole) == ({"b": "no"}, {}, True)
    [(address, question, timeout)] = service.asked
    assert (address, timeout) == (f"{URL}/filter", 5.0)
    assert [node["metadata"]["name"] for node in question["Nodes"]["items"]] == names(NODES.order)


def test_filter_asks_by_name_where_the_extender_knows_the_nodes() -> None:
    service = Service(filter={"NodeNames": ["b"], "FailedAndUnresolvableNodes": {"a": "never"}})
    found = extender(service, filter_verb="filter", node_cache_capable=True, seconds=1.5)
    verdict = found.filter(POD, NODES, NODES.order)
    assert names(verdict.rows) == ["b"]
    assert (verdict.failed_and_unresolvable, verdict.whole) == ({"a": "never"}, False)
    [(_, question, timeout)] = service.asked
    assert (question["NodeNames"], timeout) == (names(NODES.order), 1.5)


def test_a_whole_node_passes_even_if_the_extender_was_not_asked_about_it() -> None:
    rows = np.array([NODES.row_of["a"]], np.intp)
    found = extender(Service(filter=whole("b", "a")), filter_verb="filter")
    assert names(found.filter(POD, NODES, rows).rows) == ["b", "a"]
    with pytest.raises(ExtenderError, match='claims a filtered node "elsewhere"'):
        extender(Service(filter=whole("elsewhere")), filter_verb="filter").filter(POD, NODES, rows)
    by_name = extender(Service(filter={"NodeNames": ["b"]}), filter_verb="filter", node_cache_capable=True)
    with pytest.raises(ExtenderError, match='claims a filtered node "b"'):
        by_name.filter(POD, NODES, rows)


def test_an_answer_without_nodes_leaves_none() -> None:
    verdict = extender(Service(filter={}), filter_verb="filter").filter(POD, NODES, NODES.order)
    assert names(verdict.rows) == []


def test_an_extender_without_a_filter_lets_all_pass_unasked() -> None:
    service = Service()
    assert names(extender(service).filter(POD, NODES, NODES.order).rows) == names(NODES.order)
    assert service.asked == []


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (500, f"failed filter with extender at URL {URL}/filter, code 500"),
        ("connection refused", f'Post "{URL}/filter": connection refused'),
        ({"Error": "no idea"}, "no idea"),
        (
            {"NodeNames": ["x"]},
            f'extender "{URL}" claims a filtered node "x" which is not found in the input node list',
        ),
    ],
)
def test_an_answer_of_no_use_is_an_error_in_upstream_s_words(answer: object, message: str) -> None:
    found = extender(Service(filter=answer), filter_verb="filter", node_cache_capable=True)
    with pytest.raises(ExtenderError) as raised:
        found.filter(POD, NODES, NODES.order)
    assert str(raised.value) == message


def test_a_slash_at_the_end_of_the_prefix_is_not_doubled() -> None:
    service = Service(filter={})
    extender(service, filter_verb="filter", url_prefix=f"{URL}/").filter(POD, NODES, NODES.order)
    assert service.asked[0][0] == f"{URL}/filter"


def test_scores_come_by_name_with_the_weight_and_add_up() -> None:
    service = Service(
        prioritize=[{"Host": "a", "Score": 3}, {"Host": "a", "Score": 4}, {"Host": "elsewhere", "Score": 9}]
    )
    found = extender(service, prioritize_verb="prioritize", weight=2)
    assert found.prioritize(POD, NODES, NODES.order) == ({"a": 7, "elsewhere": 9}, 2)


def test_an_extender_that_does_not_score_gives_zeros_without_weight() -> None:
    service = Service()
    scores, weight = extender(service, filter_verb="filter", weight=2).prioritize(POD, NODES, NODES.order)
    assert (scores, weight, service.asked) == ({"a": 0, "b": 0, "c": 0}, 0, [])


def test_a_product_outside_int64_keeps_its_low_bits() -> None:
    rows = NODES.order[:1]
    assert scores_by_row({"a": 2**62}, NODES, rows, 4).tolist() == [0]
    assert scores_by_row({"a": 2**62 + 1}, NODES, rows, 2).tolist() == [-(2**63) + 2]


def test_victims_come_back_by_uid() -> None:
    bound = NODES.info(NODES.row_of["b"]).pods[BOUND.metadata.uid]
    answer = {"NodeNameToMetaVictims": {"b": {"Pods": [{"UID": bound.uid}], "NumPDBViolations": 1}}}
    found = extender(Service(preempt=answer), preempt_verb="preempt")
    assert found.process_preemption(INFO, {"b": Victims((bound,), 1), "a": Victims((), 0)}, NODES) == {
        "b": Victims((bound,), 1)
    }


def test_victims_that_are_not_there_are_an_error() -> None:
    def error(answer: dict[str, object]) -> str:
        found = extender(Service(preempt={"NodeNameToMetaVictims": answer}), preempt_verb="preempt")
        with pytest.raises(ExtenderError) as raised:
            found.process_preemption(INFO, {}, NODES)
        return str(raised.value)

    assert error({"x": {}}) == 'nodeinfo not found for node name "x"'
    assert error({"b": {"Pods": [{"UID": "u"}]}}) == (
        f"extender: {URL} claims to preempt pod (UID: u) on node: b, but the pod is not found on that node"
    )


def test_an_extender_binds_or_says_why_not() -> None:
    extender(Service(bind={}), bind_verb="bind").bind(POD, "a")
    with pytest.raises(ExtenderError, match=r"^taken$"):
        extender(Service(bind={"Error": "taken"}), bind_verb="bind").bind(POD, "a")


def test_verbs_that_are_not_configured_are_not_used() -> None:
    found = extender(Service())
    with pytest.raises(ExtenderError, match="unexpected empty bindVerb in extender"):
        found.bind(POD, "a")
    with pytest.raises(ExtenderError, match="preempt verb is not defined"):
        found.process_preemption(INFO, {}, NODES)


def test_an_extender_is_interested_in_pods_that_use_its_resources() -> None:
    def interested(**spec: object) -> bool:
        pod = make_pod(**spec)  # type: ignore[arg-type]
        return extender(Service(), managed=["example.com/gpu"]).is_interested(PodInfo(pod, NODES.axis))

    gpu = {"example.com/gpu": "1"}
    assert interested(requests=gpu)
    assert interested(containers=[{"name": "c", "resources": {"limits": gpu}}])
    assert interested(initContainers=[{"name": "i", "resources": {"requests": gpu}}])
    assert not interested(requests={"cpu": "1"})
    assert extender(Service()).is_interested(INFO), "one without resources of its own is interested in all"
