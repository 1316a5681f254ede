"""Other processes that try orders of a check beside this one. What one of them leaves undone is done here."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from engine import frames
from scheduler_core.checks import Held

if TYPE_CHECKING:
    from scheduler_core.checks import Order

WAIT_SECONDS: Final = 0.05
"""How long to wait for the others before looking whether the check is to stop."""

Numbered = tuple[int, "Order"]


class Workers:
    """Processes, each with a share of the orders; one share stays here.

    Args:
        payload: gives the job for some orders.
        orders: with their numbers.
        helpers: how many processes.
    """

    def __init__(
        self, payload: Callable[[Sequence[Order]], bytes], orders: Sequence[Numbered], helpers: int
    ) -> None:
        self._mine = deque(orders[:: helpers + 1])
        self._done: queue.SimpleQueue[tuple[int, Held] | list[Numbered]] = queue.SimpleQueue()
        self._processes: list[subprocess.Popen[bytes]] = []
        for number in range(1, helpers + 1):
            share = orders[number :: helpers + 1]
            process = subprocess.Popen(
                [sys.executable, "-m", "engine.process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the parent; a helper ends when its stdin does
            )
            self._processes.append(process)
            job = payload([order for _, order in share])
            threading.Thread(target=self._follow, args=(process, job, list(share)), daemon=True).start()

    def take(self) -> Numbered | None:
        """Returns an order to try here, or None while the others are at it."""
        return self._mine.popleft() if self._mine else None

    def results(self, timeout: float = 0.0) -> dict[int, Held]:
        """Returns what was found since the last call, after at most a moment."""
        found: dict[int, Held] = {}
        while True:
            try:
                each = self._done.get(timeout=timeout) if timeout else self._done.get_nowait()
            except queue.Empty:
                return found
            timeout = 0.0
            if isinstance(each, list):
                self._mine.extend(each)
            else:
                found[each[0]] = each[1]

    def end(self) -> None:
        """Ends the processes."""
        for process in self._processes:
            process.kill()
            process.wait()

    def _follow(self, process: subprocess.Popen[bytes], job: bytes, share: list[Numbered]) -> None:
        """Hands a process its share and takes what it finds, in the share's order."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            frames.write_frame(process.stdin, frames.CHECK, job)
            while share and (frame := frames.read_frame(process.stdout)) is not None:
                if frame.kind == frames.PROGRESS:
                    held = msgspec.json.decode(frame.payload, type=Held)
                    self._done.put((share.pop(0)[0], held))
        except (OSError, ValueError, frames.BrokenFrameError, msgspec.DecodeError):
            pass  # it is gone; its share comes back
        if share:
            self._done.put(share)
        with process.stdin, process.stdout:
            pass
