"""What an import made of its input, as the cluster's page tells it: briefly, what matters first."""

from __future__ import annotations

import datetime as dt
from typing import Any

from playground.models import ClusterRevision
from scheduler_core.api import parse_time

MAX_WARNINGS = 5
MAX_SKIPPED = 6


def import_of(revision: ClusterRevision) -> dict[str, Any]:
    """Returns the import's report for a page.

    Args:
        revision: as imported.
    """
    report = revision.report
    warnings = [*report.get("notes", []), *revision.warnings]
    skipped = sorted(revision.skipped, key=lambda each: (-each["count"], each["kind"]))
    return {
        "captured_at": moment(revision.captured_at),
        "captured_text": revision.captured_at,
        "is_redacted": revision.is_redacted,
        "suspicious": report.get("suspicious", []),
        "num_suspicious": sum(each["count"] for each in report.get("suspicious", [])),
        "warnings": warnings[:MAX_WARNINGS],
        "more_warnings": warnings[MAX_WARNINGS:],
        "kinds": [{"kind": kind, "count": count} for kind, count in sorted(revision.kinds.items())],
        "skipped": skipped[:MAX_SKIPPED],
        "more_skipped": skipped[MAX_SKIPPED:],
        "defaulted": [{"what": what, "count": n} for what, n in report.get("defaulted", {}).items()],
    }


def moment(text: str) -> dt.datetime | None:
    """Returns a time as Kubernetes writes it, None where it is none.

    Args:
        text: RFC 3339.
    """
    try:
        micros = int(parse_time(text)) if text else None
    except ValueError:
        return None
    return None if micros is None else dt.datetime.fromtimestamp(micros // 1_000_000, dt.UTC)
