from __future__ import annotations

import pytest

from scheduler_core.config.types import ExtenderManagedResource
from scheduler_core.extender import chain
from scheduler_core.extender.errors import ExtenderError
from scheduler_core.framework.diagnosis import NodeToStatus
from scheduler_core.framework.status import unresolvable, unschedulable
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.extender.service import URL, Service, config, extender
from tests.make import make_node, make_pod, make_snapshot

NODES = make_snapshot([make_node(name) for name in ("a", "b", "c")]).node_infos
INFO = PodInfo(make_pod(), NODES.axis)


def by_name(service: Service, **fields: object) -> object:
    return extender(service, filter_verb="filter", node_cache_capable=True, **fields)


def test_each_is_asked_about_what_the_one_before_left() -> None:
    first = Service(filter={"NodeNames": ["c", "b"], "FailedNodes": {"a": "no a"}})
    second = Service(filter={"NodeNames": ["b"], "FailedNodes": {"c": "no c"}})
    statuses = NodeToStatus()
    passed = chain.filter_rows([by_name(first), by_name(second)], INFO, NODES, NODES.order, statuses)
    assert [NODES.names[row] for row in passed.rows] == ["b"]
    assert second.asked[0][1]["NodeNames"] == ["c", "b"]
    assert dict(statuses.items()) == {"a": unschedulable("no a"), "c": unschedulable("no c")}


def test_a_refusal_for_good_wins() -> None:
    answer = {"NodeNames": [], "FailedNodes": {"a": "no"}, "FailedAndUnresolvableNodes": {"a": "never"}}
    statuses = NodeToStatus()
    chain.filter_rows([by_name(Service(filter=answer))], INFO, NODES, NODES.order, statuses)
    assert dict(statuses.items()) == {"a": unresolvable("never")}


def test_none_is_asked_about_no_nodes_or_a_pod_that_is_not_its_own() -> None:
    none, other = Service(filter={"NodeNames": []}), Service()
    chain.filter_rows([by_name(none), by_name(other)], INFO, NODES, NODES.order, NodeToStatus())
    chain.filter_rows([by_name(other, managed=["x/y"])], INFO, NODES, NODES.order, NodeToStatus())
    assert other.asked == []


def test_an_error_counts_unless_it_may_be_ignored() -> None:
    broken = Service(filter=500)
    with pytest.raises(ExtenderError):
        chain.filter_rows([by_name(broken)], INFO, NODES, NODES.order, NodeToStatus())
    passed = chain.filter_rows([by_name(broken, ignorable=True)], INFO, NODES, NODES.order, NodeToStatus())
    assert passed.rows.tolist() == NODES.order.tolist()


def test_whole_nodes_come_without_their_pods_for_good() -> None:
    whole = {"Nodes": {"items": [{"metadata": {"name": "a"}}]}}
    names = {"NodeNames": ["a"]}
    one, other = extender(Service(filter=whole), filter_verb="filter"), by_name(Service(filter=names))
    assert chain.filter_rows([one, other], INFO, NODES, NODES.order, NodeToStatus()).without_pods
    assert not chain.filter_rows([other], INFO, NODES, NODES.order, NodeToStatus()).without_pods


def test_scores_are_scaled_to_a_hundred_and_weighed() -> None:
    scoring = extender(
        Service(prioritize=[{"Host": "b", "Score": 7}]), prioritize_verb="prioritize", weight=3
    )
    silent = extender(Service(), url_prefix="http://silent.example")
    broken = extender(Service(prioritize=500), prioritize_verb="prioritize", weight=1)
    found = chain.score_rows([scoring, silent, broken], INFO, NODES, NODES.order)
    named = [(name, dict(zip("abc", scores.tolist(), strict=True))) for name, scores in found]
    assert named == [
        (scoring.name, {"a": 0, "b": 210, "c": 0}),
        ("http://silent.example", {"a": 0, "b": 0, "c": 0}),
    ], "one that could not be asked adds nothing"


def test_the_first_that_binds_binds() -> None:
    binds, other = Service(bind={}), Service(bind={})
    chain_of = [extender(Service()), extender(binds, bind_verb="bind"), extender(other, bind_verb="bind")]
    assert chain.bind(chain_of, INFO, "a") == (URL, "")
    assert (len(binds.asked), other.asked) == (1, [])
    assert chain.bind([extender(Service())], INFO, "a") == ("", "")


def test_a_binding_that_fails_counts_unless_it_may_be_ignored() -> None:
    taken = Service(bind={"Error": "taken"})
    assert chain.bind([extender(taken, bind_verb="bind")], INFO, "a") == (URL, "taken")
    assert chain.bind([extender(taken, bind_verb="bind", ignorable=True)], INFO, "a") == ("", "")


def test_those_that_may_be_ignored_are_asked_last() -> None:
    configs = [
        config(url_prefix="http://one", ignorable=True),
        config(url_prefix="http://two"),
        config(url_prefix="http://three", ignorable=True),
    ]
    made = chain.build_extenders(configs, Service())
    assert [found.name for found in made] == ["http://two", "http://one", "http://three"]


def test_without_a_transport_extenders_are_switched_off() -> None:
    [off] = chain.build_extenders([config(filter_verb="filter")], None)
    with pytest.raises(ExtenderError, match="extenders are switched off here"):
        off.filter(make_pod(), NODES, NODES.order)


def test_resources_left_to_extenders_are_named() -> None:
    managed = (
        ExtenderManagedResource(name="x/kept"),
        ExtenderManagedResource(name="x/left", ignored_by_scheduler=True),
    )
    assert chain.ignored_resources([config(managed_resources=managed), config()]) == ("x/left",)
