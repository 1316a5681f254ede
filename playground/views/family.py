"""The runs of a cluster as a tree: forks below what they were forked from, each in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.timesince import timesince

from playground.api.runs import owned_runs
from playground.models import OPEN, Run, RunStatus

MAX_FAMILY = 300
MAX_OFFERED = 40
_COLUMNS = (
    "id", "name", "note", "kept", "told", "fork", "parent_id", "cluster_id", "revision_id", "status", "message",
    "num_cycles", "num_bound", "num_pending", "headline", "progress", "created_at",
)  # fmt: skip
_MARKS = {
    RunStatus.PENDING: ("active", "▶"),
    RunStatus.RUNNING: ("assumed", "◌"),
    RunStatus.FAILED: ("final", "⊘"),
    RunStatus.CANCELLED: ("absent", "○"),
    RunStatus.INTERRUPTED: ("absent", "○"),
}


def runs_of(user: Any, cluster_id: str) -> list[Run]:
    """Returns the runs of a cluster, the newest first.

    Args:
        user: who asks.
        cluster_id: the cluster.
    """
    rows = owned_runs(user).filter(cluster_id=cluster_id).select_related(None).defer(None).only(*_COLUMNS)
    return list(rows[:MAX_FAMILY])


def title_of(run: Run) -> str:
    """Returns what a run is called: its name, else what was changed in it.

    Args:
        run: any run.
    """
    if run.name:
        return run.name
    if not run.told:
        return "The same again" if run.parent_id else "Run"
    more = len(run.told) - 1
    return f"{run.told[0]} and {more} more" if more else str(run.told[0])


def outcome_of(run: Run) -> str:
    """Returns in a few words how a run went.

    Args:
        run: any run.
    """
    cycles = (run.progress or {}).get("cycles", run.num_cycles) if run.status in OPEN else run.num_cycles
    counted = f"{cycles:,} cycle{'' if cycles == 1 else 's'}"
    if run.status == RunStatus.PENDING:
        return "waits for its turn"
    if run.status == RunStatus.RUNNING:
        return f"is placing, {counted} so far"
    if run.status == RunStatus.FINISHED:
        said = run.headline[0]["text"] if run.headline else "Ended"
        return f"{said}, {counted}"
    return f"{run.status} after {counted}"


def family_of(runs: Iterable[Run], run_id: str) -> list[Run]:
    """Returns the runs that share their beginning with a run: its first ancestor and all that was forked from it.

    Args:
        runs: of its cluster.
        run_id: the run.
    """
    by_id = {run.id: run for run in runs}
    root = by_id.get(run_id)
    while root is not None and root.parent_id in by_id:
        root = by_id[root.parent_id]
    children = _children(by_id.values())
    found, waiting = [], [root] if root else []
    while waiting:
        run = waiting.pop()
        found.append(run)
        waiting.extend(children[run.id])
    return found


def tree_of(runs: Iterable[Run], current: str = "") -> list[dict[str, Any]]:
    """Returns runs as the rows of nested lists, in their order: `opens` lists before a row, `closes` ends after it.

    Args:
        runs: newest first; the parent of one that is not among them is as if it had none.
        current: the run that is looked at.
    """
    known = {run.id: run for run in runs}
    children = _children(known.values())
    most = max((_length(run) for run in known.values()), default=0)
    roots = [run for run in known.values() if run.parent_id not in known]
    rows = [
        {**_row(run, most, current), "depth": depth} for root in roots for run, depth in _walk(root, children)
    ]
    by_id = {row["id"]: row for row in rows}
    for root, older in pairwise(roots):
        by_id[root.id] |= {
            "compare": compare_url(older, root),
            "compare_words": "Compare with the run before it",
        }
    for row, after in zip(rows, [*rows[1:], {"depth": 0}], strict=False):
        row["opens"] = after["depth"] > row["depth"]
        row["closes"] = range(max(0, row["depth"] - after["depth"]))
    return rows


def compare_url(one: Run, other: Run) -> str:
    """Returns the address that compares two runs: the older one is before, the other after.

    Args:
        one: a run.
        other: another one.
    """
    first, second = sorted((one, other), key=lambda run: (run.created_at, run.id))
    return reverse("playground:run-compare", args=[first.id, second.id])


def offers(run: Run, runs: Iterable[Run]) -> list[dict[str, Any]]:
    """Returns what a run may be compared with: its parent first, then its siblings, its forks, and the other runs.

    Args:
        run: the run.
        runs: of its cluster.
    """
    groups: dict[str, list[Run]] = {"Forked from": [], "Siblings": [], "Its forks": [], "Other runs": []}
    for other in runs:
        if other.id == run.id:
            continue
        if other.id == run.parent_id:
            groups["Forked from"].append(other)
        elif run.parent_id and other.parent_id == run.parent_id:
            groups["Siblings"].append(other)
        elif other.parent_id == run.id:
            groups["Its forks"].append(other)
        else:
            groups["Other runs"].append(other)
    return [
        {
            "title": title,
            "runs": [{**_row(other, 1, ""), "compare": compare_url(run, other)} for other in found],
        }
        for title, found in ((title, found[:MAX_OFFERED]) for title, found in groups.items())
        if found
    ]


def _children(runs: Iterable[Run]) -> dict[str | None, list[Run]]:
    """Forks by what they were forked from, the earliest first."""
    children: dict[str | None, list[Run]] = defaultdict(list)
    for run in runs:
        children[run.parent_id].append(run)
    for forks in children.values():
        forks.sort(key=lambda run: ((run.fork or {}).get("num_cycles", 0), run.created_at))
    return children


def _walk(root: Run, children: dict[str | None, list[Run]]) -> Iterator[tuple[Run, int]]:
    waiting = [(root, 0)]
    while waiting:
        run, depth = waiting.pop()
        yield run, depth
        waiting.extend((fork, depth + 1) for fork in reversed(children[run.id]))


def _length(run: Run) -> int:
    so_far: int = max(run.num_cycles, (run.progress or {}).get("cycles", 0))
    return max(so_far, (run.fork or {}).get("num_cycles", 0))


def _went_wrong(run: Run) -> bool:
    """Whether any sentence of the run's headline is about a refusal, or a pod that has no node."""
    return any(line.get("tone") == "bad" for line in run.headline)


def _ago(run: Run) -> str:
    told = timesince(run.created_at, depth=1)
    return "just now" if told.startswith("0") else f"{told} ago"


def _row(run: Run, most: int, current: str) -> dict[str, Any]:
    """A run in words, and where its bar begins and ends, in hundredths of the longest run."""
    shared = (run.fork or {}).get("num_cycles", 0)
    start, end = (round(100 * cycles / (most or 1), 2) for cycles in (shared, _length(run)))
    state, mark = _MARKS.get(
        RunStatus(run.status), ("unschedulable", "■") if _went_wrong(run) else ("bound", "●")
    )
    return {
        "id": run.id,
        "url": reverse("playground:run", args=[run.id]),
        "title": title_of(run),
        "told": run.told if run.name else run.told[1:],
        "note": run.note,
        "kept": run.kept,
        "outcome": outcome_of(run),
        "state": state,
        "mark": mark,
        "created_at": run.created_at,
        "ago": _ago(run),
        "forked_at": shared + 1 if run.fork else None,
        "compare": reverse("playground:run-compare", args=[run.parent_id, run.id]) if run.parent_id else "",
        "compare_words": "Compare with its parent",
        "current": run.id == current,
        "start": start,
        "own": round(max(end - start, 1.5), 2),
    }
