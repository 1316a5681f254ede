"""Which nodes could go without anything pending."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.canonical import canonical
from scheduler_core.api.decode import encode_object
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.pod_resources import pod_requests
from scheduler_core.planning.trial import Difference, difference, is_of_its_node, trial, without_nodes
from scheduler_core.simulator import PendingPod
from scheduler_core.simulator.options import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.planning.trial import Trial
    from scheduler_core.simulator import SimulatorOptions

HOSTNAME: Final = "kubernetes.io/hostname"
MOST: Final = 200
LEAST: Final = 20
_BUDGET: Final = 200_000
"""So many objects are loaded for nodes alone, where nobody says how many nodes are to be tried."""


class NodeRemoval(msgspec.Struct, frozen=True, kw_only=True):
    """What happens without one node.

    Args:
        node: which one
        like: nodes that are equal to it, with equal pods; they were not tried
        can_go: nothing that runs or could run stays pending, nobody is evicted
        num_pods: pods that need another node
        newly_pending: pods that stay pending then, with the scheduler's reasons
        evicted: pods that lose their place to those
    """

    node: str
    like: tuple[str, ...]
    can_go: bool
    num_pods: int
    newly_pending: tuple[PendingPod, ...]
    evicted: tuple[str, ...]


class Removals(msgspec.Struct, frozen=True):
    """The answer: each node alone, and the nodes that could go together, the emptiest first."""

    nodes: tuple[NodeRemoval, ...]
    together: tuple[str, ...]
    text: str


def removals(
    cluster: Sequence[KubeObject],
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    limit: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    so_far: Callable[[Removals], None] = lambda found: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Removals:
    """Takes nodes away, each alone and then more and more together, each time with a run.

    Pods of a node that goes are placed anew, but for those of DaemonSets and mirror pods. Budgets are not asked: they
    say how fast a node may be drained, not whether its pods fit elsewhere. The nodes that go together are found
    greedily, from the node with the least to move; another choice might be larger.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        config: profiles of the scheduler
        options: of every run
        limit: how many nodes are tried at most, those with the least to move; of equal ones one is. By default from
            MOST in a small cluster to LEAST in a large one
        progress: told how many nodes are judged, of how many, alone and together
        so_far: told what is known, whenever there is more
        is_cancelled: asked between runs; what was found by then is returned
    """
    base = trial(cluster, config, options, is_cancelled)
    groups = sorted(_groups(cluster), key=lambda group: (group.num_pods, group.cpu_milli, group.names))
    tried = groups[: limit or min(MOST, max(LEAST, _BUDGET // max(1, len(cluster))))]
    num_nodes = sum(len(group.names) for group in groups)
    total = len(tried) + sum(len(group.names) for group in tried)
    found: list[NodeRemoval] = []
    together: list[str] = []

    def known() -> Removals:
        untried = num_nodes - sum(1 + len(removal.like) for removal in found)
        return Removals(tuple(found), tuple(together), _sentence(together, num_nodes, untried))

    def is_harmless(gone: set[str]) -> bool:
        return _is_harmless(_without(cluster, gone, base, config, options))

    for group in tried:
        if is_cancelled():
            break
        found.append(_alone(group, _without(cluster, {group.names[0]}, base, config, options)))
        progress(len(found), total)
        so_far(known())
    kept = sum(1 + len(removal.like) for removal in found if not removal.can_go)
    for done in _take_together(found, together, is_harmless, is_cancelled):
        progress(len(found) + kept + done, total)
        so_far(known())
    return known()


def _take_together(
    found: Sequence[NodeRemoval],
    together: list[str],
    is_harmless: Callable[[set[str]], bool],
    is_cancelled: Callable[[], bool],
) -> Iterator[int]:
    """Takes more and more nodes, twice as many at once while it does no harm; yields how many are judged."""
    names = [name for removal in found if removal.can_go for name in (removal.node, *removal.like)]
    equals = {name: removal.node for removal in found for name in (removal.node, *removal.like)}
    at, step = 0, 1
    while at < len(names) and not is_cancelled():
        chunk = names[at : at + step]
        if is_harmless({*together, *chunk}):
            together += chunk
            at, step = at + len(chunk), step * 2
        elif len(chunk) > 1:
            step = len(chunk) // 2
            continue
        else:
            refused = equals[chunk[0]]  # its equals would fare no better
            while at < len(names) and equals[names[at]] == refused:
                at += 1
        yield at


def _alone(group: _Group, changed: Difference) -> NodeRemoval:
    return NodeRemoval(
        node=group.names[0],
        like=group.names[1:],
        can_go=_is_harmless(changed),
        num_pods=group.num_pods,
        newly_pending=changed.newly_pending,
        evicted=changed.evicted,
    )


class _Group(msgspec.Struct, frozen=True):
    names: tuple[str, ...]
    num_pods: int
    cpu_milli: int


def _groups(cluster: Sequence[KubeObject]) -> list[_Group]:
    """Nodes that differ in nothing but their names, with pods that differ in nothing but theirs."""
    pods: dict[str, list[Pod]] = defaultdict(list)
    for object_ in cluster:
        if isinstance(object_, Pod) and object_.spec.node_name:
            pods[object_.spec.node_name].append(object_)
    members: dict[tuple[bytes, ...], list[str]] = defaultdict(list)
    for object_ in cluster:
        if isinstance(object_, Node):
            name = object_.metadata.name
            members[_signature(object_, pods[name])].append(name)
    groups = []
    for names in members.values():
        movable = [pod for pod in pods[names[0]] if not is_of_its_node(pod)]
        cpu = sum(pod_requests(pod).get("cpu", 0) for pod in movable)
        groups.append(_Group(tuple(sorted(names)), len(movable), cpu))
    return groups


def _signature(node: Node, pods: Sequence[Pod]) -> tuple[bytes, ...]:
    name = node.metadata.name
    raw = encode_object(node)
    status = raw.get("status", {})
    labels = {key: value for key, value in node.metadata.labels.items() if (key, value) != (HOSTNAME, name)}
    own = {
        "labels": labels,
        "spec": _without_keys(raw.get("spec", {}), {"podCIDR", "podCIDRs", "providerID"}),
        "allocatable": status.get("allocatable"),
        "images": status.get("images"),
    }
    return canonical(own), *sorted(_pod_signature(pod) for pod in pods)


def _pod_signature(pod: Pod) -> bytes:
    raw = encode_object(pod)
    metadata = raw["metadata"]
    own = {name: metadata.get(name) for name in ("namespace", "labels", "ownerReferences")}
    return canonical({**own, "spec": _without_keys(raw.get("spec", {}), {"nodeName", "hostname"})})


def _without_keys(raw: Mapping[str, object], keys: set[str]) -> dict[str, object]:
    return {key: value for key, value in raw.items() if key not in keys}


def _without(
    cluster: Sequence[KubeObject],
    gone: set[str],
    base: Trial,
    config: SchedulerConfiguration,
    options: SimulatorOptions,
) -> Difference:
    return difference(base, trial(without_nodes(cluster, frozenset(gone)), config, options))


def _is_harmless(changed: Difference) -> bool:
    return not changed.newly_pending and not changed.evicted


def _sentence(together: Sequence[str], num_nodes: int, untried: int) -> str:
    rest = (
        f" {num_nodes - untried} of {num_nodes} were tried, those with the least to move." if untried else ""
    )
    if not together:
        tried = num_nodes - untried
        return f"None of the {tried} nodes could go without a pod pending or evicted.{rest}"
    if len(together) == 1:
        return f"{together[0]} could go: nothing would be pending.{rest}"
    return f"{len(together)} of {num_nodes} nodes could go together: nothing would be pending.{rest}"
