"""Parts of the records that plugins give as the numbers behind their verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scheduler_core.snapshot.label_selector import Selector


def selector_record(selector: Selector) -> list[dict[str, Any]]:
    """A selector's conditions; of one that matches nothing, as of one that matches everything, there are none."""
    return [
        {"key": requirement.key, "operator": requirement.operator, "values": sorted(requirement.values)}
        for requirement in selector.requirements or ()
    ]
