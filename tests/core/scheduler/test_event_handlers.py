from __future__ import annotations

from typing import Any

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
