"""Field selectors of the kinds that have them, such as ``spec.nodeName=node-1,status.phase!=Running``.

Source: pkg/apis/core/v1/conversion.go, AddFieldLabelConversionsForPod, v1.34.1; apimachinery/pkg/fields/selector.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scheduler_core.simulator.api_server.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

_METADATA: Final[dict[str, Callable[[Any], str]]] = {
    "metadata.name": lambda obj: str(obj.metadata.name),
    "metadata.namespace": lambda obj: str(obj.metadata.namespace),
}
_FIELDS: Final[dict[str, dict[str, Callable[[Any], str]]]] = {
    "Pod": {
        **_METADATA,
        "spec.nodeName": lambda pod: str(pod.spec.node_name),
        "spec.restartPolicy": lambda pod: str(pod.spec.restart_policy),
        "spec.schedulerName": lambda pod: str(pod.spec.scheduler_name),
        "status.phase": lambda pod: str(pod.status.phase),
        "status.nominatedNodeName": lambda pod: str(pod.status.nominated_node_name),
    },
    "Node": {
        "metadata.name": _METADATA["metadata.name"],
        "spec.unschedulable": lambda node: "true" if node.spec.unschedulable else "false",
    },
    "Namespace": {
        "metadata.name": _METADATA["metadata.name"],
        "status.phase": lambda namespace: str(namespace.status.phase),
    },
    "ReplicaSet": {**_METADATA, "status.replicas": lambda owner: str(owner.status.replicas)},
    "ReplicationController": {**_METADATA, "status.replicas": lambda owner: str(owner.status.replicas)},
    "Job": {**_METADATA, "status.successful": lambda job: str(job.status.succeeded)},
}


class _Term(NamedTuple):
    read: Callable[[Any], str]
    value: str
    is_equal: bool


class FieldSelector:
    """Conditions on fields that must all hold."""

    def __init__(self, kind: str, text: str) -> None:
        """Reads a selector.

        Raises:
            ApiError: it is not one, or the kind has no such field to select by.
        """
        fields = _FIELDS.get(kind, _METADATA)
        self._terms: list[_Term] = []
        for part in filter(None, text.split(",")):
            is_equal = "!=" not in part
            name, sign, value = part.partition("!=") if not is_equal else part.partition("=")
            if not sign:
                raise _bad(f"invalid selector: '{text}'; can't understand '{part}'")
            if name not in fields:
                raise _bad(f"field label not supported: {name}")
            self._terms.append(_Term(fields[name], value.removeprefix("="), is_equal))

    def matches(self, object_: Any) -> bool:
        """Returns whether an object meets every condition."""
        return all((term.read(object_) == term.value) == term.is_equal for term in self._terms)


def _bad(message: str) -> ApiError:
    return ApiError("BadRequest", 400, message)
