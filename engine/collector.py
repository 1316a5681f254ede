"""The garbage collector in a process that loads one cluster and runs it.

It looks for cycles of objects among all objects. A run makes hardly any cycle, and a cluster is many objects, so by
default an eighth of a run's time goes into looking. What is garbage without a cycle is freed at once all the same.
"""

from __future__ import annotations

import gc
from typing import Final

_OBJECTS_A_LOOK: Final = 100_000
_LOOKS_AT_THE_NEW: Final = 50
_LOOKS_AT_THE_OLD: Final = 1000


def collect_rarely() -> None:
    """Has the collector look after many new objects only, and hardly ever at all that there is."""
    gc.set_threshold(_OBJECTS_A_LOOK, _LOOKS_AT_THE_NEW, _LOOKS_AT_THE_OLD)


def set_aside() -> None:
    """Has the collector leave alone what there is now: the cluster as loaded stays to the end."""
    gc.freeze()
