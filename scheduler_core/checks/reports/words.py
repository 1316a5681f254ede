"""What the reports say alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scheduler_core.checks.verdict import Finding, Location, ManifestWarning, Placement, Result, Verdict

TITLE: Final = "Scheduler check"
OUTCOMES: Final = {"pass": "passes", "fail": "fails", "too-old": "snapshot too old", "cancelled": "cancelled"}


def title(verdict: Verdict) -> str:
    """Returns the check's name, or what stands for it."""
    return verdict.name or TITLE


def label(result: Result) -> str:
    """Returns what an expectation is called."""
    return f"{result.name} ({result.type})" if result.name else result.id


def place(location: Location | None) -> str:
    """Returns "file:line:column"."""
    return "" if location is None else f"{location.file}:{location.line}:{location.column}"


def detail_lines(finding: Finding) -> list[str]:
    """Returns what stands below a finding's message: where, what would help, which nodes."""
    lines = []
    if finding.location is not None:
        field = f" {finding.location.field}" if finding.location.field else ""
        lines.append(f"at {place(finding.location)}{field}")
    if finding.plugin:
        lines.append(f"decided by {finding.plugin}")
    if finding.nodes:
        more = (
            f" and {finding.num_nodes - len(finding.nodes)} more"
            if finding.num_nodes > len(finding.nodes)
            else ""
        )
        lines.append(f"nodes: {', '.join(finding.nodes)}{more}")
    lines.extend(f"would help: {remedy}" for remedy in finding.remedies)
    return lines


def per_workload(placements: tuple[Placement, ...]) -> dict[str, list[Placement]]:
    """Returns the placements by what the pods belong to."""
    workloads: dict[str, list[Placement]] = {}
    for placement in placements:
        workloads.setdefault(placement.workload, []).append(placement)
    return workloads


def per_node(placements: tuple[Placement, ...]) -> dict[str, list[Placement]]:
    """Returns the placements by node."""
    nodes: dict[str, list[Placement]] = {}
    for placement in placements:
        nodes.setdefault(placement.node, []).append(placement)
    return dict(sorted(nodes.items()))


def untold_warnings(verdict: Verdict) -> list[ManifestWarning]:
    """Returns the warnings that are not among the findings already."""
    told = {(finding.message, finding.location) for result in verdict.results for finding in result.findings}
    return [
        warning
        for warning in verdict.warnings
        if (f"{warning.object}: {warning.message}", warning.location) not in told
    ]


def counterexample_lines(verdict: Verdict) -> list[str]:
    """Returns how to come to an order that does not hold."""
    example = verdict.robustness.counterexample if verdict.robustness is not None else None
    if example is None:
        return []
    lines = [f"does not hold with seed {example.seed}: {', '.join(example.failing)}"]
    if example.moved:
        lines.append(
            f"when {', '.join(example.moved)} {'arrives' if len(example.moved) == 1 else 'arrive'} otherwise:"
        )
        lines.extend(f"{number}. {key}" for number, key in enumerate(example.order, start=1))
    else:
        lines.append("in the order of the files: it depends on how ties between nodes fall")
    return lines
