from __future__ import annotations

from typing import Any

import msgspec

from scheduler_core.simulator import Step
from tests.core.simulator.running import Run
from tests.make import make_node, make_pod

APART = {
    "podAntiAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "db"}}}
        ]
    }
}


def test_a_bound_pod_whose_label_changes_lets_in_the_pod_that_kept_apart_from_it() -> None:
    """No affinity term means the changed pod: what counts is what the plugin's hint says."""
    node = make_node("n0", labels={"kubernetes.io/hostname": "n0"})
    bound = make_pod("bound", node="n0", labels={"app": "db"})
    relabelled: Any = make_pod("bound", node="n0", labels={"app": "web"})
    run = Run(
        [node, bound, make_pod("apart", affinity=APART)],
        steps=[Step(apply=(relabelled,)), Step(advance_us=60_000_000)],
    )
    assert run.result.placements["default/apart"] == "n0"
    moves = [event["event"] for event in run.of_type("PodEnqueued") if event["pod"] == "default/apart"]
    assert moves[:3] == ["PodAdd", "ScheduleAttemptFailure", "PodLabelChange"]


def test_nothing_is_taken_over_from_a_pod_of_the_same_name_that_was_there_before() -> None:
    scheduler = Run([make_node("n0")]).simulator.scheduler
    before, pod = make_pod("web-0", priority=5), make_pod("web-0", priority=1)
    anew = msgspec.structs.replace(pod, metadata=msgspec.structs.replace(pod.metadata, uid="new-uid"))
    known = scheduler.pod_info(before)
    assert scheduler.pod_info(before, known).priority == 5
    found = scheduler.pod_info(anew, known)
    assert (found.uid, found.priority) == ("new-uid", 1)
