"""Engine processes that stay for the next question: few, and not for long."""

from __future__ import annotations

from playground.runs.child import Child
from playground.runs.kept import Keeper
from tests.web.conftest import eventually


def test_the_one_that_was_kept_first_goes_for_a_new_one() -> None:
    keeper = Keeper(most=1)
    old, new = Child(), Child()
    keeper.keep("a", old)
    keeper.keep("b", new)
    assert not old.is_alive()
    assert keeper.take("a") is None
    assert keeper.take("b") is new
    assert keeper.take("b") is None
    new.kill()
    new.end()


def test_nobody_is_kept_for_long_or_beyond_the_end() -> None:
    keeper = Keeper(idle_seconds=0.05)
    idle = Child()
    keeper.keep("a", idle)
    assert eventually(lambda: not idle.is_alive())
    assert keeper.take("a") is None
    lasting = Keeper()
    kept = Child()
    lasting.keep("a", kept)
    lasting.end_all()
    assert not kept.is_alive()
