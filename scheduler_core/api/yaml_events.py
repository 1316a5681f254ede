"""The events of a YAML text, document by document; after a faulty document the next one is read."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import yaml

from scheduler_core.api.limits import MAX_PROBLEMS
from scheduler_core.api.problems import LimitExceeded, Problem, line_and_column
from scheduler_core.errors import SYNTAX

_SEPARATOR = re.compile(r"^---(?=\s|$)", re.MULTILINE)
_CONTROL = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MAX_CONTROLS = 20
_NO_TOKEN = "found character that cannot start any token"
_NO_TABS = "YAML takes blanks, not tabs, for indentation"
_HINTS = {
    "found a tab character that violates indentation": _NO_TABS,
    "mapping values are not allowed in this context": "quote a value that has a colon and a blank in it",
}


def read_events(text: str) -> Iterator[tuple[int, int, yaml.Event | Problem]]:
    """Yields (document, line offset, event); the marks of events count lines from the offset.

    After a fault the Problem is yielded, and reading goes on at the next document.
    """
    controls = deque(_controls(text))
    if controls:
        text = _CONTROL.sub("\ufffd", text)
    document = start = faulty = 0
    while True:
        offset = text.count("\n", 0, start)
        try:
            for event in yaml.parse(text[start:] if start else text, Loader=yaml.CLoader):
                kind = type(event)
                if kind is yaml.DocumentStartEvent:
                    document += 1
                elif kind is yaml.DocumentEndEvent and controls and event.end_mark is not None:
                    while controls and controls[0][0] <= offset + event.end_mark.line + 1:
                        yield document, offset, _control_problem(document, *controls.popleft())
                yield document, offset, event
            break
        except yaml.MarkedYAMLError as error:
            problem = _problem(error, max(document, 1), offset, text)
        yield document, offset, problem
        faulty += 1
        if faulty == MAX_PROBLEMS:
            message = f"{faulty} documents cannot be read; the rest was not tried"
            raise LimitExceeded(message, document, problem.line, problem.column)
        following = _next_document(text, start, problem.line or 1)
        if following is None:
            break
        start = following
    for place in controls:
        yield document, 0, _control_problem(max(document, 1), *place)


def _problem(error: yaml.MarkedYAMLError, document: int, offset: int, text: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    message = error.problem or error.context or "not YAML"
    if message == _NO_TOKEN and mark is not None and _has_tab(text, offset + mark.line):
        message += f": {_NO_TABS}"
    elif message in _HINTS:
        message += f": {_HINTS[message]}"
    elif error.context:
        message += f" {error.context}"
    if mark is None:
        return Problem(SYNTAX, message, document, offset + 1, 1)
    return Problem(SYNTAX, message, document, offset + mark.line + 1, mark.column + 1)


def _next_document(text: str, start: int, line: int) -> int | None:
    """Returns where the first document begins that a fault in a line leaves alone."""
    index = 0
    for _ in range(line - 1):
        index = text.find("\n", index) + 1
        if not index:
            return None
    match = _SEPARATOR.search(text, max(index, start + 1))
    return match.start() if match else None


def _controls(text: str) -> Iterator[tuple[int, int, str]]:
    for number, match in enumerate(_CONTROL.finditer(text)):
        if number == _MAX_CONTROLS:
            return
        yield (*line_and_column(text, match.start()), match[0])


def _has_tab(text: str, line: int) -> bool:
    """Returns whether a line, counted from 0, is indented with a tab."""
    indented = text.splitlines()[line : line + 1]
    return any("\t" in each[: len(each) - len(each.lstrip())] for each in indented)


def _control_problem(document: int, line: int, column: int, character: str) -> Problem:
    message = f"control characters are not allowed: U+{ord(character):04X}"
    return Problem(SYNTAX, message, document, line, column)
