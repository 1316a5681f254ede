"""A configuration as a form, and back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.errors import ManifestError
from scheduler_core.planning.profiles import (
    ConfigForm,
    PluginPlace,
    ProfileForm,
    catalogue,
    default_points,
    differences,
    read_form,
    write_form,
)

HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
USUAL = default_points()

NOBODY = "No profile is called default-scheduler: pods that name no scheduler are not tried."
ADDITIONAL = "An additional profile, for pods that name it as their scheduler."


def with_points(**changed: tuple[PluginPlace, ...]) -> ConfigForm:
    return ConfigForm((ProfileForm(points={**USUAL, **changed}),))


def names(places: tuple[PluginPlace, ...]) -> list[str]:
    return [place.name for place in places]


def test_the_default_form_is_v1_34_1_s() -> None:
    (profile,) = read_form("").profiles
    assert [(place.name, place.weight) for place in profile.points["score"]] == [
        ("TaintToleration", 3),
        ("NodeAffinity", 2),
        ("NodeResourcesFit", 1),
        ("VolumeBinding", 1),
        ("PodTopologySpread", 2),
        ("InterPodAffinity", 2),
        ("NodeResourcesBalancedAllocation", 1),
        ("ImageLocality", 1),
    ]
    assert names(profile.points["postFilter"]) == ["DynamicResources", "DefaultPreemption"]
    assert profile.args == {}


def test_the_defaults_are_written_as_nothing() -> None:
    assert write_form(read_form("")) == HEAD


def test_a_weight_is_written_once() -> None:
    score = tuple(
        msgspec.structs.replace(place, weight=5) if place.name == "ImageLocality" else place
        for place in USUAL["score"]
    )
    assert write_form(with_points(score=score)) == HEAD + (
        "profiles:\n- plugins:\n    multiPoint:\n      enabled:\n      - name: ImageLocality\n        weight: 5\n"
    )


def test_a_plugin_that_runs_nowhere_is_disabled_once() -> None:
    points = {
        point: tuple(place for place in places if place.name != "TaintToleration")
        for point, places in USUAL.items()
    }
    assert write_form(with_points(**points)) == HEAD + (
        "profiles:\n- plugins:\n    multiPoint:\n      disabled:\n      - name: TaintToleration\n"
    )


def test_a_plugin_taken_from_one_point_stays_at_the_others() -> None:
    score = tuple(place for place in USUAL["score"] if place.name != "NodeAffinity")
    text = write_form(with_points(score=score))
    assert text == HEAD + "profiles:\n- plugins:\n    score:\n      disabled:\n      - name: NodeAffinity\n"
    (profile,) = read_form(text).profiles
    assert "NodeAffinity" in names(profile.points["filter"])
    assert "NodeAffinity" not in names(profile.points["score"])


def test_what_the_form_does_not_show_stays_in_the_text() -> None:
    text = HEAD + "parallelism: 4\nextenders:\n- urlPrefix: http://127.0.0.1:1/x\n  filterVerb: filter\n"
    written = write_form(with_points(score=USUAL["score"][1:]), text)
    assert "parallelism: 4" in written
    assert "filterVerb: filter" in written
    assert "- name: TaintToleration" in written


def test_arguments_and_settings_come_back() -> None:
    text = HEAD + (
        "percentageOfNodesToScore: 40\npodMaxBackoffSeconds: 30\nprofiles:\n- schedulerName: packed\n"
        "  pluginConfig:\n  - name: NodeResourcesFit\n    args:\n      scoringStrategy:\n        type: MostAllocated\n"
    )
    form = read_form(text)
    assert form.profiles[0].args == {"NodeResourcesFit": {"scoringStrategy": {"type": "MostAllocated"}}}
    assert read_form(write_form(form)) == form
    assert [difference.text for difference in differences(form)] == [
        "No profile is called default-scheduler: pods that name no scheduler are not tried.",
        "NodeResourcesFit has arguments of its own: scoringStrategy.",
        "percentageOfNodesToScore is 40.",
        "podMaxBackoffSeconds is 30.",
    ]


def test_of_several_profiles_each_has_its_name() -> None:
    text = HEAD + "profiles:\n- schedulerName: default-scheduler\n- schedulerName: batch\n"
    assert write_form(read_form(text)) == text
    one = HEAD + "profiles:\n- schedulerName: default-scheduler\n"
    assert write_form(read_form(one)) == HEAD


def test_lists_among_arguments_come_back() -> None:
    text = HEAD + (
        "profiles:\n- pluginConfig:\n  - name: PodTopologySpread\n    args:\n      defaultingType: List\n"
        "      defaultConstraints:\n"
        "      - {maxSkew: 3, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}\n"
        "  - name: NodeAffinity\n    args:\n      addedAffinity:\n"
        "        requiredDuringSchedulingIgnoredDuringExecution:\n          nodeSelectorTerms:\n"
        "          - matchExpressions:\n            - {key: disk, operator: In, values: [ssd]}\n"
    )
    form = read_form(text)
    assert form.profiles[0].args["PodTopologySpread"]["defaultConstraints"][0]["maxSkew"] == 3
    assert read_form(write_form(form)) == form


def test_differences_are_told_one_by_one() -> None:
    score = (
        PluginPlace("NodeAffinity", 2),
        PluginPlace("TaintToleration", 4),
        *(place for place in USUAL["score"][2:] if place.name != "ImageLocality"),
    )
    form = with_points(score=score, reserve=())
    assert [(one.change, one.plugin, one.point) for one in differences(form)] == [
        ("removed", "ImageLocality", ""),
        ("moved", "NodeAffinity", "score"),
        ("moved", "TaintToleration", "score"),
        ("weight", "TaintToleration", "score"),
        ("removed", "DynamicResources", "reserve"),
        ("removed", "VolumeBinding", "reserve"),
    ]
    assert differences(form)[0].text == "ImageLocality is turned off."


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["default-scheduler"], []),
        (["batch"], [("batch", NOBODY)]),
        (["default-scheduler", "batch"], [("batch", ADDITIONAL)]),
        (["a", "b"], [("", NOBODY), ("a", ADDITIONAL), ("b", ADDITIONAL)]),
    ],
)
def test_names_and_number_of_the_profiles_are_differences(
    names: list[str], expected: list[tuple[str, str]]
) -> None:
    form = read_form(HEAD + "profiles:\n" + "".join(f"- schedulerName: {name}\n" for name in names))
    found = differences(form)
    assert [(one.profile, one.text) for one in found] == expected
    assert {one.change for one in found} <= {"profile"}


def test_a_form_that_kube_scheduler_would_not_start_with_is_refused() -> None:
    with pytest.raises(ManifestError, match="at least one bind plugin is needed"):
        write_form(with_points(bind=()))
    with pytest.raises(ManifestError, match='"NoSuch" does not exist'):
        write_form(with_points(filter=(*USUAL["filter"], PluginPlace("NoSuch"))))


def test_the_catalogue_tells_of_every_plugin() -> None:
    by_name = {info.name: info for info in catalogue()}
    assert len(by_name) == 19
    fit = by_name["NodeResourcesFit"]
    assert fit.points == ("preFilter", "filter", "preScore", "score")
    assert fit.default_weight == 1
    assert fit.default_args["scoringStrategy"]["type"] == "LeastAllocated"
    assert fit.default_args["scoringStrategy"]["resources"] == [
        {"name": "cpu", "weight": 1},
        {"name": "memory", "weight": 1},
    ]
    assert by_name["VolumeBinding"].default_args["bindTimeoutSeconds"] == 600


_SCORE = st.permutations(USUAL["score"]).flatmap(
    lambda places: st.tuples(
        *(st.builds(PluginPlace, st.just(place.name), st.integers(1, 100)) for place in places)
    )
)
_FILTER = st.permutations(USUAL["filter"]).flatmap(
    lambda places: st.integers(0, len(places)).map(lambda count: tuple(places[:count]))
)


@settings(deadline=None, max_examples=40)
@given(_SCORE, st.integers(0, 8), _FILTER)
def test_what_is_written_is_read_as_the_same_form(
    score: tuple[PluginPlace, ...], kept: int, filters: tuple[PluginPlace, ...]
) -> None:
    form = with_points(score=score[:kept], filter=filters)
    assert read_form(write_form(form)) == form
