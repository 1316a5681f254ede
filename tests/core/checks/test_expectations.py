"""Every expectation holds where it should, and fails for the right reason."""

from __future__ import annotations

import pytest

from tests.core.checks.asking import HIGH, Raw, finding, node, pod, result, verdict

TWO = [node("node-a"), node("node-b")]
ZONES = [node(f"node-{zone}", labels={"zone": zone}) for zone in "ab"]


def test_all_pods_have_a_node_is_what_is_expected_where_nothing_is_said() -> None:
    found = verdict([pod("web")], TWO)
    assert (found.outcome, found.summary) == ("pass", "the expectation holds")
    assert result(found).message == "the pod has a node"
    (placed,) = found.placements
    assert (placed.pod, placed.workload) == ("default/web", "Pod/default/web")
    assert placed.node in {"node-a", "node-b"}


def test_a_pod_without_a_node_is_told_with_nodes_plugin_numbers_and_what_would_help() -> None:
    found = verdict([pod("web", "2500m")], TWO)
    assert found.outcome == "fail"
    assert result(found).message == "1 of 1 pod has no node"
    why = finding(found)
    assert (why.plugin, why.nodes, why.num_nodes) == ("NodeResourcesFit", ("node-a", "node-b"), 2)
    assert why.pods == ("default/web",)
    (short,) = why.shortfalls
    assert (short.resource, short.wanted, short.available, short.short, short.unit) == (
        "cpu",
        2500,
        2000,
        500,
        "m",
    )
    assert why.remedies[0].startswith("Request at most 2 cpu (500m less)")
    (pending,) = found.pending
    assert pending.plugins == ("NodeResourcesFit",)
    assert pending.message.startswith("0/2 nodes are available: 2 Insufficient cpu.")


def test_pods_of_a_selector_have_a_node_in_time() -> None:
    selector = {"scheduled": {"selector": {"matchLabels": {"app": "web"}}, "within": "1s"}}
    found = verdict([pod("web", labels={"app": "web"}), pod("huge", "9")], TWO, selector)
    assert (found.outcome, result(found).message) == ("pass", "the pod has a node within 1s")


def test_a_verdict_that_holds_says_which_pods_are_newly_pending_all_the_same() -> None:
    selector = {"scheduled": {"selector": {"matchLabels": {"app": "web"}}}}
    waiting = [*TWO, pod("waited", "8")]
    found = verdict([pod("web", labels={"app": "web"}), pod("huge", "9")], waiting, selector)
    assert (found.outcome, found.summary) == (
        "pass",
        "the expectation holds, but 1 pod newly pending: default/huge",
    )
    many = [pod(f"huge-{number}", "9") for number in range(5)]
    found = verdict([pod("web", labels={"app": "web"}), *many], TWO, selector)
    named = "default/huge-0, default/huge-1, default/huge-2 and 2 more"
    assert found.summary == f"the expectation holds, but 5 pods newly pending: {named}"


def test_a_pod_that_has_its_node_too_late_is_told_with_the_time_it_took() -> None:
    found = verdict([pod("web")], TWO, {"allScheduled": {"within": "1ms"}})
    why = finding(found)
    assert why.message == "default/web has a node after 0.004 s, not within 1ms"
    assert (why.shortfalls[0].wanted, why.shortfalls[0].available) == (0.001, 0.004)


@pytest.mark.parametrize(("priority", "outcome"), [(None, "fail"), (5, "fail"), (6, "pass")])
def test_no_preemption_or_none_from_a_priority_on(priority: int | None, outcome: str) -> None:
    full = [HIGH, node("node-a"), pod("old", "2", on="node-a", priority=5)]
    spec = {} if priority is None else {"priorityAtLeast": priority}
    found = verdict([pod("new", "2", priorityClassName="high")], full, {"noPreemption": spec})
    assert found.outcome == outcome
    assert [each.pod for each in found.victims] == ["default/old"]
    if outcome == "fail":
        why = finding(found)
        assert why.message == "default/old (priority 5) is preempted on node-a by default/new"
        assert why.plugin == "DefaultPreemption"


def test_no_pod_of_others_is_newly_pending() -> None:
    waiting = pod("waiting", "9")
    kept = verdict([pod("new")], [*TWO, waiting], {"noneNewlyPending": {}})
    assert kept.outcome == "pass", "what was pending without the change does not count"
    gone = verdict(
        [pod("new", "2", priorityClassName="high")],
        [HIGH, node("node-a"), pod("old", on="node-a")],
        {"noneNewlyPending": {}},
    )
    assert finding(gone).message == (
        "default/old is gone: preempted on node-a by default/new, and no controller makes it again"
    )


def test_a_deleted_node_makes_nobody_else_pending_but_a_pod_that_needs_it() -> None:
    other = pod("other", "2", nodeSelector={"zone": "b"})
    found = verdict(
        [pod("new", "2", priorityClassName="high", nodeSelector={"zone": "b"})],
        [HIGH, *ZONES, other],
        {"noneNewlyPending": {}},
    )
    assert found.outcome == "fail"


@pytest.mark.parametrize(("most", "outcome"), [(2, "pass"), (1, "fail")])
def test_skew_over_the_values_of_a_label(most: int, outcome: str) -> None:
    pods = [pod(f"web-{number}", nodeSelector={"zone": "a"}) for number in range(2)]
    found = verdict(pods, ZONES, {"maxSkew": {"topologyKey": "zone", "maxSkew": most}})
    assert found.outcome == outcome
    assert result(found).message.startswith("skew 2 over zone: a has 2, b has 0")
    if outcome == "fail":
        why = finding(found)
        assert (why.nodes, why.pods) == (("node-b",), ("default/web-0", "default/web-1"))
        assert why.shortfalls[0].short == 1


def test_skew_over_a_label_that_no_node_has_does_not_hold() -> None:
    found = verdict([pod("web")], TWO, {"maxSkew": {"topologyKey": "zone"}})
    assert result(found).message == "no node has the label zone"


@pytest.mark.parametrize(("cpu", "outcome"), [("3", "pass"), ("3001m", "fail")])
def test_headroom_in_sum(cpu: str, outcome: str) -> None:
    found = verdict([pod("web")], TWO, {"headroom": {"resources": {"cpu": cpu}}})
    assert found.outcome == outcome
    if outcome == "fail":
        assert finding(found).shortfalls[0].short == 1


def test_headroom_in_each_zone_without_cordoned_and_tainted_nodes() -> None:
    tainted = node("node-c", labels={"zone": "b"}, taints=[{"key": "own", "effect": "NoSchedule"}])
    zones = [*ZONES, tainted, node("node-d", labels={"zone": "b"}, unschedulable=True)]
    found = verdict(
        [pod("web", nodeSelector={"zone": "b"})],
        zones,
        {"headroom": {"resources": {"cpu": "2"}, "per": "zone"}},
    )
    assert finding(found).message == "too little is left in zone=b: cpu: 2 wanted, 1 free, 1 short"


@pytest.mark.parametrize(("count", "outcome"), [(1, "pass"), (2, "fail")])
def test_headroom_for_pods_of_a_size(count: int, outcome: str) -> None:
    probe = {"headroom": {"pod": {"requests": {"cpu": "1500m"}}, "count": count}}
    found = verdict([pod("web")], TWO, probe)
    assert found.outcome == outcome
    if outcome == "fail":
        why = finding(found)
        assert why.message.startswith("of 2 pods of that size 1 fits: default/headroom-probe-")
        assert why.plugin == "NodeResourcesFit"


def test_headroom_that_is_there_only_by_preemption_is_none() -> None:
    probe = {"headroom": {"pod": {"requests": {"cpu": "2"}, "priorityClassName": "high"}}}
    found = verdict([pod("web")], [HIGH, node("node-a")], probe)
    assert finding(found).message == "a pod of that size fits only by preempting default/web on node-a"


def test_the_loss_of_any_node_is_survived_or_the_node_is_named() -> None:
    replicas = [pod(f"web-{number}", owner="ReplicaSet/web", labels={"app": "web"}) for number in range(2)]
    selector = {"selector": {"matchLabels": {"app": "web"}}}
    assert verdict(replicas, TWO, {"survivesLoss": selector}).outcome == "pass"
    other = pod("other", on="node-a", owner="ReplicaSet/other")
    found = verdict(replicas, [*TWO, other], {"survivesLoss": selector})
    assert found.outcome == "fail"
    why = result(found).findings[0]
    assert why.message.startswith("without node-")
    assert why.plugin == "NodeResourcesFit"


def test_a_bare_pod_does_not_survive_its_node() -> None:
    found = verdict([pod("web")], [node("node-a"), node("node-b", unschedulable=True)], {"survivesLoss": {}})
    assert (
        finding(found).message == "without node-a: default/web is gone: no controller makes a bare pod again"
    )


def test_nodes_that_are_equal_are_tried_once() -> None:
    cluster = [node(f"node-{number}") for number in range(9)]
    found = verdict([pod("web", owner="ReplicaSet/web")], cluster, {"survivesLoss": {"selector": {}}})
    assert result(found).message == "any of the 2 different nodes may go"


def test_the_loss_of_a_zone() -> None:
    zones = [node(f"node-{zone}{number}", labels={"zone": zone}) for zone in "ab" for number in range(2)]
    replicas = [pod(f"web-{number}", owner="ReplicaSet/web") for number in range(2)]
    loss = {"survivesLoss": {"topologyKey": "zone", "selector": {}}}
    assert verdict(replicas, zones, loss).outcome == "pass"
    pinned = [pod("web", owner="ReplicaSet/web", nodeSelector={"zone": "a"})]
    found = verdict(pinned, zones, loss)
    assert result(found).message == "1 of 2 values of zone may not go: zone=a"
    assert finding(found).plugin == "NodeAffinity"


def test_warnings_of_kinds_that_are_named_count() -> None:
    without = pod("web")
    del without["spec"]["containers"][0]["resources"]["requests"]["memory"]
    kinds = {"noWarnings": {"kinds": ["NoRequests"]}}
    found = verdict([without], TWO, kinds)
    assert finding(found).message == "Pod/default/web: container main requests no memory"
    assert [each.kind for each in found.warnings] == ["NoRequests", "BarePod"]
    assert verdict([pod("web")], TWO, kinds).outcome == "pass"


def test_a_field_that_kubernetes_does_not_know_is_a_warning_at_its_place() -> None:
    odd = pod("web", restartPolicyy="Never")
    found = verdict([odd], TWO, {"noWarnings": {"kinds": ["UnknownField"]}})
    why = finding(found)
    assert why.message == 'Pod/default/web: unknown field "spec.restartPolicyy"'
    assert why.location is not None
    assert (why.location.field, why.location.line) == ("spec.restartPolicyy", 16)


CLASS = {
    "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "p",
}  # fmt: skip


def claim(name: str, **spec: object) -> Raw:
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec}


def budget(**spec: object) -> Raw:
    spec = {"selector": {"matchLabels": {"app": "web"}}, **spec}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web"},
        "spec": spec,
    }


FAST = claim("data", storageClassName="fast")
VOLUME = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
WEB = pod("web", labels={"app": "web"})


@pytest.mark.parametrize(
    ("kind", "manifests", "fine"),
    [
        ("NoRequests", [pod("web", containers=[{"name": "main", "image": "a"}])], [pod("web")]),
        ("MissingPriorityClass", [pod("web", priorityClassName="gone")], [HIGH, pod("web", priorityClassName="high")]),
        ("MissingClaim", [pod("web", volumes=VOLUME)], [FAST, pod("web", volumes=VOLUME)]),
        ("MissingStorageClass", [claim("data", storageClassName="slow")], [FAST]),
        ("MissingStorageClass", [claim("data")], [claim("data", storageClassName="")]),
        ("BudgetSelectsNothing", [budget(maxUnavailable=1)], [budget(maxUnavailable=1), WEB]),
        ("BudgetBlocksEviction", [budget(maxUnavailable=0), WEB], [budget(maxUnavailable=1), WEB]),
        ("BudgetBlocksEviction", [budget(minAvailable="100%"), WEB], [budget(minAvailable=0), WEB]),
        ("BudgetBlocksEviction", [budget(minAvailable=1), WEB], [budget(minAvailable="50%"), WEB]),
        ("BarePod", [pod("web")], [pod("web", owner="ReplicaSet/web")]),
        ("NodeMissing", [pod("web", on="gone")], [pod("web", on="node-a")]),
        ("NotRead", [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}, WEB], [WEB]),
        ("Refused", [pod("web", priority=3)], [pod("web")]),
        ("UnknownField", [pod("web", tolerationss=[])], [pod("web", tolerations=[])]),
    ],
)  # fmt: skip
def test_each_kind_of_warning_is_given_and_only_where_it_is_due(
    kind: str, manifests: list[Raw], fine: list[Raw]
) -> None:
    cluster = [*TWO, CLASS]
    expected = {"noWarnings": {"kinds": [kind]}}
    assert verdict(manifests, cluster, expected).outcome == "fail"
    assert verdict(fine, cluster, expected).outcome == "pass"
