"""Engine processes that stay for the next question about the same cluster or run, so that loading it is not done again.

Few, and not for long: each holds a cluster in memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

from playground.runs.child import Child

MOST = 2
IDLE_SECONDS = 120.0


class Keeper:
    """Who is kept, by what it knows; the one kept last stands last.

    Args:
        most: how many at most; the oldest goes for a new one.
        idle_seconds: how long one waits for the next question.
    """

    def __init__(self, most: int = MOST, idle_seconds: float = IDLE_SECONDS) -> None:
        self._most = most
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._kept: list[tuple[Hashable, Child, threading.Timer]] = []

    def take(self, key: Hashable) -> Child | None:
        """Returns a process that knows this and whom nobody else asks, or None.

        Args:
            key: what it is to know.
        """
        found = self._remove(lambda each_key, _child: each_key == key)
        if found is not None and found.is_alive():
            return found
        if found is not None:
            found.end()
        return None

    def keep(self, key: Hashable, child: Child) -> None:
        """Takes a process that has answered; the next `take` of this key gives it.

        Args:
            key: what it knows.
            child: waits for a question.
        """
        timer = threading.Timer(self._idle_seconds, self._end, [child])
        timer.daemon = True
        with self._lock:
            self._kept.append((key, child, timer))
            goes = [self._kept.pop(0) for _ in range(len(self._kept) - self._most)]
        timer.start()
        for _key, old, its_timer in goes:
            its_timer.cancel()
            old.end()

    def drop(self, is_it: Callable[[Hashable], bool]) -> None:
        """Ends those that nobody will ask again.

        Args:
            is_it: given what one knows, says whether it is such a one.
        """
        while (child := self._remove(lambda key, _child: is_it(key))) is not None:
            child.end()

    def end_all(self) -> None:
        """Ends all that are kept."""
        with self._lock:
            goes, self._kept = self._kept, []
        for _key, child, timer in goes:
            timer.cancel()
            child.end()

    def _end(self, child: Child) -> None:
        if self._remove(lambda _key, each: each is child) is not None:
            child.end()

    def _remove(self, is_it: Callable[[Hashable, Child], bool]) -> Child | None:
        """Takes out the one kept last of those that are it."""
        with self._lock:
            for index in reversed(range(len(self._kept))):
                key, child, timer = self._kept[index]
                if is_it(key, child):
                    del self._kept[index]
                    timer.cancel()
                    return child
        return None


keeper = Keeper()
