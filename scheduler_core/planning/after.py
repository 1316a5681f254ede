"""The cluster as a run leaves it: what its edits change is done, and who has a node keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.api.kinds import KINDS
from scheduler_core.planning.what_if import End
from scheduler_core.simulator.questions import CONTINUE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import AnyEdit, SimulatorOptions
    from scheduler_core.simulator.questions import Question


def after_edits(
    cluster: Sequence[KubeObject],
    edits: Sequence[AnyEdit],
    config: SchedulerConfiguration,
    options: SimulatorOptions,
    *,
    question: Question = CONTINUE,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> list[KubeObject]:
    """Runs a cluster through edits, as a what-if does, and returns its objects at the end.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        edits: of a scenario, with their times
        config: profiles of the scheduler
        options: of the run
        question: what the run asks
        is_cancelled: stops the run

    Raises:
        ManifestError: the question is about no pod
    """
    return objects_at(End(cluster, edits, config, options, question, is_cancelled))


def objects_at(end: End) -> list[KubeObject]:
    """All objects at the end of a run."""
    return [object_ for info in KINDS for object_ in end.simulator.store.list(info.kind)]
