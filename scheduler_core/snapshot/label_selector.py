"""Label selectors compiled to values that can be compared and hashed, so that equal questions share their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.api.selectors import DOES_NOT_EXIST, EXISTS, IN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.api.selectors import LabelSelector


class Requirement(NamedTuple):
    """One condition on a label."""

    key: str
    operator: str
    values: frozenset[str]

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether ``labels`` meet the condition."""
        value = labels.get(self.key)
        if self.operator == IN:
            return value in self.values
        if self.operator == EXISTS:
            return value is not None
        if self.operator == DOES_NOT_EXIST:
            return value is None
        return value not in self.values


class Selector(NamedTuple):
    """Conditions that must all hold; None as requirements matches nothing, none of them everything."""

    requirements: tuple[Requirement, ...] | None

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether ``labels`` meet all conditions."""
        if self.requirements is None:
            return False
        for requirement in self.requirements:  # noqa: SIM110 (a generator costs twice as much here)
            if not requirement.matches(labels):
                return False
        return True

    @property
    def is_empty(self) -> bool:
        """Whether there is no condition at all."""
        return self.requirements == ()


NOTHING: Final = Selector(None)
EVERYTHING: Final = Selector(())


def compile_label_selector(selector: LabelSelector | None) -> Selector:
    """Compiles a selector; an absent one, and one that cannot be used, matches nothing.

    Source: apimachinery/pkg/apis/meta/v1/helpers.go, LabelSelectorAsSelector, v1.34.1
    """
    if selector is None or selector.problem():
        return NOTHING
    requirements = [Requirement(key, IN, frozenset((value,))) for key, value in selector.match_labels.items()]
    requirements.extend(
        Requirement(expression.key, expression.operator, frozenset(expression.values))
        for expression in selector.match_expressions
    )
    requirements.sort(key=lambda r: (r.key, r.operator, sorted(r.values)))
    return Selector(tuple(requirements))
