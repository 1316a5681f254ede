"""What label selectors and node selectors match."""

from __future__ import annotations

import pytest

from scheduler_core.api.selectors import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    SelectorError,
    TopologySelectorLabelRequirement,
    TopologySelectorTerm,
    parse_int64,
    selector_matches,
)

LABELS = {"disk": "ssd", "gen": "7", "empty": ""}


@pytest.mark.parametrize(
    ("key", "operator", "values", "matches"),
    [
        ("disk", "In", ("ssd", "hdd"), True),
        ("disk", "In", ("hdd",), False),
        ("absent", "In", ("ssd",), False),
        ("empty", "In", ("",), True),
        ("disk", "NotIn", ("hdd",), True),
        ("disk", "NotIn", ("ssd",), False),
        ("absent", "NotIn", ("ssd",), True),
        ("disk", "Exists", (), True),
        ("absent", "Exists", (), False),
        ("empty", "Exists", (), True),
        ("absent", "DoesNotExist", (), True),
        ("disk", "DoesNotExist", (), False),
    ],
)
def test_both_selectors_agree_on_the_common_operators(
    key: str, operator: str, values: tuple[str, ...], matches: bool
) -> None:
    label = LabelSelectorRequirement(key=key, operator=operator, values=values)
    node = NodeSelectorRequirement(key=key, operator=operator, values=values)
    assert label.matches(LABELS) is matches
    assert node.matches(LABELS) is matches


@pytest.mark.parametrize(
    ("key", "operator", "values", "matches"),
    [
        ("gen", "Gt", ("6",), True),
        ("gen", "Gt", ("7",), False),
        ("gen", "Lt", ("8",), True),
        ("gen", "Lt", ("-8",), False),
        ("disk", "Gt", ("1",), False),
        ("absent", "Lt", ("1",), False),
        ("gen", "Gt", ("6.5",), False),
        ("gen", "Gt", ("1", "2"), False),
        ("gen", "Gt", (), False),
    ],
)
def test_node_selectors_compare_integers(
    key: str, operator: str, values: tuple[str, ...], matches: bool
) -> None:
    requirement = NodeSelectorRequirement(key=key, operator=operator, values=values)
    assert requirement.matches(LABELS) is matches


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("-7", -7), ("+7", 7), ("007", 7), ("7.0", None), (" 7", None), ("1_0", None), ("", None), ("٧", None),
     (str(2**63), None), (str(-(2**63)), -(2**63))],
)  # fmt: skip
def test_integers_are_what_go_takes_for_one(text: str, number: int | None) -> None:
    assert parse_int64(text) == number


def test_an_absent_selector_matches_nothing_and_an_empty_one_everything() -> None:
    assert not selector_matches(None, LABELS)
    assert selector_matches(LabelSelector(), LABELS)
    assert selector_matches(LabelSelector(), {})


def test_every_condition_of_a_label_selector_must_hold() -> None:
    exists = LabelSelectorRequirement(key="gen", operator="Exists")
    assert LabelSelector(match_labels={"disk": "ssd"}, match_expressions=(exists,)).matches(LABELS)
    assert not LabelSelector(match_labels={"disk": "hdd"}, match_expressions=(exists,)).matches(LABELS)
    assert (
        not LabelSelector(match_labels={"disk": "ssd"})
        .with_requirements(LabelSelectorRequirement(key="gen", operator="DoesNotExist"))
        .matches(LABELS)
    )


@pytest.mark.parametrize(
    "requirement",
    [
        LabelSelectorRequirement(key="a", operator="In"),
        LabelSelectorRequirement(key="a", operator="NotIn"),
        LabelSelectorRequirement(key="a", operator="Exists", values=("b",)),
        LabelSelectorRequirement(key="a", operator="Gt", values=("1",)),
    ],
)
def test_a_label_selector_that_cannot_be_used_says_so_even_where_another_condition_fails(
    requirement: LabelSelectorRequirement,
) -> None:
    with pytest.raises(SelectorError):
        LabelSelector(match_labels={"no": "match"}, match_expressions=(requirement,)).matches(LABELS)


def test_a_node_selector_needs_one_of_its_terms() -> None:
    hdd = NodeSelectorTerm(
        match_expressions=(NodeSelectorRequirement(key="disk", operator="In", values=("hdd",)),)
    )
    named = NodeSelectorTerm(
        match_fields=(NodeSelectorRequirement(key="metadata.name", operator="In", values=("n1",)),)
    )
    selector = NodeSelector(node_selector_terms=(hdd, named))
    assert selector.matches("n1", LABELS)
    assert not selector.matches("n2", LABELS)


def test_a_term_without_conditions_matches_no_node() -> None:
    assert NodeSelectorTerm().is_empty()
    assert not NodeSelectorTerm().matches("n1", LABELS)
    assert not NodeSelector().matches("n1", LABELS)


@pytest.mark.parametrize(
    ("operator", "values", "matches"),
    [("In", ("n1",), True), ("NotIn", ("n1",), False), ("NotIn", ("n2",), True), ("In", ("n1", "n2"), False),
     ("Exists", (), False)],
)  # fmt: skip
def test_the_name_is_matched_with_one_value_only(
    operator: str, values: tuple[str, ...], matches: bool
) -> None:
    requirement = NodeSelectorRequirement(key="metadata.name", operator=operator, values=values)
    assert NodeSelectorTerm(match_fields=(requirement,)).matches("n1", {}) is matches


def test_a_topology_term_matches_where_each_label_has_one_of_its_values() -> None:
    zone = TopologySelectorLabelRequirement(key="zone", values=("a", "b"))
    term = TopologySelectorTerm(match_label_expressions=(zone,))
    assert term.matches({"zone": "b"})
    assert not term.matches({"zone": "c"})
    assert not term.matches({})
    assert TopologySelectorTerm().matches({})
