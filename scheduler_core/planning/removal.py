"""Which nodes could go: those that a drain empties, with nothing pending after it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from scheduler_core.api.canonical import canonical
from scheduler_core.api.decode import encode_object
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.pod_resources import pod_requests
from scheduler_core.planning.advisable import is_live
from scheduler_core.planning.after import objects_at
from scheduler_core.planning.trial import is_of_its_node, key_of
from scheduler_core.planning.what_if import End, changes_between
from scheduler_core.simulator import PendingPod, read_edits
from scheduler_core.simulator.options import DEFAULT
from scheduler_core.simulator.questions import CONTINUE
from scheduler_core.trace.words import names as some

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.config import SchedulerConfiguration
    from scheduler_core.simulator import AnyEdit, SimulatorOptions
    from scheduler_core.simulator.questions import Question

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
        can_go: a drain comes to its end, nothing is newly pending after it, and nobody is gone
        num_pods: pods that need another node
        newly_pending: pods that stay pending then, with the scheduler's reasons
        evicted: pods that lose their place to those
        held_by: what keeps a drain from its end: a budget, pods without a controller; or nothing
        loses: pods whose emptyDir volumes go with the node
    """

    node: str
    like: tuple[str, ...]
    can_go: bool
    num_pods: int
    newly_pending: tuple[PendingPod, ...]
    evicted: tuple[str, ...]
    held_by: str = ""
    loses: tuple[str, ...] = ()


class Removals(msgspec.Struct, frozen=True):
    """The answer.

    Args:
        nodes: each alone, the emptiest first
        together: the nodes that could go together
        text: the answer as a sentence
        at: when they are drained, since the start of the run: when everything has its place; at once where it is empty
    """

    nodes: tuple[NodeRemoval, ...]
    together: tuple[str, ...]
    text: str
    at: str = ""


def removals(
    cluster: Sequence[KubeObject],
    config: SchedulerConfiguration,
    options: SimulatorOptions = DEFAULT,
    *,
    edits: Sequence[AnyEdit] = (),
    question: Question = CONTINUE,
    limit: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    so_far: Callable[[Removals], None] = lambda found: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Removals:
    """Drains nodes, each alone and then more and more together, each time by a run.

    It is the run with the edits that are there, and a drain when everything has its place: evictions ask the budgets,
    pods without a controller hold their node, those of DaemonSets and mirror pods go with it, data in emptyDir volumes
    is lost and told. Nodes that are lost already are left out. The nodes that go together are found greedily, from the
    node with the least to move; another choice might be larger.

    Args:
        cluster: nodes, pods and whatever else scheduling reads
        config: profiles of the scheduler
        options: of every run
        edits: of a scenario, which are made in every run
        question: what every run asks
        limit: how many nodes are tried at most, those with the least to move; of equal ones one is. By default from
            MOST in a small cluster to LEAST in a large one
        progress: told how many nodes are judged, of how many, alone and together
        so_far: told what is known, whenever there is more
        is_cancelled: asked between runs; what was found by then is returned
    """
    base = End(cluster, edits, config, options, question, is_cancelled)
    drains = _Drains(base, lambda more: End(cluster, (*edits, *more), config, options, question), len(edits))
    groups = sorted(_groups(objects_at(base)), key=lambda one: (one.num_pods, one.cpu_milli, one.names))
    tried = groups[: limit or min(MOST, max(LEAST, _BUDGET // max(1, len(cluster))))]
    num_nodes = sum(len(group.names) for group in groups)
    total = len(tried) + sum(len(group.names) for group in tried)
    found: list[NodeRemoval] = []
    together: list[str] = []

    def known() -> Removals:
        untried = num_nodes - sum(1 + len(removal.like) for removal in found)
        text = _sentence(together, num_nodes, untried) + _of_data(found, together)
        return Removals(tuple(found), tuple(together), text, drains.at)

    for group in tried:
        if is_cancelled():
            break
        found.append(drains.judge(group))
        progress(len(found), total)
        so_far(known())
    kept = sum(1 + len(removal.like) for removal in found if not removal.can_go)
    for done in _take_together(found, together, drains.is_harmless, is_cancelled):
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


class _Drained(NamedTuple):
    """What keeps a drain from its end, who is newly pending after it, who is gone."""

    held: str
    newly_pending: tuple[PendingPod, ...] = ()
    gone: tuple[str, ...] = ()


class _Drains:
    """Drains, each by a run that goes on from the same one."""

    def __init__(self, base: End, ends: Callable[[Sequence[AnyEdit]], End], num_edits: int) -> None:
        self._base = base
        self._ends = ends
        self._num_edits = num_edits
        self.at = "" if base.is_unmoved() else base.settled_at()

    def judge(self, group: _Group) -> NodeRemoval:
        """What happens when the first node of a group is drained."""
        if group.held_by:
            held, newly_pending, gone = _Drained(group.held_by)
        else:
            held, newly_pending, gone = self._drain({group.names[0]})
        return NodeRemoval(
            node=group.names[0],
            like=group.names[1:],
            can_go=not (held or newly_pending or gone),
            num_pods=group.num_pods,
            newly_pending=newly_pending,
            evicted=gone,
            held_by=held,
            loses=group.loses,
        )

    def is_harmless(self, nodes: set[str]) -> bool:
        """Whether nodes can all be drained with nothing pending and nobody gone."""
        return not any(self._drain(nodes))

    def _drain(self, nodes: Collection[str]) -> _Drained:
        edit: dict[str, Any] = {"kind": "drain", "nodes": sorted(nodes)}
        ended = self._ends(read_edits([{**edit, "at": self.at} if self.at else edit]))
        changed = changes_between(self._base, ended)
        refused = [each.message for each in changed.refused if each.edit > self._num_edits]
        left = sorted(
            key
            for key, pod in ended.pods.items()
            if pod.spec.node_name in nodes and not is_of_its_node(pod) and pod.standing != "finished"
        )
        held = refused[0] if refused else f"{some(left)} did not go before the run ended" if left else ""
        return _Drained(held, changed.newly_pending, changed.gone)


class _Group(msgspec.Struct, frozen=True):
    names: tuple[str, ...]
    num_pods: int
    cpu_milli: int
    held_by: str
    loses: tuple[str, ...]


def _groups(cluster: Sequence[KubeObject]) -> list[_Group]:
    """Nodes that differ in nothing but their names, with pods that differ in nothing but theirs."""
    pods: dict[str, list[Pod]] = defaultdict(list)
    for object_ in cluster:
        if isinstance(object_, Pod) and object_.spec.node_name:
            pods[object_.spec.node_name].append(object_)
    known = {
        (one.kind, one.metadata.namespace, one.metadata.name) for one in cluster if not isinstance(one, Pod)
    }
    members: dict[tuple[bytes, ...], list[str]] = defaultdict(list)
    for object_ in cluster:
        if isinstance(object_, Node) and is_live(object_):
            name = object_.metadata.name
            members[_signature(object_, pods[name])].append(name)
    groups = []
    for names in members.values():
        first = min(names)
        movable = [pod for pod in pods[first] if not is_of_its_node(pod) and pod.standing != "finished"]
        cpu = sum(pod_requests(pod).get("cpu", 0) for pod in movable)
        local = (pod for pod in movable if any(volume.empty_dir is not None for volume in pod.spec.volumes))
        loses = tuple(key_of(pod) for pod in local)
        groups.append(_Group(tuple(sorted(names)), len(movable), cpu, _unmade(movable, known), loses))
    return groups


def _unmade(pods: Sequence[Pod], known: Container[tuple[str, str, str]]) -> str:
    """Says which pods nothing would make again: they have no controller, or the cluster does not have it."""
    bare, orphans = [], []
    for pod in sorted(pods, key=key_of):
        owner = pod.metadata.controller()
        if owner is None:
            bare.append(key_of(pod))
        elif (owner.kind, pod.metadata.namespace, owner.name) not in known:
            orphans.append(f"{key_of(pod)} ({owner.kind} {owner.name})")
    if bare:
        return f"nothing would make {some(bare)} again, without a controller"
    return f"nothing would make {some(orphans)} again: the controller is not there" if orphans else ""


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


def _of_data(found: Sequence[NodeRemoval], together: Sequence[str]) -> str:
    loses = [pod for one in found if one.node in together for pod in one.loses]
    if not loses:
        return ""
    return f" {some(loses)} {'keeps' if len(loses) == 1 else 'keep'} data in emptyDir volumes, which is lost then."


def _sentence(together: Sequence[str], num_nodes: int, untried: int) -> str:
    rest = (
        f" {num_nodes - untried} of {num_nodes} were tried, those with the least to move." if untried else ""
    )
    if not together:
        tried = num_nodes - untried
        return f"None of the {tried} nodes could go without a pod pending or gone.{rest}"
    if len(together) == 1:
        return f"{together[0]} could go: nothing would be pending.{rest}"
    return f"{len(together)} of {num_nodes} nodes could go together: nothing would be pending.{rest}"
