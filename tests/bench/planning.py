"""What answers of planning cost, in seconds of processor: ``python -m tests.bench.planning [nodes pods]``."""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from scheduler_core.config import load_config
from scheduler_core.planning import Template, capacity, growth, removals, repairs
from tests.make import make_node, make_pod

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.api.kinds import KubeObject

CONFIG = load_config("")
LARGE = 1_000


def cluster(num_nodes: int, num_pods: int) -> list[KubeObject]:
    """Nodes of two sizes, a tenth tainted, with bound pods, and three pods that wait: one fits, two do not."""
    draw = random.Random(1)
    nodes: list[KubeObject] = [
        make_node(
            f"n{i}",
            cpu=str(draw.choice((8, 8, 16))),
            memory="32Gi",
            labels={"topology.kubernetes.io/zone": f"z{i % 3}", "disk": "ssd" if i % 2 else "hdd"},
            taints=["gpu=yes:NoSchedule"] if i % 10 == 0 else [],
        )
        for i in range(num_nodes)
    ]
    bound = [
        make_pod(
            f"p{i}",
            labels={"app": f"a{i % 20}"},
            requests={"cpu": f"{draw.choice((250, 500, 1000))}m", "memory": "1Gi"},
            node=f"n{draw.randrange(num_nodes)}",
            priority=draw.choice((0, 0, 100)),
        )
        for i in range(num_pods)
    ]
    waiting = [
        make_pod("small", requests={"cpu": "500m"}),
        make_pod("large", requests={"cpu": "17"}, nodeSelector={"disk": "ssd"}),
        make_pod("lost", requests={"cpu": "17"}, nodeSelector={"disk": "tape"}),
    ]
    return [*nodes, *bound, *waiting]


def measure(what: str, ask: Callable[[], str], tries: int) -> None:
    """Prints how long a question takes, and the answer."""
    best = float("inf")
    for _ in range(tries):
        began = time.process_time()
        answer = ask()
        best = min(best, time.process_time() - began)
    print(f"{what:<30} {best:7.2f} s  {answer[:110]}", flush=True)


def main() -> None:
    """Measures each question."""
    num_nodes, num_pods = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (100, 500)
    objects = cluster(num_nodes, num_pods)
    tries = 1 if num_nodes > LARGE else 3
    small = next(Template(one) for one in objects if one.metadata.name == "small")  # type: ignore[arg-type]
    measure("repairs of large", lambda: repairs(objects, "default/large", CONFIG).text, tries)
    measure("repairs of lost", lambda: repairs(objects, "default/lost", CONFIG).text, tries)
    measure("capacity, 1,000 at most", lambda: capacity(objects, [small], CONFIG, limit=1_000).text, tries)
    measure("growth", lambda: growth(objects, "n1", CONFIG).text, tries)
    measure("removals", lambda: removals(objects, CONFIG).text, 1)


if __name__ == "__main__":
    main()
