"""Why not node X? One pod and one node of a cycle, answered in a sentence with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

from scheduler_core.trace.detail import FEASIBLE, NOT_LOOKED_AT, Remedy
from scheduler_core.trace.remedies import remedies_for
from scheduler_core.trace.words import refusal_words

if TYPE_CHECKING:
    from scheduler_core.trace.detail import CycleDetail

_FINAL: Final = "UnschedulableAndUnresolvable"
_MAX_DIFFERENCES: Final = 3


class Refusal(msgspec.Struct, frozen=True):
    """What one plugin has against the node."""

    plugin: str
    code: str
    reasons: tuple[str, ...]
    text: str


class NodeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Why a pod did or did not go to a node.

    Args:
        refusals: every plugin that refuses the node, first the one that upstream reports
        remedies: a change for each of them; all together would make the node fit
        preemption: why deleting pods there would or would not help, "" where it was not asked
    """

    cycle: int
    pod: str
    node: str
    verdict: Literal["chosen", "fits", "refused", "refused_for_good", "not_looked_at", "unknown"]
    text: str
    refusals: tuple[Refusal, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    preemption: str = ""


def explain_node(detail: CycleDetail, node: str) -> NodeAnswer:
    """Answers for one node of a cycle, also for one that was not looked at or is not there."""
    about = {"cycle": detail.cycle, "pod": detail.pod, "node": node}
    if node not in detail.nodes:
        text = f"There is no node {node} in cycle {detail.cycle}."
        return NodeAnswer(**about, verdict="unknown", text=text)  # type: ignore[arg-type]
    row = detail.nodes.index(node)
    outcome = detail.outcome[row] if detail.outcome else NOT_LOOKED_AT
    refusals = () if outcome == FEASIBLE or not detail.outcome else _refusals(detail, row)
    verdict: str
    if outcome == FEASIBLE:
        verdict = "chosen" if detail.node == node else "fits"
        text = decision_text(detail) if verdict == "chosen" else _fits_text(detail, row)
    elif outcome == NOT_LOOKED_AT:
        verdict, text = "not_looked_at", _not_looked_at_text(detail, node, refusals)
    else:
        verdict = "refused_for_good" if detail.statuses[outcome].code == _FINAL else "refused"
        text = _refused_text(node, refusals)
    return NodeAnswer(
        **about,  # type: ignore[arg-type]
        verdict=verdict,  # type: ignore[arg-type]
        text=text,
        refusals=refusals,
        remedies=tuple(remedies_for(detail, row)) if refusals else (),
        preemption=_preemption_text(detail, node),
    )


def decision_text(detail: CycleDetail) -> str:
    """Why the chosen node was chosen, and what was odd about it; "" where none was."""
    if detail.node is None or detail.node not in detail.nodes:
        return ""
    return " ".join([_chosen_text(detail, detail.nodes.index(detail.node)), *notes(detail)])


def notes(detail: CycleDetail) -> list[str]:
    """What plugins say is odd about what they counted for the pod, each sentence once."""
    counted = (*detail.pod_numbers.values(), *detail.score_numbers.values())
    found = dict.fromkeys(record["note"] for records in counted for record in records if "note" in record)
    return [f"{note}." for note in found]


def _refusals(detail: CycleDetail, row: int) -> tuple[Refusal, ...]:
    return tuple(
        Refusal(
            status.plugin,
            status.code,
            status.reasons,
            refusal_words(status, detail.records_of(status.plugin, row)),
        )
        for status in detail.refusals_of(row)
    )


def _refused_text(node: str, refusals: tuple[Refusal, ...]) -> str:
    first, *others = refusals
    text = f"{node} is refused by {first.plugin or 'PreFilter or an extender'}: {first.text}."
    if others:
        text += f" Beside it {'; '.join(f'{one.plugin} refuses it: {one.text}' for one in others)}."
    return text


def _not_looked_at_text(detail: CycleDetail, node: str, refusals: tuple[Refusal, ...]) -> str:
    why = f"{node} was not looked at."
    if detail.sample is not None:
        why += f" {detail.sample.text}"
    if refusals:
        return f"{why} {refusals[0].plugin} would have refused it: {refusals[0].text}."
    return f"{why} It would have passed every filter." if detail.filters else why


def _chosen_text(detail: CycleDetail, row: int) -> str:
    node = detail.nodes[row]
    if row not in detail.scored:
        looked_at_all = NOT_LOOKED_AT not in detail.outcome
        if looked_at_all or detail.sample is None:
            return f"{node} was chosen: the only node that fits."
        return f"{node} was chosen. {detail.sample.text}"
    at = detail.scored.index(row)
    text = f"{node} was chosen: it scores {detail.total[at]}, the most of {len(detail.scored)} nodes that fit"
    if len(detail.ties) > 1:
        number = len(detail.ties) - 1
        also = "as does one more" if number == 1 else f"as do {number} more"
        return f"{text}, {also}. {detail.tie_break}"
    others = [total for place, total in enumerate(detail.total) if place != at]
    return f"{text}; the next has {max(others)}."


def _fits_text(detail: CycleDetail, row: int) -> str:
    node = detail.nodes[row]
    if detail.node is None:
        return f"{node} passes every filter."
    best = detail.nodes.index(detail.node)
    if row not in detail.scored or best not in detail.scored:
        return f"{node} fits; {detail.node} was taken without scores."
    mine, its = detail.scored.index(row), detail.scored.index(best)
    less = detail.total[its] - detail.total[mine]
    if less == 0:
        return f"{node} fits and ties with {detail.node} at {detail.total[its]}. {detail.tie_break}".rstrip()
    text = f"{node} fits; it scores {detail.total[mine]}, {less} less than {detail.node} with {detail.total[its]}"
    return f"{text}: {_differences(detail, mine, its)}."


def _differences(detail: CycleDetail, mine: int, its: int) -> str:
    """The plugins that tell two nodes apart, the largest difference first."""
    gaps = [
        (scores[mine] - scores[its], plugin, scores[mine], scores[its])
        for plugin, scores in detail.weighted.items()
        if scores[mine] != scores[its]
    ]
    gaps.sort(key=lambda gap: -abs(gap[0]))
    return ", ".join(f"{plugin} {my} to {its_}" for _, plugin, my, its_ in gaps[:_MAX_DIFFERENCES])


def _preemption_text(detail: CycleDetail, node: str) -> str:
    preemption = detail.preemption
    if preemption is None:
        return ""
    for candidate in preemption.candidates:
        if candidate.node == node:
            whom = ", ".join(candidate.victims)
            if node == detail.nominated_node:
                return f"Preemption chose it: {whom} make room."
            return f"Deleting {whom} would make room."
    for refused in preemption.not_helpful:
        if node in refused.nodes:
            return f"Preemption does not help there: {refused.text}."
    return ""
