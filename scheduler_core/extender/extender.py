"""One extender: asks the service about nodes, scores, victims and bindings. The transport is given from outside.

Source: pkg/scheduler/extender.go, HTTPExtender, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from scheduler_core.extender import wire
from scheduler_core.extender.errors import ExtenderError, TransportError
from scheduler_core.extender.wire import Victims

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.config import Extender
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

    Transport = Callable[[str, bytes, float], bytes]
    """(address, payload, timeout in seconds) → the answer; raises TransportError."""

DEFAULT_TIMEOUT_SECONDS: Final = 5.0
_NANOSECONDS: Final = 1_000_000_000
_TWO_63: Final = 2**63
_TWO_64: Final = 2**64


class ExtenderVerdict(NamedTuple):
    """``rows`` pass, in the extender's order; the others by name with what it says of them.

    ``whole``: the extender gave back whole nodes, not names.
    """

    rows: RowIndex
    failed: dict[str, str]
    failed_and_unresolvable: dict[str, str]
    whole: bool = False


class HTTPExtender:
    """An extender as configured."""

    def __init__(self, config: Extender, transport: Transport) -> None:
        self._config = config
        self._transport = transport
        self._managed = frozenset(resource.name for resource in config.managed_resources)
        self._timeout = config.http_timeout / _NANOSECONDS or DEFAULT_TIMEOUT_SECONDS
        self.name = config.url_prefix
        self.weight = config.weight
        self.is_ignorable = config.ignorable
        self.is_filter = config.filter_verb != ""
        self.is_prioritizer = config.prioritize_verb != ""
        self.is_binder = config.bind_verb != ""
        self.supports_preemption = config.preempt_verb != ""

    def __repr__(self) -> str:
        return f"HTTPExtender({self.name})"

    def is_interested(self, pod: PodInfo) -> bool:
        """Whether a container of the pod asks for a resource that the extender manages; all do if it names none."""
        if not self._managed:
            return True
        spec = pod.pod.spec
        return any(
            not self._managed.isdisjoint(amounts)
            for container in (*spec.containers, *spec.init_containers)
            for amounts in (container.resources.requests, container.resources.limits)
        )

    def filter(self, pod: Pod, nodes: NodeInfos, rows: RowIndex) -> ExtenderVerdict:
        """Which of the rows pass; of whole nodes that come back, as upstream, any may be one it was not asked about.

        Raises:
            ExtenderError: the extender could not be asked, reports an error, names a node it was not asked about, or
                gives back one that is not there.
        """
        if not self.is_filter:
            return ExtenderVerdict(rows, {}, {})
        payload = self._args(pod, nodes, rows)
        answer = wire.decode_filter_result(self._send(self._config.filter_verb, payload))
        if answer.error:
            raise ExtenderError(answer.error)
        by_name = self._config.node_cache_capable and answer.node_names is not None
        names = answer.node_names if by_name else answer.nodes
        known = {nodes.names[row]: row for row in rows.tolist()} if by_name else nodes.row_of
        for name in names or ():
            if name not in known:
                raise ExtenderError(
                    f'extender "{self.name}" claims a filtered node "{name}" '
                    "which is not found in the input node list"
                )
        passed = np.array([known[name] for name in names or ()], np.intp)
        return ExtenderVerdict(passed, answer.failed, answer.failed_and_unresolvable, not by_name)

    def prioritize(self, pod: Pod, nodes: NodeInfos, rows: RowIndex) -> tuple[dict[str, int], int]:
        """Node name → the extender's score of 0 to 10, and its weight; zeros where it does not score.

        Raises:
            ExtenderError: the extender could not be asked.
        """
        if not self.is_prioritizer:
            return dict.fromkeys((nodes.names[row] for row in rows.tolist()), 0), 0
        payload = self._args(pod, nodes, rows)
        answer = self._send(self._config.prioritize_verb, payload)
        scores: dict[str, int] = {}
        for name, score in wire.decode_priorities(answer):
            scores[name] = scores.get(name, 0) + score
        return scores, self.weight

    def process_preemption(
        self, pod: PodInfo, victims: Mapping[str, Victims], nodes: NodeInfos
    ) -> dict[str, Victims]:
        """The candidates that the extender leaves, with the victims it names.

        Raises:
            ExtenderError: the extender could not be asked, or names a pod that is not on the node.
        """
        if not self.supports_preemption:
            raise ExtenderError(
                f"preempt verb is not defined for extender {self.name} but run into ProcessPreemption"
            )
        by_uid = self._config.node_cache_capable
        payload = wire.encode_preemption_args(pod.pod, victims, by_uid=by_uid)
        answer = wire.decode_preemption_result(self._send(self._config.preempt_verb, payload))
        return {
            name: Victims(self._pods(nodes, name, found.uids), found.num_pdb_violations)
            for name, found in answer.items()
        }

    def bind(self, pod: Pod, node_name: str) -> None:
        """Has the extender bind the pod.

        Raises:
            ExtenderError: the extender could not be asked, or could not bind the pod.
        """
        if not self.is_binder:
            raise ExtenderError("unexpected empty bindVerb in extender")
        payload = wire.encode_binding_args(pod, node_name)
        problem = wire.decode_binding_result(self._send(self._config.bind_verb, payload))
        if problem:
            raise ExtenderError(problem)

    def _args(self, pod: Pod, nodes: NodeInfos, rows: RowIndex) -> bytes:
        if self._config.node_cache_capable:
            return wire.encode_args(pod, nodes=None, names=[nodes.names[row] for row in rows.tolist()])
        return wire.encode_args(pod, nodes=_nodes(nodes, rows), names=None)

    def _send(self, verb: str, payload: bytes) -> bytes:
        address = f"{self.name.rstrip('/')}/{verb}"
        try:
            return self._transport(address, payload, self._timeout)
        except TransportError as problem:
            if problem.status is None:
                raise ExtenderError(f'Post "{address}": {problem}') from None
            raise ExtenderError(
                f"failed {verb} with extender at URL {address}, code {problem.status}"
            ) from None

    def _pods(self, nodes: NodeInfos, node_name: str, uids: Sequence[str]) -> tuple[PodInfo, ...]:
        row = nodes.row_of.get(node_name)
        if row is None:
            raise ExtenderError(f'nodeinfo not found for node name "{node_name}"')
        on_node = nodes.info(row).pods
        for uid in uids:
            if uid not in on_node:
                raise ExtenderError(
                    f"extender: {self.name} claims to preempt pod (UID: {uid}) on node: {node_name}, "
                    "but the pod is not found on that node"
                )
        return tuple(on_node[uid] for uid in uids)


def _nodes(nodes: NodeInfos, rows: RowIndex) -> list[Node]:
    found = []
    for row in rows.tolist():
        node = nodes.info(row).node
        assert node is not None
        found.append(node)
    return found


def scores_by_row(scores: Mapping[str, int], nodes: NodeInfos, rows: RowIndex, factor: int) -> Int64Array:
    """Scores by node name times ``factor``, as a column; nodes that are not named get 0.

    Shapes: int64[len(rows)]

    Numerics: a product outside int64 keeps its low 64 bits, as Go's.
    """
    products = [scores.get(nodes.names[row], 0) * factor for row in rows.tolist()]
    return np.array([(product + _TWO_63) % _TWO_64 - _TWO_63 for product in products], np.int64)
