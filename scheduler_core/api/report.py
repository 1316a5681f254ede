"""What an import made of its input: what was read, passed over and filled in, and what looks wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.manifest import Loaded
from scheduler_core.api.meta import parse_time
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.policy import PodDisruptionBudget, PriorityClass
from scheduler_core.api.selectors import SelectorError, selector_matches
from scheduler_core.api.storage import PersistentVolumeClaim, StorageClass
from scheduler_core.api.workloads import (
    DaemonSet,
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
)

NAMED: Final = 5
"""How many objects a finding names; of the others it tells the number."""
NOTHING_IN_IT: Final = "nothing was in it: the list is empty"
_DEFAULT_CLASS: Final = "storageclass.kubernetes.io/is-default-class"
_BETA_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_WORKLOADS: Final = frozenset(
    {"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"}
)
_MAKE_PODS: Final = (Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController)
_BUILT_IN_PRIORITIES: Final = ("system-cluster-critical", "system-node-critical")


class Finding(msgspec.Struct, frozen=True):
    """One kind of thing that looks wrong, and the objects it is about.

    Args:
        message: what is wrong.
        objects: the first of them, as "namespace/name" or "name".
        count: how many there are.
    """

    message: str
    objects: tuple[str, ...]
    count: int

    def sentence(self) -> str:
        """Returns the finding as one line for people to read."""
        more = f" and {self.count - len(self.objects)} more" if self.count > len(self.objects) else ""
        return f"{self.message}: {', '.join(self.objects)}{more}"


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to tell of an import.

    Args:
        read: how many objects of each kind were taken.
        skipped: how many of each kind were not, because scheduling does not read them.
        invalid: how many were left out because they are wrong.
        defaulted: what was filled in, and how often.
        suspicious: what looks wrong, though it can be so.
        captured_at: when the objects were read from a cluster, if they say so.
        notes: what is to be said besides.
    """

    read: dict[str, int]
    skipped: dict[str, int]
    invalid: int
    defaulted: dict[str, int]
    suspicious: tuple[Finding, ...]
    captured_at: str
    notes: tuple[str, ...] = ()


def import_report(loaded: Loaded) -> ImportReport:
    """Returns what is to be told of an import."""
    cluster = _Cluster(loaded)
    found: dict[str, list[str]] = defaultdict(list)
    for message, key in cluster.suspicions():
        found[message].append(key)
    return ImportReport(
        read=dict(sorted(Counter(item.kind for item in loaded.objects).items())),
        skipped=loaded.skipped,
        invalid=len(loaded.errors),
        defaulted={what: count for what, count in cluster.defaulted().items() if count},
        suspicious=tuple(Finding(message, tuple(keys[:NAMED]), len(keys)) for message, keys in found.items()),
        captured_at=loaded.captured_at,
        notes=() if loaded.objects else (NOTHING_IN_IT,),
    )


class _Cluster:
    """The objects that refer to each other, by name."""

    def __init__(self, loaded: Loaded) -> None:
        self.captured = _moment(loaded.captured_at)
        self.pods: dict[str, list[Pod]] = defaultdict(list)
        self.claims: dict[tuple[str, str], PersistentVolumeClaim] = {}
        self.budgets: list[tuple[str, PodDisruptionBudget]] = []
        self.templates: dict[str, list[dict[str, str]]] = defaultdict(list)
        self.nodes: set[str] = set()
        self.classes: dict[str, StorageClass] = {}
        self.priorities = set(_BUILT_IN_PRIORITIES)
        self.unplaced = 0
        for item in loaded.objects:
            obj: KubeObject = item.object
            if isinstance(obj, Pod):
                self.pods[item.namespace].append(obj)
                self.unplaced += not obj.metadata.namespace
            elif isinstance(obj, PersistentVolumeClaim):
                self.claims[item.namespace, item.name] = obj
            elif isinstance(obj, PodDisruptionBudget):
                self.budgets.append((item.namespace, obj))
            elif isinstance(obj, Node):
                self.nodes.add(item.name)
            elif isinstance(obj, StorageClass):
                self.classes[item.name] = obj
            elif isinstance(obj, PriorityClass):
                self.priorities.add(item.name)
            elif isinstance(obj, _MAKE_PODS) and obj.spec.template is not None:
                self.templates[item.namespace].append(obj.spec.template.metadata.labels)

    def defaulted(self) -> dict[str, int]:
        """Counts what defaulting fills in that bears on decisions."""
        pods = [pod for pods in self.pods.values() for pod in pods]
        containers = [container for pod in pods for container in pod.spec.containers]
        return {
            "namespace: default": self.unplaced,
            "schedulerName: default-scheduler": sum(not pod.spec.scheduler_name for pod in pods),
            "requests from limits": sum(
                any(name not in container.resources.requests for name in container.resources.limits)
                for container in containers
            ),
        }

    def suspicions(self) -> Iterator[tuple[str, str]]:
        """Yields what looks wrong with the name of the object."""
        for namespace, pods in self.pods.items():
            for pod in pods:
                key = f"{namespace}/{pod.metadata.name}"
                for message in self._of_pod(namespace, pod):
                    yield message, key
        for namespace, budget in self.budgets:
            if not self._selects_any(namespace, budget):
                yield "a disruption budget selects no pod", f"{namespace}/{budget.metadata.name}"
        has_default = any(
            storage_class.metadata.annotations.get(_DEFAULT_CLASS) == "true"
            for storage_class in self.classes.values()
        )
        for (namespace, name), claim in self.claims.items():
            for message in self._of_claim(claim, has_default=has_default):
                yield message, f"{namespace}/{name}"

    def _of_pod(self, namespace: str, pod: Pod) -> Iterator[str]:
        spec = pod.spec
        if spec.node_name and spec.node_name not in self.nodes:
            yield "a pod is on a node that is not there"
        name = spec.priority_class_name
        if name and spec.priority is None and name not in self.priorities:
            yield "a pod names a priority class that is not there"
        created = pod.metadata.creation_timestamp
        if created is not None and self.captured is not None and created > self.captured:
            yield "a pod is younger than the snapshot it is in"
        if spec.node_name:
            return
        for volume in spec.volumes:
            claim = volume.persistent_volume_claim
            if claim is not None and (namespace, claim.claim_name) not in self.claims:
                yield "a pending pod uses a claim that is not there"

    def _of_claim(self, claim: PersistentVolumeClaim, *, has_default: bool) -> Iterator[str]:
        if claim.spec.volume_name:
            return
        name = claim.metadata.annotations.get(_BETA_CLASS, claim.spec.storage_class_name)
        if name is None and not has_default:
            yield "an unbound claim has no storage class, and there is no default one"
        elif name and name not in self.classes:
            yield "an unbound claim names a storage class that is not there"

    def _selects_any(self, namespace: str, budget: PodDisruptionBudget) -> bool:
        """Whether a budget is about a pod that is there, or that a workload makes."""
        labels = [pod.metadata.labels for pod in self.pods.get(namespace, ())]
        labels += self.templates.get(namespace, ())
        try:
            return any(selector_matches(budget.spec.selector, own) for own in labels)
        except SelectorError:
            return False


def _moment(text: str) -> int | None:
    try:
        return parse_time(text) if text else None
    except ValueError:
        return None


def workload_notes(kinds: Mapping[str, int]) -> list[str]:
    """Returns the sentence that says what makes pods during a run, if anything.

    Args:
        kinds: number of objects by kind.
    """
    found = [f"{count} {kind}" for kind, count in sorted(kinds.items()) if kind in _WORKLOADS]
    if not found:
        return []
    return [f"a run's controllers look after {', '.join(found)}: pods that are missing are made"]
