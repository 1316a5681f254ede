"""Which plugins run at which extension point, in which order and with which weight."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scheduler_core.config import EXTENSION_POINTS, expand_plugins, leave_out_unknown, load_config
from scheduler_core.errors import ManifestError

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
REGISTERED = {
    "SchedulingGates": {"preEnqueue"},
    "PrioritySort": {"queueSort"},
    "NodeUnschedulable": {"filter"},
    "NodeName": {"filter"},
    "TaintToleration": {"filter", "preScore", "score"},
    "NodeAffinity": {"preFilter", "filter", "preScore", "score"},
    "NodePorts": {"preFilter", "filter"},
    "NodeResourcesFit": {"preFilter", "filter", "preScore", "score"},
    "VolumeRestrictions": {"preFilter", "filter"},
    "NodeVolumeLimits": {"preFilter", "filter"},
    "VolumeBinding": {"preFilter", "filter", "reserve", "preBind", "preScore", "score"},
    "VolumeZone": {"preFilter", "filter"},
    "PodTopologySpread": {"preFilter", "filter", "preScore", "score"},
    "InterPodAffinity": {"preFilter", "filter", "preScore", "score"},
    "DynamicResources": {"preEnqueue", "preFilter", "filter", "postFilter", "reserve", "preBind"},
    "DefaultPreemption": {"preEnqueue", "postFilter"},
    "NodeResourcesBalancedAllocation": {"preScore", "score"},
    "ImageLocality": {"score"},
    "DefaultBinder": {"bind"},
    "Own": {"filter", "score"},
    "OwnSort": {"queueSort"},
}


def expand(plugins: Any = None) -> dict[str, list[tuple[str, int]]]:
    config = load_config(json.dumps({**HEAD, "profiles": [{"plugins": plugins}]}))
    return expand_plugins(config.profiles[0], REGISTERED)


def names(plugins: Any, point: str) -> list[str]:
    return [name for name, _ in expand(plugins)[point]]


def enable(*plugins: Any) -> dict[str, Any]:
    return {"enabled": [{"name": plugin} if isinstance(plugin, str) else plugin for plugin in plugins]}


def test_the_defaults_are_upstream_s() -> None:
    expanded = expand()
    assert tuple(expanded) == EXTENSION_POINTS
    assert expanded["score"] == [
        ("TaintToleration", 3),
        ("NodeAffinity", 2),
        ("NodeResourcesFit", 1),
        ("VolumeBinding", 1),
        ("PodTopologySpread", 2),
        ("InterPodAffinity", 2),
        ("NodeResourcesBalancedAllocation", 1),
        ("ImageLocality", 1),
    ]
    assert [name for name, _ in expanded["filter"]] == [
        "NodeUnschedulable",
        "NodeName",
        "TaintToleration",
        "NodeAffinity",
        "NodePorts",
        "NodeResourcesFit",
        "VolumeRestrictions",
        "NodeVolumeLimits",
        "VolumeBinding",
        "VolumeZone",
        "PodTopologySpread",
        "InterPodAffinity",
        "DynamicResources",
    ]
    assert [name for name, _ in expanded["postFilter"]] == ["DynamicResources", "DefaultPreemption"]
    assert expanded["postBind"] == []


def test_a_plugin_taken_from_multi_point_is_gone_everywhere() -> None:
    expanded = expand({"multiPoint": {"disabled": [{"name": "TaintToleration"}]}})
    assert not any(name == "TaintToleration" for plugins in expanded.values() for name, _ in plugins)


def test_a_plugin_taken_from_a_point_stays_at_the_others() -> None:
    plugins = {"score": {"disabled": [{"name": "PodTopologySpread"}]}}
    assert "PodTopologySpread" not in names(plugins, "score")
    assert "PodTopologySpread" in names(plugins, "filter")


def test_an_asterisk_takes_everything_but_what_the_point_names() -> None:
    plugins = {"score": {"disabled": [{"name": "*"}], **enable({"name": "ImageLocality", "weight": 7})}}
    assert expand(plugins)["score"] == [("ImageLocality", 7)]
    assert len(names(plugins, "filter")) == 13


def test_an_asterisk_at_multi_point_leaves_what_is_named() -> None:
    plugins = {
        "multiPoint": {"disabled": [{"name": "*"}], **enable("PrioritySort", "DefaultBinder", "NodeName")}
    }
    expanded = expand(plugins)
    assert {point: some for point, some in expanded.items() if some} == {
        "queueSort": [("PrioritySort", 1)],
        "bind": [("DefaultBinder", 1)],
        "filter": [("NodeName", 1)],
    }


def test_a_default_named_again_at_multi_point_keeps_its_place_and_takes_the_weight() -> None:
    expanded = expand(
        {"multiPoint": enable({"name": "NodeAffinity", "weight": 9}, {"name": "Own", "weight": 4})}
    )
    assert expanded["score"][:2] == [("TaintToleration", 3), ("NodeAffinity", 9)]
    assert expanded["score"][-1] == ("Own", 4)


def test_a_point_s_own_list_comes_first_where_multi_point_has_it_too_and_last_where_not() -> None:
    expanded = expand(
        {
            "score": enable(
                {"name": "Own", "weight": 5}, {"name": "ImageLocality", "weight": 6}, "NodeAffinity"
            )
        }
    )
    assert expanded["score"][:2] == [("ImageLocality", 6), ("NodeAffinity", 1)]
    assert expanded["score"][2] == ("TaintToleration", 3)
    assert expanded["score"][-1] == ("Own", 5)


def test_the_order_of_a_point_can_be_changed() -> None:
    assert names({"filter": enable("NodeResourcesFit", "NodeName")}, "filter")[:3] == [
        "NodeResourcesFit",
        "NodeName",
        "NodeUnschedulable",
    ]


@pytest.mark.parametrize(
    ("plugins", "field", "message"),
    [
        ({"filter": enable("Nope")}, "filter", 'FilterPlugin "Nope" does not exist'),
        ({"multiPoint": enable("Nope")}, "multiPoint", 'PreEnqueuePlugin "Nope" does not exist'),
        (
            {"filter": enable("ImageLocality")},
            "filter",
            'plugin "ImageLocality" does not extend FilterPlugin plugin',
        ),
        ({"score": enable("Own", "Own")}, "score", 'plugin "Own" already registered as "ScorePlugin"'),
        (
            {"multiPoint": enable("Own", "Own")},
            "multiPoint",
            'plugin "Own" already registered as "FilterPlugin"',
        ),
        (
            {"queueSort": {"disabled": [{"name": "*"}]}},
            "queueSort",
            'only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0',
        ),
        (
            {"queueSort": enable("OwnSort")},
            "queueSort",
            'only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 2',
        ),
        (
            {"bind": {"disabled": [{"name": "*"}]}},
            "bind",
            'at least one bind plugin is needed for profile with scheduler name "default-scheduler"',
        ),
    ],
)
def test_what_the_scheduler_would_not_start_with_is_refused(plugins: Any, field: str, message: str) -> None:
    with pytest.raises(ManifestError) as caught:
        expand(plugins)
    (error,) = caught.value.errors
    assert (error.field, error.type) == (f"profiles[0].plugins.{field}", "Start")
    prefix = "scheduler: initializing profiles: creating profile for scheduler name default-scheduler: "
    assert error.message == prefix + message


def test_unknown_plugins_can_be_left_out_with_a_note_on_each() -> None:
    plugins = {"multiPoint": enable("Nope", "Own"), "score": enable({"name": "Nope", "weight": 4})}
    text = json.dumps({**HEAD, "parallelism": 4, "profiles": [{"plugins": plugins}]})
    config = leave_out_unknown(load_config(text), REGISTERED)
    assert config.notes == (
        "parallelism: decisions are made one after the other",
        'profiles[0].plugins.score: "Nope" is not known here and was left out',
        'profiles[0].plugins.multiPoint: "Nope" is not known here and was left out',
    )
    assert expand_plugins(config.profiles[0], REGISTERED) == expand({"multiPoint": enable("Own")})
