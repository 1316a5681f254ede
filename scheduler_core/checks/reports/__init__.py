"""Reports: one verdict in the forms that people, CI servers and code hosts read."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scheduler_core.checks.verdict import Verdict

MEDIA_TYPES: Final = {
    "json": "application/json",
    "junit": "application/xml",
    "sarif": "application/sarif+json",
    "github": "text/plain; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "text": "text/plain; charset=utf-8",
}
FORMATS: Final = tuple(MEDIA_TYPES)


def render(verdict: Verdict, format_: str, *, color: bool = False) -> str:
    """Returns a verdict as a report, with a newline at its end.

    Args:
        verdict: what is told.
        format_: one of FORMATS.
        color: whether the text for people may have colours.

    Raises:
        KeyError: there is no such format.
    """
    if format_ not in MEDIA_TYPES:
        raise KeyError(format_)
    module = import_module(f"scheduler_core.checks.reports.{format_}")
    text: str = module.render(verdict, color=color) if format_ == "text" else module.render(verdict)
    return text
