"""How fast is this machine? One fixed loop of pure Python."""

from __future__ import annotations


def loop(steps: int) -> int:
    """Does ``steps`` steps of integer arithmetic."""
    a = 1
    for i in range(steps):
        a = (a * 1103515245 + 12345 + i) & 0x7FFFFFFF
    return a
