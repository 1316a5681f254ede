"""What a run asks of its cluster: place what is pending, reschedule a selection of pods, or replan all.

A pod that is asked about loses its node and waits with the pending ones. What no scheduler placed stays: mirror pods,
pods that have ended, pods that are going.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.meta import KubeStruct
from scheduler_core.api.pod import FINAL_PHASES, PENDING, Pod
from scheduler_core.errors import NOT_FOUND, REQUIRED, FieldError, ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterable

MIRROR: Final = "kubernetes.io/config.mirror"
QUESTIONS: Final = ("continue", "reschedule", "replan")
_replace = msgspec.structs.replace


class Question(KubeStruct, frozen=True, kw_only=True):
    """``ask``: "continue", "reschedule" or "replan"; the rest selects the pods to reschedule, all of it must hold.

    ``pods`` are ``namespace/name``; ``owners`` are ``Kind/namespace/name`` of what controls a pod.
    """

    other_fields = frozenset()

    ask: Literal["continue", "reschedule", "replan"] = "continue"
    pods: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    selector: dict[str, str] = {}
    owners: tuple[str, ...] = ()

    @property
    def has_selection(self) -> bool:
        """Whether pods are selected at all."""
        return bool(self.pods or self.nodes or self.namespaces or self.selector or self.owners)


CONTINUE: Final = Question()


class Asked(NamedTuple):
    """The objects that a run begins with, the pods that lost their node for it (pod → node), and a sentence."""

    objects: list[KubeObject]
    moved: dict[str, str]
    text: str


def ask(objects: Iterable[KubeObject], question: Question) -> Asked:
    """Returns the objects as a question has them.

    Raises:
        ManifestError: nothing is selected to reschedule, or no pod is what was selected.
    """
    known = list(objects)
    if question.ask == "continue":
        return Asked(known, {}, "What is pending is placed; bound pods stay where they are.")
    if question.ask == "reschedule" and not question.has_selection:
        message = "expected pods, nodes, namespaces, owners or a selector"
        raise ManifestError([FieldError(field="question.pods", type=REQUIRED, message=message)])
    moved: dict[str, str] = {}
    result: list[KubeObject] = []
    for object_ in known:
        if isinstance(object_, Pod) and _was_placed(object_) and _is_selected(object_, question):
            moved[_key(object_)] = object_.spec.node_name
            object_ = unbound(object_)
        result.append(object_)
    _check_selection(question, known, moved)
    number = "1 bound pod" if len(moved) == 1 else f"{len(moved)} bound pods"
    if question.ask == "replan":
        return Asked(result, moved, f"All is placed anew: {number} and what was pending.")
    return Asked(result, moved, f"{number} of the selection and what was pending are placed anew.")


def unbound(pod: Pod) -> Pod:
    """Returns a pod as it was before it had a node."""
    status = _replace(
        pod.status,
        phase=PENDING,
        start_time=None,
        conditions=(),
        container_statuses=(),
        init_container_statuses=(),
        nominated_node_name="",
    )
    return _replace(pod, spec=_replace(pod.spec, node_name=""), status=status)


def _was_placed(pod: Pod) -> bool:
    return (
        bool(pod.spec.node_name)
        and pod.status.phase not in FINAL_PHASES
        and pod.metadata.deletion_timestamp is None
        and MIRROR not in pod.metadata.annotations
    )


def _is_selected(pod: Pod, question: Question) -> bool:
    if question.ask == "replan":
        return True
    metadata = pod.metadata
    owner = metadata.controller()
    owned_by = f"{owner.kind}/{metadata.namespace or 'default'}/{owner.name}" if owner is not None else ""
    return (
        (not question.pods or _key(pod) in question.pods)
        and (not question.nodes or pod.spec.node_name in question.nodes)
        and (not question.namespaces or (metadata.namespace or "default") in question.namespaces)
        and (not question.owners or owned_by in question.owners)
        and question.selector.items() <= metadata.labels.items()
    )


def _check_selection(question: Question, objects: list[KubeObject], moved: dict[str, str]) -> None:
    errors = []
    known = {_key(object_) for object_ in objects if isinstance(object_, Pod)}
    for index, name in enumerate(question.pods):
        if name not in known:
            field = f"question.pods[{index}]"
            errors.append(FieldError(field=field, value=name, type=NOT_FOUND, message="no such pod"))
    if question.ask == "reschedule" and not errors and not moved:
        message = "no bound pod is what was selected"
        errors.append(FieldError(field="question", type=REQUIRED, message=message))
    if errors:
        raise ManifestError(errors)


def _key(pod: Pod) -> str:
    return f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"
