"""What the engine would say of what a request asks, before anything is stored."""

from __future__ import annotations

from typing import Any

import msgspec

from playground.api.errors import UnprocessableError


def options_complaint(options: dict[str, Any]) -> str:
    """Returns what the engine would say against these options, nothing where it takes them.

    Args:
        options: as sent.
    """
    from engine.process import Job  # the whole engine: only who overrides something waits for it

    try:
        msgspec.convert({"objects": [], "options": options}, type=Job)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def check_options(options: dict[str, Any]) -> None:
    """Holds options against what the engine takes.

    Args:
        options: as sent.

    Raises:
        UnprocessableError: it does not take them.
    """
    if options and (complaint := options_complaint(options)):
        raise UnprocessableError.of("options", complaint)


def check_scenario(
    edits: list[dict[str, Any]], question: dict[str, Any] | None, options: dict[str, Any]
) -> None:
    """Holds what a run is to do against what the engine takes.

    Args:
        edits: plain.
        question: plain, or None.
        options: overrides of SimulatorOptions.

    Raises:
        ManifestError: edits or question are wrong.
        UnprocessableError: the options are wrong.
    """
    from engine.scenarios import check  # loads the simulator: not at start

    check_options(options)
    check(edits, question)
