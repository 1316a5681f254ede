from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.pod import Pod
from scheduler_core.config.plugin_args import InterPodAffinityArgs
from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins.inter_pod_affinity import plugin as inter_pod_affinity
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.trace.words import numbers_words
from tests.core.plugins.judging import filter_rows, hints, judge, pre_filter, refused, score
from tests.core.plugins.small_handle import handle_of, make_namespace
from tests.make import make_node, make_pod

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
WEB, DB = {"app": "web"}, {"app": "db"}
AFFINITY = ("UnschedulableAndUnresolvable", ("node(s) didn't match pod affinity rules",))
ANTI = ("Unschedulable", ("node(s) didn't match pod anti-affinity rules",))
EXISTING = ("Unschedulable", ("node(s) didn't satisfy existing pods anti-affinity rules",))
SKIP = ("Skip", ())


def term(labels: dict[str, str] | None, key: str = ZONE, **fields: Any) -> dict[str, Any]:
    selector = None if labels is None else {"matchLabels": labels}
    return {"labelSelector": selector, "topologyKey": key, **fields}


def to(*terms: dict[str, Any]) -> dict[str, Any]:
    return {"podAffinity": {REQUIRED: list(terms)}}


def away(*terms: dict[str, Any]) -> dict[str, Any]:
    return {"podAntiAffinity": {REQUIRED: list(terms)}}


def rather(weight: int, found: dict[str, Any], *, kind: str = "podAffinity") -> dict[str, Any]:
    return {kind: {PREFERRED: [{"weight": weight, "podAffinityTerm": found}]}}


def pod(name: str = "pod", affinity: Any = None, node: str = "", **fields: Any) -> Pod:
    return make_pod(name, node=node, affinity=affinity, **{"labels": WEB, **fields})


def zoned(**zones: str) -> list[Any]:
    return [make_node(name, labels={ZONE: zone, HOST: name}) for name, zone in zones.items()]


def handle(*pods: Pod, objects: Any = (), **zones: str) -> Any:
    return handle_of(zoned(**zones or {"n1": "a", "n2": "a", "n3": "b"}), pods, objects)


def judged(plugin_handle: Any, incoming: Pod) -> Any:
    return refused(inter_pod_affinity.new(None, plugin_handle), incoming, plugin_handle.snapshot)


def test_affinity_wants_a_matching_pod_in_the_domain() -> None:
    found = handle(pod("db", node="n1", labels=DB))
    assert judged(found, pod("p", to(term(DB)))) == {"n3": AFFINITY}
    assert judged(found, pod("p", to(term(DB, HOST)))) == {"n2": AFFINITY, "n3": AFFINITY}


def test_all_terms_of_an_affinity_must_mean_the_same_pods() -> None:
    both = to(term({"a": "1"}), term({"b": "1"}, HOST))
    apart = handle(pod("x", node="n1", labels={"a": "1"}), pod("y", node="n1", labels={"b": "1"}))
    assert judged(apart, pod("p", both)) == dict.fromkeys(("n1", "n2", "n3"), AFFINITY)
    one = handle(pod("x", node="n1", labels={"a": "1", "b": "1"}))
    assert judged(one, pod("p", both)) == {"n2": AFFINITY, "n3": AFFINITY}


def test_the_first_of_a_series_goes_anywhere_in_the_topology() -> None:
    nodes = [*zoned(n1="a"), make_node("n2")]
    empty = handle_of(nodes)
    assert judged(empty, pod("p", to(term(WEB)))) == {"n2": AFFINITY}
    assert judged(empty, pod("p", to(term(DB)))) == {"n1": AFFINITY, "n2": AFFINITY}
    outside = handle_of(nodes, [pod("w", node="n2")])
    assert judged(outside, pod("p", to(term(WEB)))) == {"n2": AFFINITY}
    inside = handle_of([*nodes, *zoned(n3="b")], [pod("w", node="n3")])
    assert judged(inside, pod("p", to(term(WEB)))) == {"n1": AFFINITY, "n2": AFFINITY}


def test_the_first_of_a_series_must_match_all_of_its_own_terms() -> None:
    assert set(judged(handle(), pod("p", to(term(WEB), term(DB))))) == {"n1", "n2", "n3"}


def test_anti_affinity_refuses_the_domains_of_matching_pods() -> None:
    found = handle(pod("w", node="n1"))
    assert judged(found, pod("p", away(term(WEB, HOST)))) == {"n1": ANTI}
    assert judged(found, pod("p", away(term(WEB)))) == {"n1": ANTI, "n2": ANTI}
    assert judged(found, pod("p", away(term(DB), term(WEB, HOST)))) == {"n1": ANTI}
    assert judged(found, pod("p", away(term(None)))) == {}


def test_pods_on_nodes_refuse_their_domains_too() -> None:
    found = handle(pod("hermit", away(term(WEB)), node="n1", labels=DB))
    assert judged(found, pod("p")) == {"n1": EXISTING, "n2": EXISTING}
    assert judged(found, pod("p", labels=DB)) == {}


def test_the_pods_own_rules_speak_first() -> None:
    found = handle(pod("hermit", away(term(WEB, HOST)), node="n1"), n1="a", n2="b")
    rules = to(term(WEB, HOST)) | away(term(WEB, HOST))
    assert judged(found, pod("p", rules)) == {"n1": ANTI, "n2": AFFINITY}


def test_a_node_outside_the_topology_has_nobody_to_avoid() -> None:
    nodes = [*zoned(n1="a"), make_node("n2")]
    bound = [pod("hermit", away(term(WEB)), node="n2"), pod("w", node="n2", labels=DB)]
    found = handle_of(nodes, bound)
    assert judged(found, pod("p", away(term(DB)))) == {}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, set()),
        ({"namespaces": ["red", "blue"]}, {"n1", "n2"}),
        ({"namespaces": ["default"]}, set()),
        ({"namespaceSelector": {"matchLabels": {"team": "x"}}}, {"n1"}),
        ({"namespaceSelector": {"matchLabels": {"team": "x"}}, "namespaces": ["blue"]}, {"n1", "n2"}),
        ({"namespaceSelector": {}}, {"n1", "n2"}),
        ({"namespaceSelector": {"matchLabels": {"team": "nobody"}}}, set()),
    ],
)
def test_a_term_means_the_namespaces_it_names_or_selects(fields: dict[str, Any], expected: set[str]) -> None:
    objects = [make_namespace("red", team="x"), make_namespace("blue", team="y"), make_namespace("default")]
    bound = [pod("r", node="n1", namespace="red"), pod("b", node="n2", namespace="blue")]
    own = handle(*bound, objects=objects)
    assert set(judged(own, pod("p", away(term(WEB, HOST, **fields))))) == expected
    rule = away(term(WEB, HOST, **fields))
    others = handle(pod("hermit", rule, node="n1"), objects=objects)
    for namespace, node in (("red", "n1"), ("blue", "n2")):
        refuses = judged(others, pod("p", namespace=namespace)) == {"n1": EXISTING}
        assert refuses == (node in expected)


OTHERS = {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["x"]}]}
NO_TEAM = {"matchExpressions": [{"key": "team", "operator": "DoesNotExist"}]}
FAULT = (
    "v1.34.1 counts pods in namespace red although the term's namespaceSelector excludes the namespace: "
    "a known fault, kubernetes/kubernetes#141526"
)


@pytest.mark.parametrize("selector", [OTHERS, NO_TEAM])
def test_a_selector_that_is_met_without_labels_means_every_namespace_for_the_incoming_pod_alone(
    selector: dict[str, Any],
) -> None:
    """What upstream's known fault comes to."""
    objects = [make_namespace("red", team="x")]
    found = handle(pod("r", node="n1", namespace="red"), objects=objects)
    aimed = term(WEB, HOST, namespaceSelector=selector)
    mine = pod("p", away(aimed), namespace="red")
    assert judged(found, mine) == {"n1": ANTI}
    assert judged(found, pod("p", to(aimed), namespace="red")) == {"n2": AFFINITY, "n3": AFFINITY}
    plugin = inter_pod_affinity.new(None, found)
    assert score(plugin, pod("p", rather(7, aimed)), found.snapshot) == {"n1": 7, "n2": 0, "n3": 0}
    hostile = pod("p", rather(7, aimed, kind="podAntiAffinity"))
    assert score(plugin, hostile, found.snapshot) == {"n1": -7, "n2": 0, "n3": 0}
    alone = handle(objects=objects)
    assert judged(alone, pod("first", to(aimed), namespace="red")) == {}
    theirs = handle(pod("hermit", away(aimed), node="n1", labels=DB), objects=objects)
    assert judged(theirs, pod("p", namespace="red")) == {}


@pytest.mark.parametrize("selector", [OTHERS, NO_TEAM])
def test_the_known_fault_is_told_where_it_refuses_and_where_it_attracts(selector: dict[str, Any]) -> None:
    objects = [
        make_namespace("red", team="x"),
        make_namespace("blue", **({"team": "y"} if selector is OTHERS else {})),
    ]
    bound = [pod("r", node="n1", namespace="red"), pod("b", node="n2", namespace="blue")]
    found = handle(*bound, objects=objects)
    plugin, nodes = inter_pod_affinity.new(None, found), found.snapshot.node_infos
    aimed = term(WEB, HOST, namespaceSelector=selector)
    incoming = pod("p", to(aimed) | away(aimed))
    state, _, _ = pre_filter(plugin, incoming, found.snapshot)
    info = PodInfo(incoming, nodes.axis)
    [on_red] = plugin.refusal_numbers(state, info, nodes, nodes.row_of["n1"])
    [on_blue] = plugin.refusal_numbers(state, info, nodes, nodes.row_of["n2"])
    assert (on_red["pods"], on_red["namespaces"], on_red["note"]) == (["red/r"], None, FAULT)
    assert numbers_words(plugin.name, [on_red]) == f"red/r with app=web in {HOST}=n1 ({FAULT})"
    assert (on_blue["pods"], "note" in on_blue) == (["blue/b"], False)
    assert [record["note"] for record in plugin.pod_numbers(state, info, nodes)] == [FAULT, FAULT]
    eager = PodInfo(pod("p", rather(7, aimed)), nodes.axis)
    [told] = plugin.score_numbers(state, eager, nodes, nodes.order)
    assert (told["kind"], told["weight"], told["note"]) == ("preferred_affinity", 7, FAULT)
    plain = PodInfo(pod("p", rather(7, term(WEB, HOST, namespaceSelector={}))), nodes.axis)
    assert plugin.score_numbers(state, plain, nodes, nodes.order) == []


def test_prefilter_skips_where_nothing_could_refuse() -> None:
    found = handle(pod("hermit", away(term(DB)), node="n1"))
    plugin = inter_pod_affinity.new(None, found)
    assert pre_filter(plugin, pod("p"), found.snapshot)[2] == SKIP
    assert pre_filter(plugin, pod("p", rather(1, term(WEB))), found.snapshot)[2] == SKIP
    assert pre_filter(plugin, pod("p", labels=DB), found.snapshot)[2] is None
    assert pre_filter(plugin, pod("p", away(term(DB))), found.snapshot)[2] is None
    assert judge(plugin, pod("p"), handle_of().snapshot) == {}


def test_preferences_of_the_pod_add_and_subtract_for_each_match() -> None:
    found = handle(*(pod(f"db{i}", node="n1", labels=DB) for i in range(2)), pod("w", node="n3"))
    plugin = inter_pod_affinity.new(None, found)
    wish = rather(10, term(DB)) | rather(3, term(WEB, HOST), kind="podAntiAffinity")
    assert score(plugin, pod("p", wish), found.snapshot) == {"n1": 20, "n2": 20, "n3": -3}
    assert score(plugin, pod("p", wish), found.snapshot, normalize=True) == {"n1": 100, "n2": 100, "n3": 0}


def test_preferences_and_demands_of_others_count_too() -> None:
    bound = [
        pod("friend", rather(7, term(WEB)), node="n1", labels=DB),
        pod("foe", rather(5, term(WEB, HOST), kind="podAntiAffinity"), node="n2", labels=DB),
        pod("clingy", to(term(WEB)), node="n3", labels=DB),
    ]
    found = handle(*bound)
    default = inter_pod_affinity.new(None, found)
    assert score(default, pod("p"), found.snapshot) == {"n1": 7, "n2": 2, "n3": 1}
    assert score(default, pod("p"), found.snapshot, normalize=True) == {"n1": 100, "n2": 16, "n3": 0}
    heavy = inter_pod_affinity.new(InterPodAffinityArgs(hard_pod_affinity_weight=50), found)
    assert score(heavy, pod("p"), found.snapshot) == {"n1": 7, "n2": 2, "n3": 50}
    off = inter_pod_affinity.new(InterPodAffinityArgs(hard_pod_affinity_weight=0), found)
    assert score(off, pod("p"), found.snapshot) == {"n1": 7, "n2": 2, "n3": 0}


def test_prescore_skips_where_no_term_says_anything() -> None:
    found = handle(pod("friend", rather(7, term(DB)), node="n1"))
    plugin = inter_pod_affinity.new(None, found)
    assert score(plugin, pod("p"), found.snapshot) is None
    assert score(plugin, pod("p", rather(1, term(DB))), found.snapshot) is None
    assert score(plugin, pod("p", rather(1, term(WEB, "rack"))), found.snapshot) is None
    assert score(plugin, pod("p", labels=DB), found.snapshot) is not None


def test_wishes_that_cancel_out_are_not_skipped_and_give_nobody_anything() -> None:
    found = handle(pod("w", node="n1"))
    wish = rather(5, term(WEB)) | rather(5, term(WEB), kind="podAntiAffinity")
    plugin = inter_pod_affinity.new(None, found)
    assert score(plugin, pod("p", wish), found.snapshot, normalize=True) == {"n1": 0, "n2": 0, "n3": 0}


def test_preferences_of_others_can_be_ignored_for_pods_without_their_own() -> None:
    found = handle(pod("friend", rather(7, term(WEB)), node="n1"))
    args = InterPodAffinityArgs(ignore_preferred_terms_of_existing_pods=True)
    plugin = inter_pod_affinity.new(args, found)
    assert score(plugin, pod("p"), found.snapshot) is None
    assert score(plugin, pod("p", rather(1, term(DB))), found.snapshot) == {"n1": 7, "n2": 7, "n3": 0}


def test_the_numbers_behind_a_refusal_are_the_terms_and_the_pods() -> None:
    found = handle(pod("hermit", away(term(WEB)), node="n2", labels=DB), pod("w", node="n1"))
    plugin, nodes = inter_pod_affinity.new(None, found), found.snapshot.node_infos
    incoming = pod("p", to(term({"app": "cache"})) | away(term(WEB, HOST)))
    state, _, _ = pre_filter(plugin, incoming, found.snapshot)
    info = PodInfo(incoming, nodes.axis)
    web = [{"key": "app", "operator": "In", "values": ["web"]}]
    shared = {"namespaces": ["default"], "num_pods": 1}
    cache = {
        "kind": "affinity",
        "topology_key": ZONE,
        "domain": "a",
        "selector": [{"key": "app", "operator": "In", "values": ["cache"]}],
        "namespaces": ["default"],
        "pods": [],
        "num_pods": 0,
    }
    existing = {
        "kind": "existing_anti_affinity",
        "topology_key": ZONE,
        "domain": "a",
        "selector": web,
    } | shared
    assert plugin.refusal_numbers(state, info, nodes, nodes.row_of["n1"]) == [
        cache,
        {
            "kind": "anti_affinity",
            "topology_key": HOST,
            "domain": "n1",
            "selector": web,
            "pods": ["default/w"],
        }
        | shared,
        existing | {"pods": ["default/hermit"]},
    ]
    assert plugin.refusal_numbers(state, info, nodes, nodes.row_of["n3"]) == [cache | {"domain": "b"}]


PLUGIN = inter_pod_affinity.new(None, handle_of())


def test_a_bound_pod_that_comes_queues_if_it_matches_the_affinity() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.ADD)
    mine = pod("mine", to(term(DB), term({"tier": "1"}, HOST)) | away(term(WEB)))
    full = DB | {"tier": "1"}
    assert hint(mine, None, pod("other", node="n", labels=full)) == QueueingHint.QUEUE
    assert hint(mine, None, pod("other", node="n", labels=DB)) == QueueingHint.SKIP
    assert hint(mine, None, pod("other", labels=full)) == QueueingHint.SKIP
    assert hint(mine, None, pod("other", node="n", labels=full, namespace="else")) == QueueingHint.SKIP
    assert hint(pod("mine"), None, pod("other", node="n", labels=full)) == QueueingHint.SKIP


def test_a_bound_pod_that_goes_queues_if_it_matches_the_anti_affinity() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.DELETE)
    mine = pod("mine", to(term(DB)) | away(term(WEB)))
    assert hint(mine, pod("other", node="n"), None) == QueueingHint.QUEUE
    assert hint(mine, pod("other", node="n", labels=DB), None) == QueueingHint.SKIP
    assert hint(mine, pod("other"), None) == QueueingHint.SKIP


def test_a_pod_that_goes_is_not_asked_for_its_own_anti_affinity() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.DELETE)
    assert hint(pod("mine"), pod("hermit", away(term(WEB)), node="n"), None) == QueueingHint.SKIP


def test_a_bound_pod_whose_labels_change_queues_if_that_helps() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.UPDATE_POD_LABEL)
    mine = pod("mine", to(term(DB)) | away(term(WEB)))
    web, db, none = (pod("other", node="n", labels=labels) for labels in (WEB, DB, {}))
    assert hint(mine, none, db) == QueueingHint.QUEUE
    assert hint(mine, web, none) == QueueingHint.QUEUE
    assert hint(mine, db, none) == QueueingHint.SKIP
    assert hint(mine, none, web) == QueueingHint.SKIP
    assert hint(mine, db, db) == QueueingHint.SKIP
    assert hint(mine, mine, pod("mine", to(term(DB)), labels=DB)) == QueueingHint.SKIP


def test_a_node_that_comes_queues_if_it_is_in_the_affinitys_topology_or_there_is_an_anti_affinity() -> None:
    [hint] = hints(PLUGIN, "Node", ActionType.ADD)
    inside, outside = make_node("n", labels={ZONE: "a"}), make_node("n")
    assert hint(pod("mine", to(term(DB))), None, inside) == QueueingHint.QUEUE
    assert hint(pod("mine", to(term(DB))), None, outside) == QueueingHint.SKIP
    assert hint(pod("mine", away(term(DB))), None, outside) == QueueingHint.QUEUE
    assert hint(pod("mine"), None, inside) == QueueingHint.SKIP


def test_a_node_that_changes_domain_queues() -> None:
    [hint] = hints(PLUGIN, "Node", ActionType.UPDATE_NODE_LABEL)
    none, a, b = make_node("n"), make_node("n", labels={ZONE: "a"}), make_node("n", labels={ZONE: "b"})
    with_db, without_web = pod("mine", to(term(DB))), pod("mine", away(term(WEB)))
    assert hint(with_db, none, a) == QueueingHint.QUEUE
    assert hint(with_db, a, b) == QueueingHint.QUEUE
    assert hint(with_db, a, none) == QueueingHint.SKIP
    assert hint(without_web, a, none) == QueueingHint.QUEUE
    assert hint(without_web, a, b) == QueueingHint.QUEUE
    assert hint(without_web, none, a) == QueueingHint.SKIP
    relabelled = make_node("n", labels={ZONE: "a", "x": "y"})
    for mine in (with_db, without_web, pod("mine")):
        assert hint(mine, a, relabelled) == QueueingHint.SKIP


@pytest.mark.parametrize(("gate", "more"), [(True, ActionType(0)), (False, ActionType.UPDATE_NODE_TAINT)])
def test_nothing_else_queues(gate: bool, more: ActionType) -> None:
    plugin = inter_pod_affinity.new(None, handle_of(SchedulerQueueingHints=gate))
    events = {(r.event.resource, r.event.action_type) for r in plugin.events_to_register()}
    assert events == {
        ("Pod", ActionType.ADD | ActionType.UPDATE_POD_LABEL | ActionType.DELETE),
        ("Node", ActionType.ADD | ActionType.UPDATE_NODE_LABEL | more),
    }


def test_a_dry_run_may_bring_a_topology_that_nobody_asked_for_yet() -> None:
    found = handle(n1="a", n2="a", n3="b")
    plugin, nodes = inter_pod_affinity.new(None, found), found.snapshot.node_infos
    incoming = pod("p", away(term(DB, HOST)))
    state, _, _ = pre_filter(plugin, incoming, found.snapshot)
    info, row = PodInfo(incoming, nodes.axis), nodes.row_of["n1"]
    hermit = PodInfo(pod("hermit", away(term(WEB, ZONE)), labels=DB), nodes.axis)
    assert plugin.add_pod(state, info, hermit, nodes.info(row)) is None
    refusals = filter_rows(plugin, state, incoming, nodes, nodes.order)
    assert refusals == {"n1": ANTI, "n2": EXISTING, "n3": None}
    assert plugin.remove_pod(state, info, hermit, nodes.info(row)) is None
    assert plugin.filter(state, info, nodes, nodes.order) is None
