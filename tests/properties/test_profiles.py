"""Every profile that validates runs to its end, with the errors that upstream's plugins give and no others.

CONTRACTS is the plain table of what a plugin does at a point when the point before it was left out. A plugin that is
not in it does without: it makes up for what it lacks, or needs nothing.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.config import EXTENSION_POINTS, expand_plugins, load_config
from scheduler_core.config.defaults import DEFAULT_PLUGINS
from scheduler_core.errors import ManifestError
from scheduler_core.framework.registry import points_of
from scheduler_core.plugins.in_tree import IN_TREE
from scheduler_core.simulator import CONFORMANCE, Simulator
from scheduler_core.trace.sink import MemorySink
from tests.conformance.compare import run_case
from tests.core.config.test_expand import HEAD, REGISTERED
from tests.core.plugins.small_handle import handle_of
from tests.make import make_node, make_pod
from tests.properties import clusters
from tests.properties.test_reuse import assert_reuse_changes_nothing, events, steps_of, tripled

if TYPE_CHECKING:
    from tests.conformance.compare import Case

    Points = dict[str, list[str]]

FILTER: Final = 'running "{plugin}" filter plugin: {words}'
SCORE: Final = 'running Score plugins: plugin "{plugin}" failed with: {words}'
RESERVE: Final = 'running Reserve plugin "{plugin}": {words}'
PRE_BIND: Final = 'running PreBind plugin "{plugin}": {words}'

CONTRACTS: Final = (
    # point, what is said there, the point that it needs, plugin, the plugin's words
    ("filter", FILTER, "preFilter", "NodePorts", 'reading "PreFilter{plugin}" from cycleState: not found'),
    (
        "filter",
        FILTER,
        "preFilter",
        "NodeResourcesFit",
        'error reading "PreFilter{plugin}" from cycleState: not found',
    ),
    ("filter", FILTER, "preFilter", "VolumeRestrictions", 'cannot read "PreFilter{plugin}" from cycleState'),
    ("filter", FILTER, "preFilter", "VolumeBinding", "not found"),
    (
        "filter",
        FILTER,
        "preFilter",
        "PodTopologySpread",
        'reading "PreFilter{plugin}" from cycleState: not found',
    ),
    (
        "filter",
        FILTER,
        "preFilter",
        "InterPodAffinity",
        'error reading "PreFilter{plugin}" from cycleState: not found',
    ),
    ("filter", FILTER, "preFilter", "DynamicResources", "not found"),
    (
        "score",
        SCORE,
        "preScore",
        "TaintToleration",
        'failed to read "PreScore{plugin}" from cycleState: not found',
    ),
    (
        "score",
        SCORE,
        "preScore",
        "PodTopologySpread",
        'error reading "PreScore{plugin}" from cycleState: not found',
    ),
    (
        "score",
        SCORE,
        "preScore",
        "InterPodAffinity",
        'failed to read "PreScore{plugin}" from cycleState: not found',
    ),
    ("reserve", RESERVE, "preFilter", "VolumeBinding", "not found"),
    ("reserve", RESERVE, "preFilter", "DynamicResources", "not found"),
    ("preBind", PRE_BIND, "preFilter", "VolumeBinding", "not found"),
    ("preBind", PRE_BIND, "preFilter", "DynamicResources", "not found"),
    ("preBind", PRE_BIND, "reserve", "VolumeBinding", 'no pod volumes found for node "NODE"'),
)
CONFIGURABLE: Final = tuple(point for point in EXTENSION_POINTS if point not in ("queueSort", "bind"))
CAN_DO_WITHOUT: Final = (
    ("preFilter", "NodeVolumeLimits"),
    ("preFilter", "VolumeZone"),
    ("preScore", "NodeAffinity"),
    ("preScore", "NodeResourcesFit"),
    ("preScore", "NodeResourcesBalancedAllocation"),
    ("preEnqueue", "SchedulingGates"),
    ("preEnqueue", "DynamicResources"),
    ("preEnqueue", "DefaultPreemption"),
)
"""(point, plugin): the pods of generated clusters fare the same where the plugin is off at the point."""


@st.composite
def plugin_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Which plugins a profile turns on and off, by point."""
    names = [plugin.name for plugin in DEFAULT_PLUGINS]
    plugins: dict[str, Any] = {}
    if draw(st.booleans()):
        order = draw(st.permutations(names))
        left = set(draw(st.lists(st.sampled_from(names), max_size=4))) - {"PrioritySort", "DefaultBinder"}
        everything = draw(st.booleans())
        plugins["multiPoint"] = {
            "disabled": [{"name": "*"}] if everything else [{"name": name} for name in sorted(left)],
            "enabled": [
                {"name": name, "weight": draw(st.integers(0, 5))} for name in order if name not in left
            ],
        }
    for point in draw(st.lists(st.sampled_from(CONFIGURABLE), max_size=3, unique=True)):
        serving = [name for name in names if point in REGISTERED[name]]
        if not serving:
            continue
        off = draw(st.lists(st.sampled_from([*serving, "*"]), max_size=2, unique=True))
        on = draw(st.lists(st.sampled_from(serving), max_size=3, unique=True))
        plugins[point] = {
            "disabled": [{"name": name} for name in off],
            "enabled": [{"name": name, "weight": draw(st.integers(0, 9))} for name in on],
        }
    return plugins


def config_of(*profiles: dict[str, Any]) -> str:
    named = [
        {"schedulerName": "default-scheduler" if number == 0 else f"other-{number}", "plugins": plugins}
        for number, plugins in enumerate(profiles)
    ]
    return json.dumps({**HEAD, "profiles": named})


def points_by_profile(config: str) -> dict[str, Points] | None:
    """Profile → point → plugins in order; None where the configuration is refused."""
    try:
        profiles = load_config(config).profiles
        return {
            profile.scheduler_name: {
                point: [name for name, _ in enabled]
                for point, enabled in expand_plugins(profile, REGISTERED).items()
            }
            for profile in profiles
        }
    except ManifestError:
        return None


def possible_errors(points: Points) -> dict[str, str]:
    """Message → the point at which it is said, of what a profile leaves out."""
    return {
        said.format(plugin=plugin, words=words.format(plugin=plugin)): point
        for point, said, needed, plugin, words in CONTRACTS
        if plugin in points[point] and plugin not in points[needed]
    }


def with_schedulers(case: Case, names: list[str]) -> Case:
    """The case with its pods shared among the schedulers."""
    objects = []
    for number, raw in enumerate(case["objects"]):
        if raw["kind"] == "Pod":
            raw = {**raw, "spec": {**raw["spec"], "schedulerName": names[number % len(names)]}}
        objects.append(raw)
    return {**case, "objects": objects}


def without_names(message: str) -> str:
    return re.sub(r'found for node "[^"]*"', 'found for node "NODE"', message)


@settings(max_examples=120)
@given(clusters.cases(), st.lists(plugin_sets(), min_size=1, max_size=2))
def test_a_profile_that_validates_runs_to_its_end_with_the_errors_of_the_table(
    case: Case, profiles: list[dict[str, Any]]
) -> None:
    config = config_of(*profiles)
    by_profile = points_by_profile(config)
    if by_profile is None:
        with pytest.raises(ManifestError):
            Simulator(load_config(config), CONFORMANCE)
        return
    names = list(by_profile)
    case = with_schedulers({**case, "config": config}, names)
    scheduler_of = {
        f"{raw['metadata']['namespace']}/{raw['metadata']['name']}": raw["spec"]["schedulerName"]
        for raw in case["objects"]
        if raw["kind"] == "Pod"
    }
    sink, _ = run_case(case)
    errors = {name: possible_errors(points) for name, points in by_profile.items()}
    for failure in failures(sink):
        if failure["error"]:
            assert without_names(failure["message"]) in errors[scheduler_of[failure["pod"]]]
        else:
            assert failure["message"].startswith("0/")
            assert "internal error" not in failure["message"]
    for detail in sink.details.values():
        if detail.result == "scheduled":
            points = _certain(errors[scheduler_of[detail.pod]])
            assert not {"filter", "reserve"} & points
            assert detail.num_feasible == 1 or "score" not in points


def failures(sink: MemorySink) -> list[dict[str, Any]]:
    """The attempts that failed, in the scheduling cycle or in the binding cycle."""
    told = [json.loads(line) for line in sink.lines]
    return [{"error": False, **event} for event in told if event["type"] == "PodUnschedulable"]


def _certain(errors: dict[str, str]) -> set[str]:
    """The points at which every pod meets an error: VolumeRestrictions may be kept from it by a disk in use."""
    return {point for message, point in errors.items() if "VolumeRestrictions" not in message}


@settings(max_examples=25)
@given(clusters.cases(), plugin_sets())
def test_answers_serve_again_under_every_profile(case: Case, plugins: dict[str, Any]) -> None:
    config = config_of(plugins)
    if points_by_profile(config) is not None:
        assert_reuse_changes_nothing(tripled(case["objects"]), steps_of(case), CONFORMANCE, config)


@settings(max_examples=25)
@given(clusters.cases(), plugin_sets())
def test_a_profile_is_the_same_written_out_point_by_point(case: Case, plugins: dict[str, Any]) -> None:
    config = config_of(plugins)
    if points_by_profile(config) is None:
        return
    profile = load_config(config).profiles[0]
    spelled: dict[str, Any] = {"multiPoint": {"disabled": [{"name": "*"}]}}
    for point, enabled in expand_plugins(profile, REGISTERED).items():
        spelled[point] = {"enabled": [{"name": name, "weight": weight} for name, weight in enabled]}
    assert decisions(case, config) == decisions(case, config_of(spelled))


@pytest.mark.parametrize(("point", "plugin"), CAN_DO_WITHOUT)
@settings(max_examples=8)
@given(clusters.cases())
def test_a_point_that_no_pod_needs_may_be_left_out(point: str, plugin: str, case: Case) -> None:
    without = {point: {"disabled": [{"name": plugin}]}}
    assert decisions(case, config_of({})) == decisions(case, config_of(without))


def decisions(case: Case, config: str) -> list[bytes]:
    """The events after the first, which names the configuration."""
    return events(case["objects"], steps_of(case), CONFORMANCE, config)[1:]


@pytest.mark.parametrize(
    "contract", CONTRACTS, ids=lambda contract: "-".join((contract[3], *contract[0::2][:2]))
)
def test_each_contract_is_kept(contract: tuple[str, str, str, str, str]) -> None:
    point, said, needed, plugin, words = contract
    plugins: dict[str, Any] = {needed: {"disabled": [{"name": plugin}]}}
    for earlier in ("filter", "reserve"):
        if earlier != point and earlier != needed and point in ("reserve", "preBind"):
            plugins[earlier] = {"disabled": [{"name": plugin}]}
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "9"}},
    }
    nodes = [{**node, "metadata": {"name": name}} for name in ("n1", "n2")]
    spec = {
        "containers": [{"name": "main", "image": "app:1"}],
        "topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {}}
        ],
    }
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"}, "spec": spec}
    sink, result = run_case({"name": "contract", "objects": [*nodes, pod], "config": config_of(plugins)})
    expected = said.format(plugin=plugin, words=words.format(plugin=plugin))
    assert [(failure["error"], without_names(failure["message"])) for failure in failures(sink)] == [
        (True, expected)
    ]
    assert [line["queue"] for line in map(json.loads, sink.lines) if line["type"] == "PodEnqueued"][
        -1
    ] == "backoff"
    assert not result.placements


def test_the_next_search_starts_at_the_node_with_the_error() -> None:
    config = load_config(config_of({"preFilter": {"disabled": [{"name": "NodePorts"}]}}))
    sink = MemorySink(details=True)
    simulator = Simulator(config, CONFORMANCE, sink)
    nodes = [make_node("n1", taints=["a:NoSchedule"]), make_node("n2"), make_node("n3")]
    simulator.load([*nodes, make_pod("first"), make_pod("second")])
    simulator.run()
    assert [detail.next_start_node_index for detail in sink.details.values()] == [1, 1]


def test_the_plugins_serve_the_points_that_upstream_s_do() -> None:
    handle = handle_of()
    served = {name: set(points_of(make(None, handle))) for name, make in IN_TREE.items()}
    assert served == {name: REGISTERED[name] for name in IN_TREE}
