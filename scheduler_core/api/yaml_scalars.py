"""What a plain YAML scalar means to kubectl: neither YAML 1.1 nor 1.2, but Go's parser of old.

Times and 1:30 stay text; 012 is octal; yes and on are booleans. Only y and n are text here, as meant.
Source: sigs.k8s.io/yaml goyaml.v2/resolve.go, resolve
"""

from __future__ import annotations

import functools
import re
from typing import Any

_CORE_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("bool", "int", "float", "null", "timestamp"))

_WORDS: dict[str, bool | None] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
for _word in ("yes", "true", "on"):
    _WORDS |= dict.fromkeys((_word, _word.capitalize(), _word.upper()), True)
for _word in ("no", "false", "off"):
    _WORDS |= dict.fromkeys((_word, _word.capitalize(), _word.upper()), False)

_HINTS = frozenset("0123456789+-.yYnNtTfFoO~")
_DATE = re.compile(r"[0-9]{4}-")
_INTEGER = re.compile(
    r"([-+]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[bB](?P<bin>[01]+)|0[oO]?(?P<oct>[0-7]+)|(?P<dec>[1-9][0-9]*|0))",
    re.ASCII,
)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}
_MAX_DIGITS = 400
# Go writes whole numbers below this without an exponent, so that they are integers in JSON.
_WHOLE = 1e21

Scalar = str | int | float | bool | None


def resolve_scalar(value: str, tag: str | None, plain: bool) -> Scalar:
    """Returns the JSON value of a scalar.

    Args:
        value: its text.
        tag: its explicit tag, if any.
        plain: whether it stands without quotes and is not a block.
    """
    if tag is None or tag == "!":
        return resolve_plain(value) if plain and tag is None else value
    if tag in _CORE_TAGS:
        return resolve_plain(value)
    return value


def resolve_plain(value: str) -> Scalar:
    """Returns the JSON value of a scalar without quotes or tag."""
    if value and value[0] not in _HINTS:
        return value
    return _resolve(value)


@functools.lru_cache(maxsize=65536)
def _resolve(value: str) -> Scalar:
    if value in _WORDS:
        return _WORDS[value]
    if len(value) > _MAX_DIGITS or _DATE.match(value):
        return value
    if value[0] == ".":
        return _number(value) if _FLOAT.fullmatch(value) else value
    if value[0] not in "0123456789+-":
        return value
    digits = value.replace("_", "")
    match = _INTEGER.fullmatch(digits)
    if match is not None:
        base = match.lastgroup or "dec"
        number = int(match[base], _BASES[base])
        return -number if match[1] == "-" else number
    return _number(digits) if _FLOAT.fullmatch(digits) else value


def _number(text: str) -> int | float | str:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        return text
    return int(number) if number.is_integer() and abs(number) < _WHOLE else number


def key_text(value: Any) -> str:
    """Returns the key a scalar becomes in JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return "null" if value is None else ""
