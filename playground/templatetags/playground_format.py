"""Quantities as people write them: `{{ node.allocatable.cpu|cpu }}`, `{{ pod.requests.memory|memory }}`."""

from __future__ import annotations

import datetime as dt
import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince

register = template.Library()

UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


@register.filter
def cpu(milli: int | str | None) -> str:
    """Returns CPU in cores, or in milli below one: 1500 → "1.5", 250 → "250m".

    Args:
        milli: thousandths of a core; anything else gives a dash.
    """
    if not isinstance(milli, int):
        return "–"
    return f"{milli}m" if abs(milli) < 1000 and milli else f"{milli / 1000:g}"


@register.filter
def memory(num_bytes: int | str | None) -> str:
    """Returns bytes in the unit that leaves at most four digits: 1610612736 → "1.5 GiB".

    Args:
        num_bytes: bytes; anything else gives a dash.
    """
    if not isinstance(num_bytes, int):
        return "–"
    amount, unit = float(num_bytes), 0
    while abs(amount) >= 1024 and unit < len(UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.1f}".removesuffix(".0") + f" {UNITS[unit]}"


@register.filter
def when(micros: int | None) -> str:
    """Returns microseconds since 1970 as a date and time.

    Args:
        micros: anything else gives a dash.
    """
    if not isinstance(micros, int):
        return "–"
    return f"{dt.datetime.fromtimestamp(micros // 1_000_000, dt.UTC):%Y-%m-%d %H:%M:%S}"


@register.filter
def ago(time: dt.datetime | None) -> str:
    """Returns how long ago something was, in the largest unit: "just now", "3 minutes ago".

    Args:
        time: aware; anything else gives nothing.
    """
    if not isinstance(time, dt.datetime):
        return ""
    since = timesince(time, depth=1).replace("\xa0", " ")
    return "just now" if since == "0 minutes" else f"{since} ago"


@register.filter
def codes(text: str) -> SafeString:
    """Returns a text with what stands between backticks as code.

    Args:
        text: plain; it is escaped.
    """
    return mark_safe(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
