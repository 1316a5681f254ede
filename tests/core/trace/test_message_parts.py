from __future__ import annotations

from scheduler_core.trace.message_parts import message_parts

MESSAGE = (
    "0/4 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}, 1 Too many pods. "
    "preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod."
)
FILTERS = ("Insufficient cpu", "node(s) had untolerated taint {a: b}", "Too many pods")
VICTIMS = ("No preemption victims found for incoming pod",)


def test_the_parts_joined_are_the_message() -> None:
    parts = message_parts(MESSAGE, FILTERS, VICTIMS)
    assert "".join(part.text for part in parts) == MESSAGE
    assert [(part.cause, part.reason, part.num_nodes) for part in parts if part.cause] == [
        ("filter", "Insufficient cpu", 1),
        ("filter", "node(s) had untolerated taint {a: b}", 2),
        ("filter", "Too many pods", 1),
        ("preemption", "No preemption victims found for incoming pod", 4),
    ]


def test_a_reason_that_begins_like_another_is_not_mistaken_for_it() -> None:
    text = "0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient cpu-set."
    parts = message_parts(text, ("Insufficient cpu", "Insufficient cpu-set"), ())
    assert [part.reason for part in parts if part.cause] == ["Insufficient cpu", "Insufficient cpu-set"]


def test_a_message_without_known_reasons_stays_whole() -> None:
    assert [part.text for part in message_parts("no nodes available", (), ())] == ["no nodes available"]
    assert message_parts("", (), ()) == ()
