"""The cluster as edits leave it, to ask about: what they change is done, what the run only placed waits again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.api.kinds import KINDS
from scheduler_core.api.pod import Pod
from scheduler_core.planning.trial import key_of
from scheduler_core.planning.what_if import End
from scheduler_core.simulator.questions import CONTINUE, ask, unbound

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
    """Runs a cluster through edits and returns its objects at the end.

    Pods that were bound before stay on their nodes. Those that this run placed are pending, as they would be in a run
    of the cluster with these edits: so a question about the result is one about that run.

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
    if not edits and question.ask == "continue":
        return list(cluster)
    began = ask(cluster, question).objects
    bound = {key_of(one): one.spec.node_name for one in began if isinstance(one, Pod) and one.spec.node_name}
    end = End(cluster, edits, config, options, question, is_cancelled)
    return [_waiting_again(object_, bound) for object_ in objects_at(end)]


def objects_at(end: End) -> list[KubeObject]:
    """All objects at the end of a run."""
    return [object_ for info in KINDS for object_ in end.simulator.store.list(info.kind)]


def _waiting_again(object_: KubeObject, bound: dict[str, str]) -> KubeObject:
    """A pod that has another node than before, or had none, as it was before it had one; all else as it is."""
    if not isinstance(object_, Pod) or object_.metadata.deletion_timestamp is not None:
        return object_
    node = object_.spec.node_name
    return unbound(object_) if node and bound.get(key_of(object_)) != node else object_
