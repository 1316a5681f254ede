"""Engine processes that stay at the playhead of a finished run, few and not for long; they end with their run."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver

from playground.models import Run
from playground.runs.kept import Keeper

NUM_TURNS = 16

playheads = Keeper()
_turns = tuple(threading.Lock() for _ in range(NUM_TURNS))


def turn_of(run_id: str) -> threading.Lock:
    """Returns the lock of whoever asks about a run: one process answers, one question at a time.

    Args:
        run_id: the run; a few runs share a lock.
    """
    return _turns[hash(run_id) % NUM_TURNS]


def is_of(key: Hashable, run_id: str) -> bool:
    """Returns whether a process that is kept is at a run's playhead.

    Args:
        key: what it knows: the run's identifier comes first.
        run_id: the run.
    """
    return isinstance(key, tuple) and key[0] == run_id


@receiver(post_delete, sender=Run)
def _end_with_run(instance: Run, **_others: Any) -> None:
    run_id = str(instance.pk)
    playheads.drop(lambda key: is_of(key, run_id))
