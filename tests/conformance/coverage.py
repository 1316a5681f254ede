"""What the recorded cases cover, counted (``python -m tests.conformance.coverage`` writes it into docs/fidelity.md)."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scheduler_core.plugins.in_tree import IN_TREE
from tests.conformance.compare import read_cases, scheduling_files
from tests.conformance.validation import FILE, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "fidelity.md"
BEGIN: Final = "<!-- counted by `python -m tests.conformance.coverage` -->"
END: Final = "<!-- end of what is counted -->"

_HELD_BY: Final = "unschedulablePlugins"


def tables() -> str:
    """The tables of kinds and of plugins, in Markdown."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    plugins: dict[str, Counter[str]] = defaultdict(Counter)
    for path in scheduling_files():
        for case in read_cases(path):
            cycles = case["expected"].get("cycles") or []
            kinds[case["kind"]].update(cases=1, cycles=len(cycles), scheduled=_num_scheduled(cycles))
            seen = {what for cycle in cycles for what in _decided_by(cycle)}
            for plugin, what in seen:
                plugins[plugin][what] += 1
    for case in read_cases(FILE):
        kinds[kind_of(case)].update(cases=1)
    total: Counter[str] = sum(kinds.values(), Counter())
    rows = [(kind, *_numbers(kinds[kind], "cases", "cycles", "scheduled")) for kind in sorted(kinds)]
    rows.append(("**all**", *_numbers(total, "cases", "cycles", "scheduled")))
    deciding = [(name, *_numbers(plugins[name], "refuses", "scores", "holds")) for name in sorted(IN_TREE)]
    return "\n\n".join(
        (
            _table(("kind", "cases", "cycles", "of them scheduled"), rows),
            _table(("plugin", "cases in which it refuses a node", "scores", "holds a pod back"), deciding),
        )
    )


def _num_scheduled(cycles: list[dict[str, Any]]) -> int:
    return sum(cycle["result"] == "scheduled" for cycle in cycles)


def _decided_by(cycle: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for status in (cycle.get("rejected") or {}).values():
        yield status.get("plugin", "Extender"), "refuses"
    for by_plugin in (cycle.get("allFilters") or {}).values():
        for plugin in by_plugin:
            yield plugin, "refuses"
    for plugin in cycle.get("rawScores") or ():
        yield plugin, "scores"
    for plugin in cycle.get(_HELD_BY) or ():
        yield plugin, "holds"


def _numbers(counts: Counter[str], *names: str) -> tuple[str, ...]:
    return tuple(f"{counts[name]:,}" if counts[name] else "–" for name in names)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---", *("--:" for _ in head[1:])), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write(page: Path = PAGE) -> None:
    """Puts the tables in their place."""
    before, rest = page.read_text().split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n\n{tables()}\n\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    write()
