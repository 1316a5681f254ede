"""Scenarios as those outside of the core hold them: plain values that were read once, so that a run will take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from scheduler_core.api import DEFAULT_LIMITS
from scheduler_core.api.documents import read_documents
from scheduler_core.simulator import read_edits, read_question, read_scenario, sentence


class PlainScenario(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario that can be run.

    Args:
        name: as it is called, or nothing.
        edits: as they are written.
        question: as it is written, None for the usual one.
        options: what it says about the run's options.
    """

    name: str = ""
    edits: list[Any] = []
    question: dict[str, Any] | None = None
    options: dict[str, Any] = {}


def plain_scenario(text: bytes, file: str) -> PlainScenario:
    """Returns the scenario in a text.

    Args:
        text: YAML or JSON, one document of kind Scenario.
        file: what to call it in errors.

    Raises:
        ManifestError: all that is wrong, located.
    """
    read = read_scenario(text, file)
    (written,) = (each.value for each in read_documents(text, DEFAULT_LIMITS) if each.value is not None)
    options = {"horizon_us": read.horizon_us, "controllers": read.controllers}
    return PlainScenario(
        name=read.name,
        edits=list(written.get("edits") or ()),
        question=written.get("question") or None,
        options={name: value for name, value in options.items() if value is not None},
    )


def check(edits: Sequence[Any], question: dict[str, Any] | None) -> None:
    """Holds edits and a question against what a run takes, whatever the cluster.

    Raises:
        ManifestError: all that is wrong; fields are such as ``edits[2].replicas``.
    """
    read_edits(edits)
    read_question(question)


def sentences(edits: Sequence[Any]) -> list[str]:
    """Returns what each edit does, in words.

    Args:
        edits: plain, as they are written.

    Raises:
        ManifestError: all that is wrong with them.
    """
    return [sentence(edit) for edit in read_edits(edits)]
