"""The pending pod and the cluster around it: who may go for it, against which budgets, what is live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.pod_resources import pod_requests, to_ints
from scheduler_core.api.policy import PodDisruptionBudget
from scheduler_core.planning.advisable import is_live
from scheduler_core.planning.trial import is_of_its_node, key_of
from scheduler_core.simulator.api_server.eviction import guards

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.trace.detail import Record


class Situation:
    """The pending pod and the cluster around it, looked up often."""

    def __init__(self, objects: Sequence[KubeObject], pod: Pod) -> None:
        self.pod = pod
        self.pod_object = f"Pod/{key_of(pod)}"
        self.pods = [object_ for object_ in objects if isinstance(object_, Pod)]
        self._budgets = [object_ for object_ in objects if isinstance(object_, PodDisruptionBudget)]
        self.nodes = {object_.metadata.name: object_ for object_ in objects if isinstance(object_, Node)}
        self._pods: dict[str, list[Pod]] = {}
        self._by_key: dict[str, Pod] = {}
        for object_ in objects:
            if isinstance(object_, Pod) and object_.spec.node_name:
                self._pods.setdefault(object_.spec.node_name, []).append(object_)
                self._by_key[key_of(object_)] = object_

    def movable(self, node: str) -> list[Pod]:
        """The pods of a node that may go for the pending one, the least important first: none of higher priority."""
        pods = [pod for pod in self._pods.get(node, ()) if self._may_go(pod)]
        return sorted(pods, key=lambda pod: (pod.spec.priority or 0, key_of(pod)))

    def may_all_go(self, keys: Iterable[str]) -> bool:
        """Whether pods, as namespace/name, may go for the pending one."""
        return all(key in self._by_key and self._may_go(self._by_key[key]) for key in keys)

    def _may_go(self, pod: Pod) -> bool:
        is_as_important = (pod.spec.priority or 0) <= (self.pod.spec.priority or 0)
        return is_as_important and not is_of_its_node(pod) and pod.metadata.deletion_timestamp is None

    def budgets_against(self, keys: Sequence[str]) -> list[str]:
        """The budgets, as namespace/name, that would not allow all of some pods to go at once."""
        against = []
        for budget in self._budgets:
            guarded = sum(
                key in self._by_key
                and self._by_key[key].metadata.namespace == budget.metadata.namespace
                and guards(budget, self._by_key[key])
                for key in keys
            )
            if guarded > budget.status.disruptions_allowed:
                against.append(key_of(budget))
        return against

    def is_live(self, node: str) -> bool:
        """Whether a node is there and runs pods."""
        return node in self.nodes and is_live(self.nodes[node])

    def share_of_node(self, pod: Pod) -> float:
        """The largest share of its node that a pod asks for, from 0 to 1."""
        node = self.nodes.get(pod.spec.node_name)
        allocatable = {} if node is None else to_ints(node.status.allocatable)
        shares = [asked / max(1, allocatable.get(name, 0)) for name, asked in pod_requests(pod).items()]
        return min(1.0, max(shares, default=0.0))

    def may_preempt(self, node: str) -> bool:
        """Whether some pod of a node may have to go for the pending one."""
        priority = self.pod.spec.priority or 0
        return self.pod.spec.preemption_policy != "Never" and any(
            (pod.spec.priority or 0) < priority for pod in self._pods.get(node, ())
        )

    def short_of_all(self, node: str) -> list[Record]:
        """What the pod asks for beyond all that a node has, in the form of a plugin's records."""
        allocatable = to_ints(self.nodes[node].status.allocatable)
        lacks = {name: asked - allocatable.get(name, 0) for name, asked in pod_requests(self.pod).items()}
        return [{"resource": name, "short": short} for name, short in lacks.items() if short > 0]

    def is_cordoned(self, node: str) -> bool:
        """Whether a node takes no new pods."""
        return node in self.nodes and bool(self.nodes[node].spec.unschedulable)

    def bound(self, key: str) -> Pod | None:
        """A pod that has a node, by its namespace/name."""
        return self._by_key.get(key)
