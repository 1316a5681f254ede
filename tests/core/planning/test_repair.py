"""What makes a pending pod fit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.kinds import KubeObject
from scheduler_core.config import load_config
from scheduler_core.planning import Repairs, repairs, what_if
from scheduler_core.simulator import read_edits
from tests.make import make, make_node, make_pod

CONFIG = load_config("")


def ask(*cluster: KubeObject, pod: str = "default/web") -> Repairs:
    return repairs(cluster, pod, CONFIG)


def texts(found: Repairs) -> list[str]:
    return [repair.text for repair in found.repairs]


def test_a_request_is_lowered_by_what_is_short_on_the_nearest_node() -> None:
    found = ask(
        make_node("n1", cpu="2"),
        make_node("n2", cpu="1500m"),
        make_pod("web", requests={"cpu": "2300m"}),
    )
    assert texts(found) == [
        "Lower main's cpu request to 2 (300m less): default/web goes to n1; nothing else changes.",
    ]
    assert found.tried == 1 + 2  # a node like either was tried too; lower still, for n2, could only be worse
    (change,) = found.repairs[0].changes
    assert change.object == "Pod/default/web"
    assert change.patch["spec"]["containers"][0]["resources"]["requests"]["cpu"] == "2"


def test_the_room_that_the_others_leave_is_what_counts() -> None:
    found = ask(
        make_node("big", cpu="4"),
        make_node("small", cpu="1"),
        make_pod("web", requests={"cpu": "5"}),
        make_pod("zebra", requests={"cpu": "1500m"}),
    )
    assert texts(found)[0] == (
        "Lower main's cpu request to 2.5 (2.5 less): default/web goes to big; nothing else changes."
    )


def test_a_taint_is_tolerated() -> None:
    found = ask(make_node("n1", taints=["gpu=yes:NoSchedule"]), make_pod("web"))
    assert texts(found)[0] == "Tolerate gpu=yes:NoSchedule: default/web goes to n1; nothing else changes."
    (change,) = found.repairs[0].changes
    assert change.patch == {
        "spec": {"tolerations": [{"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}]}
    }


def test_a_label_is_given_or_the_demand_dropped() -> None:
    found = ask(make_node("n1", labels={"disk": "hdd"}), make_pod("web", nodeSelector={"disk": "ssd"}))
    assert texts(found) == [
        "Label n1 with disk=ssd: default/web goes to n1; nothing else changes.",
        "Take disk out of the pod's nodeSelector: default/web goes to n1; nothing else changes.",
    ]


def test_a_cordoned_node_is_uncordoned() -> None:
    found = ask(make_node("n1", unschedulable=True), make_pod("web"))
    assert texts(found)[0] == "Uncordon n1: default/web goes to n1; nothing else changes."


def test_the_least_important_pods_are_evicted_and_no_more_than_needed() -> None:
    found = ask(
        make_node("n1", cpu="4"),
        make_pod("low", requests={"cpu": "1"}, node="n1", priority=10),
        make_pod("mid", requests={"cpu": "3"}, node="n1", priority=20),
        make_pod("web", requests={"cpu": "3"}, preemptionPolicy="Never", priority=20),
    )
    evicting = next(repair for repair in found.repairs if repair.changes[0].evict)
    assert evicting.changes[0].evict == ("default/mid",)
    assert evicting.text == "Evict default/mid: default/web goes to n1; 1 evicted."


def test_two_refusals_need_two_changes() -> None:
    found = ask(make_node("n1", cpu="2", taints=["gpu:NoSchedule"]), make_pod("web", requests={"cpu": "3"}))
    (repair,) = found.repairs
    assert [change.object for change in repair.changes] == ["Pod/default/web", "Pod/default/web"]
    assert repair.text == (
        "Tolerate gpu:NoSchedule and lower main's cpu request to 2 (1 less): default/web goes to n1; "
        "nothing else changes."
    )


def test_a_spread_is_allowed_to_be_wider() -> None:
    spread = [
        {
            "maxSkew": 1,
            "topologyKey": "zone",
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": "web"}},
        }
    ]
    found = ask(
        make_node("n1", cpu="8", labels={"zone": "a"}),
        make_node("n2", cpu="1", labels={"zone": "b"}),
        make_pod("w0", labels={"app": "web"}, node="n1"),
        make_pod("web", labels={"app": "web"}, requests={"cpu": "2"}, topologySpreadConstraints=spread),
    )
    assert "Allow a skew of 2 over zone: default/web goes to n1; nothing else changes." in texts(found)


def test_a_new_node_is_tried_of_each_kind() -> None:
    found = ask(
        make_node("n1", cpu="4"),
        make_node("n2", cpu="1"),
        make_pod("old", requests={"cpu": "4"}, node="n1", priority=100),
        make_pod("web", requests={"cpu": "4"}, priority=0),
    )
    assert "Add a node like n1: default/web goes to n3; nothing else changes." in texts(found)
    assert not any("like n2" in text for text in texts(found))


def test_a_repair_is_also_a_list_of_edits() -> None:
    found = ask(
        make_node("n1", cpu="4", unschedulable=True),
        make_pod("old", requests={"cpu": "3"}, node="n1"),
        make_pod("web", requests={"cpu": "2"}),
    )
    by_text = {repair.text.partition(":")[0]: repair.edits for repair in found.repairs}
    assert by_text["Uncordon n1 and evict default/old"] == (
        {"kind": "uncordon", "nodes": ["n1"]},
        {"kind": "delete", "object": "Pod/default/old", "graceSeconds": 0},
    )
    assert by_text["Uncordon n1 and lower main's cpu request to 1 (1 less)"] == (
        {"kind": "uncordon", "nodes": ["n1"]},
        {"kind": "setRequests", "object": "Pod/default/web", "container": "main", "requests": {"cpu": "1"}},
    )
    assert by_text["Add a node like n1"] == ({"kind": "addNodes", "like": "n1", "count": 1},)


def test_what_would_push_somebody_out_ranks_behind_what_would_not() -> None:
    found = ask(
        make_node("n1", cpu="4"),
        make_pod("old", requests={"cpu": "3"}, node="n1"),
        make_pod("web", requests={"cpu": "2"}),
    )
    kinds = ["evict" if repair.changes[0].evict else "other" for repair in found.repairs]
    assert kinds == ["other", "other", "evict"]


def test_a_pod_with_a_node_needs_nothing() -> None:
    found = ask(make_node("n1"), make_pod("web"))
    assert found.repairs == ()
    assert found.text == "default/web has a node: nothing is to be repaired."


def test_what_no_api_server_lets_be_changed_is_replaced() -> None:
    found = ask(make_node("n1"), make_pod("web", nodeSelector={"disk": "ssd"}, tolerations=[]))
    by_text = {repair.text.partition(":")[0]: repair.edits for repair in found.repairs}
    delete, apply = by_text["Take disk out of the pod's nodeSelector"]
    assert delete == {"kind": "delete", "object": "Pod/default/web", "graceSeconds": 0}
    (applied,) = apply["objects"]
    assert (applied["metadata"]["name"], applied["spec"].get("nodeSelector", {})) == ("web", {})


def test_a_pod_that_no_api_server_would_take_again_is_not_replaced() -> None:
    odd = make_pod("web", nodeSelector={"disk": "ssd"}, labels={"app": "x" * 64})
    found = ask(make_node("n1"), odd)
    assert texts(found) == ["Label n1 with disk=ssd: default/web goes to n1; nothing else changes."]


def test_gates_are_taken_off() -> None:
    found = ask(make_node("n1"), make_pod("web", schedulingGates=[{"name": "wait"}]))
    assert texts(found) == [
        "Take the scheduling gate wait off the pod: default/web goes to n1; nothing else changes."
    ]


def test_a_limit_that_is_the_request_is_lowered_with_it() -> None:
    resources = {"requests": {"cpu": "3"}, "limits": {"cpu": "3", "memory": "1Gi"}}
    web = make_pod("web", containers=[{"name": "main", "image": "app:1", "resources": resources}])
    ((edit,), *_) = [repair.edits for repair in ask(make_node("n1", cpu="2"), web).repairs]
    assert edit == {
        "kind": "setRequests", "object": "Pod/default/web", "container": "main",
        "requests": {"cpu": "2"}, "limits": {"cpu": "2"},
    }  # fmt: skip


def test_what_the_scheduler_makes_room_for_itself_needs_no_eviction() -> None:
    found = ask(
        make_node("n1", cpu="2", taints=["gpu:NoSchedule"]),
        make_pod("low", requests={"cpu": "2"}, node="n1", priority=0),
        make_pod("web", requests={"cpu": "2"}, priority=100),
    )
    assert "Tolerate gpu:NoSchedule: default/web goes to n1; 1 evicted." in texts(found)


def test_a_request_is_lowered_further_where_fewer_others_have_to_go_for_it() -> None:
    found = ask(
        make_node("n1", cpu="2"),
        make_pod("one", requests={"cpu": "1"}, node="n1"),
        make_pod("two", requests={"cpu": "1"}, node="n1"),
        make_pod("web", requests={"cpu": "3"}, priority=50),
    )
    assert texts(found)[1:] == [
        "Lower main's cpu request to 1 (2 less): default/web goes to n1; 1 evicted.",
        "Lower main's cpu request to 2 (1 less): default/web goes to n1; 2 evicted.",
    ]


def test_what_is_larger_than_a_full_node_is_made_smaller_and_others_go() -> None:
    cluster = [make_node("n1", cpu="2"), make_pod("low", requests={"cpu": "2"}, node="n1", priority=0)]
    web = make_pod("web", requests={"cpu": "3"}, priority=0)
    assert (
        "Lower main's cpu request to 2 (1 less) and evict default/low: default/web goes to n1; 1 evicted."
        in texts(ask(*cluster, web))
    )
    web = make_pod("web", requests={"cpu": "3"}, priority=50)
    assert "Lower main's cpu request to 2 (1 less): default/web goes to n1; 1 evicted." in texts(
        ask(*cluster, web)
    )


def test_a_node_more_that_is_tainted_takes_a_toleration() -> None:
    found = ask(
        make_node("n1", cpu="2", taints=["gpu:NoSchedule"]),
        make_pod("old", requests={"cpu": "2"}, node="n1", priority=100),
        make_pod("web", requests={"cpu": "2"}, priority=0),
    )
    assert (
        "Add a node like n1 and tolerate gpu:NoSchedule: default/web goes to n2; nothing else changes."
        in texts(found)
    )


def test_where_nothing_helps_it_says_what_is_in_the_way_of_each_kind() -> None:
    found = ask(
        make_node("n1", cpu="1"),
        make_pod("old", requests={"cpu": "1"}, node="n1", priority=100),
        make_pod(
            "web",
            containers=[
                {"name": c, "image": "app:1", "resources": {"requests": {"cpu": "700m"}}} for c in "abc"
            ],
        ),
    )
    assert found.repairs == ()
    assert found.text == "1 change was tried: default/web stays pending."
    assert [(one.kind, one.text) for one in found.in_the_way] == [
        ("requests", "1 node lacks what it asks for, more than a lower request could make up for."),
        ("tolerations", "No node refuses it for a taint, so a toleration changes nothing."),
        ("labels", "No node refuses it for its labels, so a label changes nothing."),
        ("evict", "On no node would it fit if pods that may go went."),
        (
            "node",
            (
                "Add a node like n1 was tried, and it stays pending: 0/2 nodes are available: 2 Insufficient cpu. "
                "no new claims to deallocate, preemption: 0/2 nodes are available: "
                "2 Preemption is not helpful for scheduling."
            ),
        ),
    ]


def test_a_cluster_without_nodes_has_none_to_be_like() -> None:
    found = ask(make_pod("web"))
    assert found.text == "No small change is known that makes default/web fit."
    assert [(one.kind, one.text) for one in found.in_the_way] == [
        ("node", "The cluster has no node, and so none that a new one could be like.")
    ]


def test_the_present_edits_are_made_in_every_run() -> None:
    cluster = [make_node("n1"), make_node("n2", taints=["gpu:NoSchedule"]), make_pod("web")]
    edits = read_edits([{"kind": "cordon", "nodes": ["n1"]}])
    found = repairs(cluster, "default/web", CONFIG, edits=edits)
    assert {
        "Uncordon n1: default/web goes to n1; nothing else changes.",
        "Tolerate gpu:NoSchedule: default/web goes to n2; nothing else changes.",
    } <= set(texts(found))


def test_a_pod_that_comes_by_an_edit_is_repaired_when_it_is_there() -> None:
    rs = make(
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {"name": "web", "namespace": "default"},
            "spec": {
                "replicas": 0,
                "selector": {"matchLabels": {"app": "web"}},
                "template": {
                    "metadata": {"labels": {"app": "web"}},
                    "spec": {
                        "containers": [
                            {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "3"}}}
                        ]
                    },
                },
            },
        }
    )
    cluster = [make_node("n1", cpu="2"), rs]
    edits = read_edits([{"kind": "scale", "object": "ReplicaSet/default/web", "replicas": 1}])
    (pod,) = what_if(cluster, edits, CONFIG).changes.newly_pending
    found = repairs(cluster, pod.pod, CONFIG, edits=edits)
    assert (
        texts(found)[0]
        == f"Lower main's cpu request to 2 (1 less): {pod.pod} goes to n1; nothing else changes."
    )
    assert found.note.startswith(f"{pod.pod} is made by ReplicaSet/default/web:")
    after = what_if(cluster, [*edits, *read_edits(found.repairs[0].edits)], CONFIG).changes
    assert (after.newly_pending, [placed.pod for placed in after.new]) == ((), [pod.pod])


def test_what_was_found_by_then_is_told_as_it_comes() -> None:
    told: list[list[str]] = []
    cluster = [
        make_node("n1", unschedulable=True),
        make_node("n2", taints=["gpu:NoSchedule"]),
        make_pod("web"),
    ]
    found = repairs(cluster, "default/web", CONFIG, so_far=lambda found: told.append(texts(found)))
    assert [len(one) for one in told] == [1, 2, 3]
    assert told[-1] == texts(found)


def test_an_unknown_pod_is_refused() -> None:
    with pytest.raises(KeyError, match="nobody"):
        ask(make_node("n1"), pod="default/nobody")


_NODES = st.lists(
    st.tuples(st.integers(1, 4), st.booleans(), st.booleans(), st.integers(0, 3)), min_size=1, max_size=4
)


@settings(deadline=None, max_examples=12)
@given(_NODES, st.integers(1, 6), st.booleans())
def test_a_repair_is_found_whenever_one_change_of_a_kind_it_knows_would_do(
    kinds: list[tuple[int, bool, bool, int]], need: int, wants_ssd: bool
) -> None:
    cluster: list[KubeObject] = []
    for index, (cpu, tainted, ssd, used) in enumerate(kinds):
        taints = ["t:NoSchedule"] if tainted else []
        cluster.append(
            make_node(f"n{index}", cpu=str(cpu), taints=taints, labels={"ssd": "y"} if ssd else {})
        )
        if 0 < used <= cpu:
            cluster.append(make_pod(f"p{index}", requests={"cpu": str(used)}, node=f"n{index}", priority=100))
    wants: dict[str, Any] = {"nodeSelector": {"ssd": "y"}} if wants_ssd else {}
    cluster.append(make_pod("web", requests={"cpu": str(need)}, priority=0, **wants))
    found = ask(*cluster)
    fits = [
        (need <= cpu - (used if used <= cpu else 0), not tainted, ssd or not wants_ssd)
        for cpu, tainted, ssd, used in kinds
    ]
    if any(all(node) for node in fits):
        assert found.text.endswith("nothing is to be repaired.")
    elif any(room and sum(node) >= 2 for node in fits for room in [node[0]]):
        assert found.repairs
        assert not found.repairs[0].difference.gone
