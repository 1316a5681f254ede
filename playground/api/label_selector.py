"""Label selectors as `kubectl -l` takes them: `app=web,tier in (a,b),!canary`."""

from __future__ import annotations

import re

from playground.api.errors import UnprocessableError
from scheduler_core.api.selectors import DOES_NOT_EXIST, EXISTS, IN, NOT_IN, LabelSelectorRequirement

MAX_LENGTH = 4000
_KEY = r"(?P<key>[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,315}[A-Za-z0-9])?)"
_VALUE = r"[A-Za-z0-9._-]{0,63}"
_FORMS = (
    (re.compile(rf"{_KEY}\s*(?P<sign>==?|!=)\s*(?P<values>{_VALUE})"), ""),
    (re.compile(rf"{_KEY}\s+in\s*\((?P<values>[^()]*)\)"), IN),
    (re.compile(rf"{_KEY}\s+notin\s*\((?P<values>[^()]*)\)"), NOT_IN),
    (re.compile(rf"!\s*{_KEY}"), DOES_NOT_EXIST),
    (re.compile(_KEY), EXISTS),
)


def parse_label_selector(text: str) -> tuple[LabelSelectorRequirement, ...]:
    """Returns the conditions of a selector; all must hold.

    Args:
        text: conditions separated by commas.

    Raises:
        UnprocessableError: a part is none.
    """
    if len(text) > MAX_LENGTH:
        raise UnprocessableError(f"labelSelector is longer than {MAX_LENGTH} characters.")
    parts = [part.strip() for part in re.split(r",(?![^(]*\))", text)]
    return tuple(_requirement(part) for part in parts if part or len(parts) > 1)


def _requirement(part: str) -> LabelSelectorRequirement:
    for form, operator in _FORMS:
        match = form.fullmatch(part)
        if match is None:
            continue
        groups = match.groupdict()
        values = tuple(value.strip() for value in (groups.get("values") or "").split(","))
        if operator in (IN, NOT_IN) and not all(re.fullmatch(_VALUE, value) for value in values):
            break
        if not operator:
            operator = NOT_IN if groups["sign"] == "!=" else IN
        has_values = operator in (IN, NOT_IN)
        return LabelSelectorRequirement(
            key=groups["key"], operator=operator, values=values if has_values else ()
        )
    raise UnprocessableError(
        f"labelSelector: {part[:100]!r} is no condition; like app=web, app!=web, app in (a,b), app notin (a), "
        "app or !app."
    )
