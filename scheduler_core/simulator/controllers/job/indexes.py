"""The indexes of an indexed job: which are done, which come next, and how they are written ("0-2,5").

Source: pkg/controller/job/indexed_job_utils.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from scheduler_core.api.pod import Pod

INDEX: Final = "batch.kubernetes.io/job-completion-index"
INDEX_FAILURES: Final = "batch.kubernetes.io/job-index-failure-count"


def index_of(pod: Pod) -> int | None:
    """Returns the index that a pod works on."""
    text = pod.metadata.annotations.get(INDEX, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def failures_of(pod: Pod) -> int:
    """Returns how often the pod's index had failed before it."""
    text = pod.metadata.annotations.get(INDEX_FAILURES, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def parse_indexes(text: str, completions: int) -> set[int]:
    """Returns the indexes that a text lists; those from ``completions`` on do not count."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        if first.isdigit() and (not last or last.isdigit()):
            found.update(range(int(first), min(int(last or first), completions - 1) + 1))
    return found


def format_indexes(indexes: Iterable[int]) -> str:
    """Returns indexes as text; three or more in a row are written as first and last."""
    parts: list[str] = []
    run: list[int] = []

    def close() -> None:
        if run:
            separator = "-" if len(run) > 2 else ","
            parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}{separator}{run[-1]}")

    for index in sorted(indexes):
        if run and index != run[-1] + 1:
            close()
            run.clear()
        run.append(index)
    close()
    return ",".join(parts)


def first_pending(completions: int, count: int, taken: Collection[int]) -> list[int]:
    """Returns the first indexes that are neither done nor worked on."""
    pending: list[int] = []
    for index in range(completions):
        if len(pending) >= count:
            break
        if index not in taken:
            pending.append(index)
    return pending
