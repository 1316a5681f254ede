"""What was probably meant by an amount that is none: "6GiB" is meant as 6Gi."""

from __future__ import annotations

import re
from typing import Any, Final

from scheduler_core.api.quantity import QuantityError, parse_quantity

_AMOUNT: Final = re.compile(r"\s*([+-]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+))\s*([A-Za-z]*)\.?\s*", re.ASCII)
_WORDS: Final = {
    "": ("",),
    **dict.fromkeys(("core", "cores", "cpu", "cpus", "vcpu", "vcpus", "byte", "bytes", "b"), ("",)),
    **dict.fromkeys(("mcpu", "mcpus", "millicore", "millicores", "millicpu", "millicpus"), ("m",)),
    **dict.fromkeys(("kb", "kbyte", "kbytes", "kilobyte", "kilobytes"), ("k",)),
    **{f"{letter}{ending}": (letter.upper(),) for letter in "mgtpe" for ending in ("b", "byte", "bytes")},
    **{
        f"{letter}i{ending}": (f"{letter.upper()}i",)
        for letter in "kmgtpe"
        for ending in ("", "b", "byte", "bytes")
    },
    # One letter can mean either.
    "k": ("k", "Ki"),
    **{letter: (letter.upper(), f"{letter.upper()}i") for letter in "gtp"},
}


def quantity_hint(value: Any) -> str:
    """Returns what to write instead of an amount that Kubernetes does not take; nothing where that is a guess.

    Args:
        value: as it was written.
    """
    match = _AMOUNT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return ""
    number, word = match.groups()
    if "," in number and len(number.rpartition(",")[2]) == 3:
        return ""  # 1,500 is a thousand and a half to some, one and a half to others
    endings = _WORDS.get(word.lower(), ())
    written = [number.replace(",", ".") + ending for ending in endings]
    return f"write {' or '.join(written)}" if written and all(map(_is_quantity, written)) else ""


def _is_quantity(text: str) -> bool:
    try:
        parse_quantity(text)
    except QuantityError:
        return False
    return True
