"""What the comment lines at the top of a file say: a question, where its answer is, a description."""

from __future__ import annotations

import re
from typing import Final

HEADS: Final = ("question", "topic", "look", "cluster")
_HEAD: Final = re.compile(rf"# ({'|'.join(HEADS)}): *(.*)")


def heads_of(text: str) -> tuple[dict[str, str], str]:
    """Returns what the lines at the top of a file say, and the description.

    Args:
        text: of the file; only its first lines are looked at, as long as they begin with ``#``.
    """
    heads, description = dict.fromkeys(HEADS, ""), []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if head := _HEAD.fullmatch(line):
            heads[head[1]] = head[2].strip()
        elif not line.startswith("#  "):
            description.append(line.removeprefix("#").strip())
    return heads, " ".join(description).strip()
