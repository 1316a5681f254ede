"""Schedules in cron's language, and when they are due next, in UTC.

Five fields (minute, hour, day of the month, month, day of the week) of "*", "?", numbers, names, ranges, steps and
lists; or @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually; or @every with a duration. If both days
are restricted, one of them is enough.

Source: github.com/robfig/cron/v3, parser.go, spec.go (ParseStandard), v3.0.1
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final, NamedTuple

from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.kubelet.durations import DurationError, parse_duration

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MINUTE: Final = dt.timedelta(minutes=1)
_YEARS: Final = 5
"""How far a schedule is searched: one that is not due in this time never is."""
_LAST_YEAR: Final = 9990

_MONTHS: Final = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)  # noqa: SIM905
}
_DAYS: Final = {name: number for number, name in enumerate("sun mon tue wed thu fri sat".split())}  # noqa: SIM905
_DESCRIPTORS: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}


class ScheduleError(ValueError):
    """The text is no schedule; the message is upstream's."""


class _Bounds(NamedTuple):
    low: int
    high: int
    names: dict[str, int]


_FIELDS: Final = (
    _Bounds(0, 59, {}),
    _Bounds(0, 23, {}),
    _Bounds(1, 31, {}),
    _Bounds(1, 12, _MONTHS),
    _Bounds(0, 6, _DAYS),
)


@dataclass(frozen=True)
class Schedule:
    """The values at which a schedule is due; ``every_us`` alone for one by a duration."""

    minutes: frozenset[int] = frozenset()
    hours: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()
    any_day: bool = False
    """Whether one of the two days is not restricted, so that both must be met."""
    every_us: int = 0

    def next_after(self, wall_us: int) -> int | None:
        """Returns when the schedule is due first after a moment, both microseconds since 1970; None for never."""
        if self.every_us:
            return (wall_us // MICROSECONDS) * MICROSECONDS + self.every_us
        moment = _EPOCH + dt.timedelta(microseconds=wall_us)
        moment = moment.replace(second=0, microsecond=0) + _MINUTE
        last = min(moment.year + _YEARS, _LAST_YEAR)
        while moment.year <= last:
            if moment.month not in self.months:
                year, month = (moment.year + 1, 1) if moment.month == 12 else (moment.year, moment.month + 1)
                moment = dt.datetime(year, month, 1, tzinfo=dt.UTC)
            elif not self._is_day(moment):
                moment = moment.replace(hour=0, minute=0) + dt.timedelta(days=1)
            elif moment.hour not in self.hours:
                moment = moment.replace(minute=0) + dt.timedelta(hours=1)
            elif moment.minute not in self.minutes:
                moment += _MINUTE
            else:
                return (moment - _EPOCH) // dt.timedelta(microseconds=1)
        return None

    def _is_day(self, moment: dt.datetime) -> bool:
        in_month = moment.day in self.days
        in_week = moment.isoweekday() % 7 in self.weekdays
        return (in_month and in_week) if self.any_day else (in_month or in_week)


def parse_schedule(text: str) -> Schedule:
    """Reads a schedule.

    Raises:
        ScheduleError: with upstream's message.
    """
    if not text:
        raise ScheduleError("empty spec string")
    if text.startswith("@every "):
        return Schedule(every_us=_every(text))
    if text.startswith("@"):
        known = _DESCRIPTORS.get(text)
        if known is None:
            raise ScheduleError(f"unrecognized descriptor: {text}")
        text = known
    fields = text.split()
    if len(fields) != len(_FIELDS):
        shown = "[" + " ".join(fields) + "]"
        raise ScheduleError(f"expected exactly 5 fields, found {len(fields)}: {shown}")
    minutes, hours, days, months, weekdays = (
        _field(field, bounds) for field, bounds in zip(fields, _FIELDS, strict=True)
    )
    any_day = _is_star(fields[2]) or _is_star(fields[4])
    return Schedule(minutes, hours, days, months, weekdays, any_day)


def _every(text: str) -> int:
    duration = text.removeprefix("@every ")
    try:
        found = parse_duration(duration)
    except DurationError:
        raise ScheduleError(f'failed to parse duration {text}: time: invalid duration "{duration}"') from None
    return max(found // MICROSECONDS, 1) * MICROSECONDS


def _is_star(field: str) -> bool:
    return any(part.split("/")[0] in ("*", "?") for part in field.split(","))


def _field(text: str, bounds: _Bounds) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        if part:
            found |= _range(part, bounds)
    return frozenset(found)


def _range(text: str, bounds: _Bounds) -> set[int]:
    span, *steps = text.split("/")
    first, *rest = span.split("-")
    if len(steps) > 1:
        raise ScheduleError(f"too many slashes: {text}")
    if first in ("*", "?"):
        low, high = bounds.low, bounds.high
    elif len(rest) > 1:
        raise ScheduleError(f"too many hyphens: {text}")
    else:
        low = _number(first, bounds)
        high = _number(rest[0], bounds) if rest else low
    step = 1
    if steps:
        step = _integer(steps[0])
        if not rest and first not in ("*", "?"):
            high = bounds.high
    if low < bounds.low:
        raise ScheduleError(f"beginning of range ({low}) below minimum ({bounds.low}): {text}")
    if high > bounds.high:
        raise ScheduleError(f"end of range ({high}) above maximum ({bounds.high}): {text}")
    if low > high:
        raise ScheduleError(f"beginning of range ({low}) beyond end of range ({high}): {text}")
    if step == 0:
        raise ScheduleError(f"step of range should be a positive number: {text}")
    return set(range(low, high + 1, step))


def _number(text: str, bounds: _Bounds) -> int:
    named = bounds.names.get(text.lower())
    return _integer(text) if named is None else named


def _integer(text: str) -> int:
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        raise ScheduleError(
            f'failed to parse int from {text}: strconv.Atoi: parsing "{text}": invalid syntax'
        )
    number = int(text)
    if number < 0:
        raise ScheduleError(f"negative number ({number}) not allowed: {text}")
    return number
