from __future__ import annotations

import json

from scheduler_core.clock import VirtualClock
from scheduler_core.trace import event_schema
from scheduler_core.trace.codec import encode
from scheduler_core.trace.events import NodesFiltered, PodBound, PodEnqueued
from scheduler_core.trace.sink import MemorySink, Tracer


def test_an_event_is_one_line_with_its_number_and_time_first() -> None:
    event = PodBound(cycle=3, pod="default/web", node="node-a")
    assert encode(event, 7, 1500) == (
        b'{"seq":7,"t_us":1500,"type":"PodBound","cycle":3,"pod":"default/web","node":"node-a"}'
    )


def test_fields_at_their_default_are_left_out() -> None:
    line = json.loads(encode(PodEnqueued(pod="a/b", queue="active", event="PodAdd"), 1, 0))
    assert line == {
        "seq": 1,
        "t_us": 0,
        "type": "PodEnqueued",
        "pod": "a/b",
        "queue": "active",
        "event": "PodAdd",
    }


def test_the_tracer_numbers_without_gaps_and_digests_what_it_sent() -> None:
    clock = VirtualClock()
    first, second = (Tracer(clock, MemorySink()) for _ in range(2))
    event = NodesFiltered(cycle=1, pod="a/b", num_nodes=2, num_evaluated=2, num_feasible=1, rejected={"X": 1})
    for tracer in (first, second):
        tracer.emit(event)
        tracer.emit(event)
    assert (first.seq, first.digest()) == (2, second.digest())
    second.emit(event)
    assert first.digest() != second.digest()


def test_the_schema_names_every_event_with_its_number_and_time() -> None:
    definitions = event_schema()["$defs"]
    assert len(definitions) == 34
    for name, definition in definitions.items():
        assert list(definition["properties"])[:3] == ["seq", "t_us", "type"]
        assert definition["properties"]["type"]["enum"] == [name]
        assert {"seq", "t_us", "type"} <= set(definition["required"])
