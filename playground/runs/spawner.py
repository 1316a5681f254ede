"""Starts engine processes and keeps a spare one warm, for a start costs more than half a second.

All are started by one thread that lives as long as the program: the kernel ends a child when the *thread*
that started it ends.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

from playground.runs.child import Child

REFILL_AFTER_SECONDS = 1.0


class Spawner:
    """The thread, its requests, the spare."""

    def __init__(self) -> None:
        self._requests: queue.SimpleQueue[Future[Child] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._spare: Child | None = None
        self._keeps_spare = False
        self._thread: threading.Thread | None = None

    def keep_spare(self) -> None:
        """Starts a spare process now and keeps one from here on."""
        self._keeps_spare = True
        self._start()
        self._requests.put(None)

    def take(self) -> Child:
        """Returns a process that waits for its job: the spare, or a new one."""
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is not None:
            self._requests.put(None)
            if spare.is_alive():
                return spare
            spare.end()
        self._start()
        request: Future[Child] = Future()
        self._requests.put(request)
        return request.result()

    def stop(self) -> None:
        """Ends the spare and keeps none from here on."""
        self._keeps_spare = False
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is not None:
            spare.kill()
            spare.end()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="engine-spawner", daemon=True)
                self._thread.start()

    def _serve(self) -> None:
        is_first = True
        while True:
            wants_spare = self._keeps_spare and self._spare is None
            try:
                request = self._requests.get(timeout=REFILL_AFTER_SECONDS if wants_spare else None)
            except queue.Empty:
                self._refill()
                continue
            if request is not None:
                self._answer(request)
            elif is_first:
                self._refill()
            is_first = False

    def _answer(self, request: Future[Child]) -> None:
        try:
            request.set_result(Child())
        except BaseException as error:
            request.set_exception(error)

    def _refill(self) -> None:
        child = Child()
        with self._lock:
            if self._keeps_spare and self._spare is None:
                self._spare = child
                return
        child.kill()
        child.end()


spawner = Spawner()
