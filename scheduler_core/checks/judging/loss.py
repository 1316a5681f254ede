"""``survivesLoss``: any one node, or all nodes with any one value of a label, may go.

The pods that were there are tried elsewhere as their controllers would make them again; those of DaemonSets and of
nodes themselves go with their node. Nodes that are equal, with equal pods on them, are tried once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from scheduler_core.api.canonical import canonical
from scheduler_core.api.decode import to_plain
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod, PodStatus
from scheduler_core.checks.case import Case, Clue, Judgement, several, some
from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.cluster_state import ClusterState, pod_key
from scheduler_core.checks.unplaced import unplaced_clues
from scheduler_core.checks.verdict import Finding

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.checks.expectations import SurvivesLoss

MAX_LOST: Final = 100
"""How many lost nodes a finding names."""
_GO_WITH_THEIR_NODE: Final = frozenset({"DaemonSet", "Node"})


class Loss(NamedTuple):
    """Nodes that go together, and how many others it stands for."""

    name: str
    nodes: tuple[str, ...]
    num_alike: int = 0


def judge_survives_loss(expectation: SurvivesLoss, case: Case) -> Judgement:
    """Tries each loss that could matter to the pods that are meant."""
    meant = case.selected(expectation)
    keys = frozenset(map(pod_key, meant))
    tried = list(losses(case.state, expectation.topology_key))
    clues: list[Clue] = []
    num_lost = 0
    for loss in tried:
        found = _try(loss, keys, case) if _matters(loss, meant, case.state) else []
        num_lost += bool(found)
        clues += found
    what = "value" if expectation.topology_key else "node"
    of_key = f" of {expectation.topology_key}" if expectation.topology_key else ""
    if clues:
        which = ", ".join(sorted({clue.key.split("|")[0] for clue in clues})[:5])
        message = f"{num_lost} of {several(len(tried), what)}{of_key} may not go: {which}"
        return Judgement(message, tuple(clues))
    if not tried:
        return Judgement(f"there is no {what}{of_key} to lose")
    different = "" if expectation.topology_key else " different"
    which = f"the {what}" if len(tried) == 1 else f"any of the {len(tried)}{different} {what}s"
    return Judgement(f"{which}{of_key} may go")


def losses(state: ClusterState, topology_key: str) -> Iterator[Loss]:
    """Yields what may be lost: each value of a label, or each node, of equal ones the first."""
    if topology_key:
        domains: dict[str, list[str]] = defaultdict(list)
        for name, node in state.nodes.items():
            if topology_key in node.metadata.labels:
                domains[node.metadata.labels[topology_key]].append(name)
        for value, names in sorted(domains.items()):
            yield Loss(f"{topology_key}={value}", tuple(names))
        return
    alike: dict[bytes, list[str]] = defaultdict(list)
    for name, node in state.nodes.items():
        alike[_signature(node, state)].append(name)
    for names in alike.values():
        yield Loss(names[0], (names[0],), len(names) - 1)


def _signature(node: Node, state: ClusterState) -> bytes:
    """Returns what tells a node and its pods from others; its name is no part of it."""
    name = node.metadata.name
    labels = {key: value for key, value in node.metadata.labels.items() if value != name}
    plain = to_plain(node.status)
    status = {"allocatable": plain.get("allocatable"), "images": plain.get("images")}
    pods = sorted(
        canonical(
            {
                "workload": state.workload(pod),
                "labels": pod.metadata.labels,
                "spec": to_plain(replace(pod.spec, node_name="")),
            }
        )
        for pod in state.pods_on.get(name, ())
    )
    return canonical({"labels": labels, "spec": to_plain(node.spec), **status}) + b"".join(pods)


def _matters(loss: Loss, meant: list[Pod], state: ClusterState) -> bool:
    """Returns whether pods that are meant are there, or pods that could preempt them elsewhere."""
    lost = frozenset(loss.nodes)
    if any(pod.spec.node_name in lost for pod in meant):
        return True
    lowest = min((pod.spec.priority or 0 for pod in meant), default=None)
    if lowest is None:
        return False
    return any(
        (pod.spec.priority or 0) > lowest
        for name in loss.nodes
        for pod in state.pods_on.get(name, ())
        if not _goes(pod)
    )


def _goes(pod: Pod) -> bool:
    owner = pod.metadata.controller()
    return owner is not None and owner.kind in _GO_WITH_THEIR_NODE


def _try(loss: Loss, meant: frozenset[str], case: Case) -> list[Clue]:
    """Returns what goes wrong when nodes are lost."""
    state = case.state
    bare: list[str] = []
    world = case.fork(_after(loss, state, meant, bare))
    after = world.state()
    pending = [after.pods[key] for key in sorted(after.pending & meant) if key not in state.pending]
    others = f" (and {several(loss.num_alike, 'equal node')})" if loss.num_alike else ""
    subject = f"without {loss.name}{others}"
    clues = unplaced_clues(pending, after, world, case.change, subject=subject)
    clues += _victims_of(after, meant, subject)
    if bare:
        pods, number = some(bare)
        names = f"{', '.join(pods[:3])} {'is' if number == 1 else 'are'}"
        message = f"{subject}: {names} gone: no controller makes a bare pod again"
        finding = Finding(
            message=message, pods=pods, num_pods=number, nodes=loss.nodes[:20], num_nodes=len(loss.nodes)
        )
        clues.append(Clue(finding, "bare", number, FieldRef(f"Pod/{bare[0]}", ())))
    return [
        clue._replace(key=f"{loss.name}|{clue.key}", finding=_with_nodes(clue.finding, loss))
        for clue in clues
    ]


def _victims_of(after: ClusterState, meant: frozenset[str], subject: str) -> list[Clue]:
    clues = []
    for each in after.facts.preempted:
        if each.pod in meant and each.pod not in after.pods:
            message = f"{subject}: {each.pod} is preempted on {each.node} by {each.preemptor}"
            finding = Finding(message=message, pods=(each.pod, each.preemptor), num_pods=2)
            clues.append(Clue(finding, f"victim/{each.pod}", 1.0))
    return clues


def _with_nodes(finding: Finding, loss: Loss) -> Finding:
    told = replace(finding, without=loss.nodes if len(loss.nodes) <= MAX_LOST else ())
    return told if told.nodes else replace(told, nodes=loss.nodes[:20], num_nodes=len(loss.nodes))


def _after(loss: Loss, state: ClusterState, meant: frozenset[str], bare: list[str]) -> Iterable[KubeObject]:
    """Yields the objects without the nodes; the pods that were there wait anew."""
    lost = frozenset(loss.nodes)
    for object_ in state.objects:
        if isinstance(object_, Node):
            if object_.metadata.name not in lost:
                yield object_
        elif isinstance(object_, Pod) and object_.spec.node_name in lost:
            if _goes(object_):
                continue
            if object_.metadata.controller() is None:
                if pod_key(object_) in meant:
                    bare.append(pod_key(object_))
                continue
            yield replace(object_, spec=replace(object_.spec, node_name=""), status=PodStatus())
        else:
            yield object_
