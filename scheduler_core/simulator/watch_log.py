"""A recorded watch → a scenario that keeps its times.

A line is one event of ``kubectl get --watch --output-watch-events -o json`` with the time at which it was received:
``{"receivedAt": "2026-01-05T08:00:00.25Z", "type": "ADDED", "object": {…}}``. ``examples/record_watch.py`` writes it.
What was there when the recording began is the cluster; all else is a ``observe`` edit at its own time. Controllers are
off in a replay: what they did is in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import convert_object, without_nulls
from scheduler_core.api.explain import explain
from scheduler_core.api.field_path import format_path
from scheduler_core.api.kinds import KubeObject, find_kind, object_key
from scheduler_core.api.located import text_of
from scheduler_core.api.meta import Time, parse_time
from scheduler_core.api.scrubbing import scrub
from scheduler_core.config.duration import Duration
from scheduler_core.errors import DECODE, NOT_SUPPORTED, REQUIRED, SYNTAX, TOO_MANY, FieldError, ManifestError
from scheduler_core.simulator.scenario.edits import Observe
from scheduler_core.simulator.scenario.reading import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ERRORS: Final = 100
AFTERWARDS_US: Final = 600_000_000
"""How long a replay goes on after the last event, so that what waits may still find its place."""
_TYPES: Final = ("ADDED", "MODIFIED", "DELETED")
_IGNORED: Final = ("BOOKMARK", "ERROR")
_NANOS_PER_MICRO: Final = 1000


class _Line(msgspec.Struct, rename="camel"):
    received_at: str = ""
    type: str = ""
    object: dict[str, Any] | None = None


class WatchLog(msgspec.Struct, frozen=True, kw_only=True):
    """A recording.

    Args:
        objects: what was there at its beginning, typed.
        scenario: what came then.
        epoch_us: when it began, microseconds since 1970: the t = 0 of a replay.
        skipped: how many events of each kind that scheduling does not read.
        placements: the node that the real scheduler gave each pod that came, ``namespace/name`` → node.
    """

    objects: tuple[KubeObject, ...]
    scenario: Scenario
    epoch_us: int
    skipped: dict[str, int]
    placements: dict[str, str]


def is_watch_log(text: bytes) -> bool:
    """Returns whether a text looks like a recording: its first line is an event with its time."""
    first = text.lstrip()[:65536].partition(b"\n")[0]
    return first.startswith(b"{") and b'"receivedAt"' in first


def read_watch_log(lines: Iterable[bytes], file: str = "watch.jsonl") -> WatchLog:
    """Reads a recording.

    Raises:
        ManifestError: with what is wrong, each error with its line.
    """
    reader = _Reader(file)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            reader.add(number, line)
    return reader.finish()


class _Reader:
    """One call's state."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._errors: list[FieldError] = []
        self._begin: Time | None = None
        self._last_us = 0
        self._objects: dict[str, KubeObject] = {}
        self._seen: set[str] = set()
        self._edits: list[Observe] = []
        self._skipped: dict[str, int] = {}
        self._placements: dict[str, str] = {}
        self._decoder = msgspec.json.Decoder(_Line)

    def add(self, number: int, text: bytes) -> None:
        """Takes one line."""
        try:
            line = self._decoder.decode(text)
            received = parse_time(line.received_at)
        except msgspec.DecodeError as wrong:
            self._fault(number, "", SYNTAX, f"expected an event as JSON: {wrong}")
            return
        except ValueError as wrong:
            field, message = "receivedAt", str(wrong) if line.received_at else "the time is missing"
            self._fault(number, field, DECODE, message)
            return
        if line.type in _IGNORED:
            return
        if line.type not in _TYPES:
            supported = ", ".join(f'"{name}"' for name in _TYPES)
            self._fault(number, "type", NOT_SUPPORTED, f"supported values: {supported}", line.type)
        elif line.object is None:
            self._fault(number, "object", REQUIRED, "")
        else:
            self._take(number, line.type, line.object, received)

    def _take(self, number: int, type_: str, raw: dict[str, Any], received: Time) -> None:
        if self._begin is None:
            self._begin = received
        # A clock that was set back must not turn the order around.
        self._last_us = max(self._last_us, received - self._begin)
        kind = str(raw.get("kind", ""))
        info = find_kind(str(raw.get("apiVersion", "")), kind)
        if info is None:
            self._skipped[kind] = self._skipped.get(kind, 0) + 1
            return
        scrub(raw)
        value = without_nulls(raw)
        try:
            typed = convert_object(value, info.type)
        except msgspec.ValidationError as wrong:
            faults = list(explain(value, info.type))
            for fault in faults:
                field = f"object.{format_path(fault.path)}"
                self._fault(number, field, fault.type, fault.message, text_of(fault.value))
            if not faults:
                self._fault(number, "object", DECODE, str(wrong))
            return
        metadata = typed.metadata
        key = object_key(kind, metadata.namespace, metadata.name)
        created = metadata.creation_timestamp
        is_old = created is not None and created <= self._begin
        if type_ == "ADDED" and key not in self._seen and is_old:
            self._objects[key] = typed
        else:
            at = Duration(self._last_us * _NANOS_PER_MICRO)
            self._edits.append(Observe(at=at, type=type_, object=value))
        self._seen.add(key)
        self._note_placement(typed, key)

    def _note_placement(self, typed: Any, key: str) -> None:
        if typed.kind == "Pod" and typed.spec.node_name and key not in self._objects:
            self._placements[typed.key] = typed.spec.node_name

    def finish(self) -> WatchLog:
        """Returns the recording."""
        if not self._errors and self._begin is None:
            self._fault(1, "", REQUIRED, "no event found")
        if self._errors:
            raise ManifestError(self._errors)
        assert self._begin is not None
        scenario = Scenario(
            name=self._file,
            edits=tuple(self._edits),
            horizon_us=self._last_us + AFTERWARDS_US,
            controllers="off",
            epoch_us=int(self._begin),
        )
        return WatchLog(
            objects=tuple(self._objects.values()),
            scenario=scenario,
            epoch_us=int(self._begin),
            skipped=self._skipped,
            placements=self._placements,
        )

    def _fault(self, line: int, field: str, type_: str, message: str, value: str = "") -> None:
        if len(self._errors) < MAX_ERRORS:
            error = FieldError(
                file=self._file,
                document=1,
                line=line,
                column=1,
                field=field,
                value=value,
                type=type_,
                message=message,
            )
            self._errors.append(error)
        elif len(self._errors) == MAX_ERRORS:
            self._errors.append(
                FieldError(file=self._file, type=TOO_MANY, message="more errors are not listed")
            )
