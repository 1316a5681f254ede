from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.kinds import KubeObject
from scheduler_core.trace import CycleDetail, NodeAnswer, decode_detail, encode_detail, explain_node
from tests.core.simulator.running import Run
from tests.make import make, make_node, make_pod

ZONE = "topology.kubernetes.io/zone"


def last_detail(objects: list[KubeObject]) -> CycleDetail:
    run = Run(objects)
    return run.sink.details[max(run.sink.details)]


def answer(objects: list[KubeObject], node: str) -> NodeAnswer:
    return explain_node(last_detail(objects), node)


def affinity(kind: str, **terms: Any) -> dict[str, Any]:
    return {kind: {"requiredDuringSchedulingIgnoredDuringExecution": terms.get("terms", terms)}}


def test_a_node_that_lacks_cpu_says_how_much_the_pod_needs_what_is_free_and_what_is_short() -> None:
    found = answer([make_node("a", cpu="1"), make_pod("pod", requests={"cpu": "1500m"})], "a")
    assert found.verdict == "refused_for_good"
    assert found.text == "a is refused by NodeResourcesFit: cpu: needs 1.5, free 1 of 1, short by 500m."
    assert [remedy.text for remedy in found.remedies] == ["Request at most 1 cpu (500m less)"]


def test_every_plugin_that_refuses_a_node_is_named_the_first_as_upstream_names_it() -> None:
    node = make_node("a", cpu="4", taints=["team=ml:NoSchedule", "old:NoExecute"])
    other = make_pod("other", node="a", requests={"cpu": "3"})
    found = answer([node, other, make_pod("pod", requests={"cpu": "2"})], "a")
    assert [refusal.plugin for refusal in found.refusals] == ["TaintToleration", "NodeResourcesFit"]
    assert found.text == (
        "a is refused by TaintToleration: taints team=ml:NoSchedule and old:NoExecute not tolerated. "
        "Beside it NodeResourcesFit refuses it: cpu: needs 2, free 1 of 4, short by 1."
    )
    assert [(remedy.kind, remedy.text) for remedy in found.remedies] == [
        ("tolerate", "Tolerate team=ml:NoSchedule and old:NoExecute, or remove them"),
        ("requests", "Request at most 1 cpu (1 less), or free 1 cpu on a"),
    ]


def test_a_node_that_fits_says_by_which_scores_another_won() -> None:
    nodes = [make_node("a", cpu="4"), make_node("b", cpu="64", memory="128Gi")]
    detail = last_detail([*nodes, make_pod("pod", requests={"cpu": "2"})])
    found = explain_node(detail, "a")
    a, b = (detail.total[detail.scored.index(row)] for row in (0, 1))
    assert found.verdict == "fits"
    assert found.text.startswith(f"a fits; it scores {a}, {b - a} less than b with {b}: NodeResources")
    assert explain_node(detail, "b").text == (
        f"b was chosen: it scores {b}, the most of 2 nodes that fit; the next has {a}."
    )


def test_a_tied_node_says_how_the_tie_was_broken() -> None:
    objects = [make_node("a"), make_node("b"), make_pod("pod")]
    found = answer(objects, "b")
    assert "b fits and ties with a at" in found.text
    assert found.text.endswith("Of 2 tied nodes the first by name is taken.")
    assert answer(objects, "a").text.endswith("as does one more. Of 2 tied nodes the first by name is taken.")


def test_a_node_outside_the_sample_says_why_it_was_not_looked_at_and_whether_it_would_have_passed() -> None:
    nodes = [make_node(f"node-{number:03d}", cpu="1" if number == 200 else "4") for number in range(250)]
    detail = last_detail([*nodes, make_pod("pod", requests={"cpu": "2"})])
    fine, small = explain_node(detail, "node-201"), explain_node(detail, "node-200")
    assert (fine.verdict, small.verdict) == ("not_looked_at", "not_looked_at")
    assert fine.text == (
        "node-201 was not looked at. 121 of 250 nodes were looked at, from node-000 on (index 0), until 120 "
        "fitted (the adaptive share of nodes to score). It would have passed every filter."
    ).replace("121 of", "120 of")
    assert small.text.endswith(
        "NodeResourcesFit would have refused it: cpu: needs 2, free 1 of 1, short by 1."
    )


def test_a_node_that_is_not_there_is_no_error() -> None:
    found = answer([make_node("a"), make_pod("pod")], "z")
    assert (found.verdict, found.text) == ("unknown", "There is no node z in cycle 1.")


@pytest.mark.parametrize(
    ("pod", "text"),
    [
        (
            {"nodeSelector": {"disk": "ssd"}},
            "a is refused by NodeAffinity: nodeSelector wants disk=ssd, the node has hdd.",
        ),
        (
            {
                "affinity": affinity(
                    "nodeAffinity",
                    terms={
                        "nodeSelectorTerms": [
                            {"matchExpressions": [{"key": "gpu", "operator": "Exists"}]},
                            {"matchExpressions": [{"key": "disk", "operator": "NotIn", "values": ["hdd"]}]},
                        ]
                    },
                )
            },
            (
                "a is refused by NodeAffinity: affinity wants gpu exists, the node lacks the label or "
                "affinity wants disk not in (hdd), the node has hdd."
            ),
        ),
        (
            {"host_ports": [80]},
            "a is refused by NodePorts: port 80/TCP is held by default/web.",
        ),
        (
            {
                "affinity": affinity(
                    "podAntiAffinity",
                    terms=[{"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": ZONE}],
                )
            },
            f"a is refused by InterPodAffinity: default/web with app=web in {ZONE}=one.",
        ),
        (
            {
                "affinity": affinity(
                    "podAffinity",
                    terms=[{"labelSelector": {"matchLabels": {"app": "db"}}, "topologyKey": ZONE}],
                )
            },
            f"a is refused by InterPodAffinity: no pod with app=db in {ZONE}=one.",
        ),
        (
            {
                "labels": {"app": "web"},
                "topologySpreadConstraints": [
                    {
                        "maxSkew": 1,
                        "topologyKey": ZONE,
                        "whenUnsatisfiable": "DoNotSchedule",
                        "labelSelector": {"matchLabels": {"app": "web"}},
                    }
                ],
            },
            (
                f"a is refused by PodTopologySpread: {ZONE}=one has 1 matching pods, the emptiest domain 0: "
                "skew 2, allowed 1."
            ),
        ),
    ],
)
def test_each_plugin_tells_its_own_numbers(pod: dict[str, Any], text: str) -> None:
    labels = {"disk": "hdd", ZONE: "one"}
    web = make_pod("web", node="a", labels={"app": "web"}, host_ports=[80])
    full = make_pod("full", node="b", requests={"cpu": "4"}, labels={"app": "filler"})
    objects = [make_node("a", labels=labels), make_node("b", labels={ZONE: "two"}), web, full]
    detail = last_detail([*objects, make_pod("pod", requests={"cpu": "100m"}, **pod)])
    assert explain_node(detail, "a").text == text
    assert decode_detail(encode_detail(detail)) == detail


def test_a_node_that_was_promised_says_that_no_other_was_looked_at() -> None:
    objects = [make_node("a", cpu="1"), make_node("b", cpu="1")]
    low = [make_pod(f"low-{name}", node=name, requests={"cpu": "1"}) for name in "ab"]
    detail = last_detail([*objects, *low, make_pod("high", requests={"cpu": "1"}, priority=9)])
    assert detail.decision == "a was chosen. Only a was looked at: the pod is nominated to it, and it fits."
    assert explain_node(detail, "b").verdict == "not_looked_at"


def test_the_detail_of_a_placed_pod_says_why_its_node_was_chosen() -> None:
    detail = last_detail([make_node("a"), make_node("b", cpu="1"), make_pod("pod", requests={"cpu": "2"})])
    assert detail.decision == "a was chosen: the only node that fits."
    assert last_detail([make_node("a"), make_pod("pod", requests={"cpu": "9"})]).decision == ""


def test_a_pod_that_a_known_fault_attracts_is_told_so_with_the_choice_of_its_node() -> None:
    namespace = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": "red", "labels": {"team": "x"}},
    }
    term = {
        "labelSelector": {"matchLabels": {"app": "web"}},
        "topologyKey": ZONE,
        "namespaceSelector": {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["x"]}]},
    }
    preferred = [{"weight": 9, "podAffinityTerm": term}]
    objects = [
        make(namespace),
        make_node("a", labels={ZONE: "a"}),
        make_node("b", labels={ZONE: "b"}),
        make_pod("web", namespace="red", labels={"app": "web"}, node="b"),
    ]
    fault = (
        "v1.34.1 counts pods in namespace red although the term's namespaceSelector excludes the namespace: "
        "a known fault, kubernetes/kubernetes#141526."
    )
    required = make_pod("pod", affinity=affinity("podAffinity", terms=[term]))
    assert last_detail([*objects, required]).decision == f"b was chosen: the only node that fits. {fault}"
    rather = {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}
    found = answer([*objects, make_pod("pod", affinity=rather)], "b")
    assert (found.verdict, found.text.endswith(f" {fault}")) == ("chosen", True)
    away = make_pod("pod", affinity=affinity("podAntiAffinity", terms=[term]))
    assert fault[:-1] in answer([*objects, away], "b").text
    assert last_detail([*objects, away]).decision == f"a was chosen: the only node that fits. {fault}"
