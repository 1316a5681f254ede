"""The event's message, cut at the reasons it counts, so that each can be shown with the nodes behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from scheduler_core.trace.detail import MessagePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PREEMPTION: Final = "preemption:"


def message_parts(
    message: str, filter_reasons: Iterable[str], preemption_reasons: Iterable[str]
) -> tuple[MessagePart, ...]:
    """Cuts a message; the texts of the parts, joined, are the message again.

    Args:
        message: of a FailedScheduling event
        filter_reasons: what nodes gave as reasons
        preemption_reasons: what was said of nodes where deleting pods would not help
    """
    at = message.find(_PREEMPTION)
    head, tail = (message, "") if at < 0 else (message[:at], message[at:])
    return (*_cut(head, filter_reasons, "filter"), *_cut(tail, preemption_reasons, "preemption"))


def _cut(text: str, reasons: Iterable[str], cause: Literal["filter", "preemption"]) -> Iterator[MessagePart]:
    known = sorted(set(reasons), key=len, reverse=True)
    if known:
        pattern = re.compile(rf"(\d+) ({'|'.join(map(re.escape, known))})(?=[,.]|$)")
        end = 0
        for found in pattern.finditer(text):
            if found.start() > end:
                yield MessagePart(text[end : found.start()])
            yield MessagePart(found[0], cause, found[2], int(found[1]))
            end = found.end()
        text = text[end:]
    if text:
        yield MessagePart(text)
