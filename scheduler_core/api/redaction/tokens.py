"""New texts for old ones: in the same order, whatever is kept among them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import groupby

from scheduler_core.api.selectors import parse_int64

# Texts that mean something to Kubernetes wherever they stand.
_WELL_KNOWN = frozenset(
    {"", "true", "false", "default", "kube-system", "kube-public", "kube-node-lease"}
    | {"system-cluster-critical", "system-node-critical", "0.0.0.0", "127.0.0.1", "::"}
)
_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def is_kept(text: str, keep: frozenset[str]) -> bool:
    """Returns whether a text stays: Kubernetes' own, a number (Gt and Lt read it), or one to be kept."""
    return text in _WELL_KNOWN or text in keep or parse_int64(text) is not None


def new_texts(texts: Iterable[str], keep: frozenset[str]) -> dict[str, str]:
    """Returns the new text for each text; any two compare as before.

    Texts between two kept ones get a first letter between theirs; where there is none, they begin with the lower of
    them and a hyphen, which sorts before all that may follow in the upper one.
    """
    ordered = sorted(set(texts))
    kept = [text for text in ordered if text and is_kept(text, keep)]
    result = {text: text for text in (*kept, "")}
    width = len(str(len(ordered)))
    renamed = [text for text in ordered if text not in result]
    number = 0
    for place, group in groupby(renamed, key=lambda text: bisect_left(kept, text)):
        below = kept[place - 1] if place else ""
        above = kept[place] if place < len(kept) else None
        prefix = _prefix(below, above)
        for text in group:
            number += 1
            result[text] = f"{prefix}{number:0{width}}"
    return result


def _prefix(below: str, above: str | None) -> str:
    """Returns what the texts between two kept ones begin with."""
    letters = _LETTERS[_LETTERS.find(below[:1]) + 1 :] if below[:1] in _LETTERS else ""
    for letter in letters:
        if above is None or letter < above[0]:
            return f"{letter}x" if letter.isdigit() else letter
        break
    return f"{below or 0}-x"
