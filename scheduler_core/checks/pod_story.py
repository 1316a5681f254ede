"""Why a pod is where it is, or has no node: one pod of a cluster, with numbers and with what would help."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from scheduler_core.api.pod import Pod, PodStatus
from scheduler_core.checks.world import Setup, World
from scheduler_core.errors import NOT_FOUND, FieldError, ManifestError
from scheduler_core.trace import NodeAnswer, Remedy, explain_fit, explain_node
from scheduler_core.trace.detail import Explanation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.checks.cluster_state import ClusterState
    from scheduler_core.trace import CycleDetail


class PodStory(msgspec.Struct, frozen=True, kw_only=True):
    """What the last attempt for a pod found.

    Args:
        pod: "namespace/name".
        outcome: whether it has a node now.
        node: which.
        was_on: the node it had in the cluster; it was taken off it to be asked about.
        message: of the last attempt that failed, as the event says it.
        refusals: groups of nodes that refuse it, the largest first.
        remedies: what would let it fit, any of them.
        answer: about the node that was asked for, or about its own.
    """

    pod: str
    outcome: Literal["placed", "pending", "not tried"]
    node: str = ""
    was_on: str = ""
    message: str = ""
    refusals: tuple[Explanation, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    answer: NodeAnswer | None = None


def explain_pod(
    setup: Setup, objects: Iterable[KubeObject], name: str, *, node: str = "", seed: int = 0
) -> PodStory:
    """Returns the story of a pod. One that has a node in the cluster is asked about as if it had none.

    Args:
        setup: the scheduler's configuration.
        objects: the cluster.
        name: "namespace/name", or a name alone where only one pod has it; a workload stands for a pod of it, one that
            has no node before others.
        node: a node to ask about.
        seed: for ties.

    Raises:
        ManifestError: there is no such pod, or there are several, or there is no such node.
    """
    listed = list(objects)
    nodes = [each.metadata.name for each in listed if each.kind == "Node"]
    if node and node not in nodes:
        raise _unknown("--node", node, nodes, "node")
    pod = _named(listed, name)
    was_on = pod.spec.node_name if pod is not None else ""
    if pod is not None and was_on:
        waiting = replace(pod, spec=replace(pod.spec, node_name=""), status=PodStatus())
        listed = [waiting if each is pod else each for each in listed]
    world = World(setup, listed, seed=seed)
    recorder, state = world.recorder, world.state()
    key = _key(pod) if pod is not None else _made(state, name)
    bound, refused = recorder.bound.get(key), recorder.refused.get(key)
    cycle = bound.cycle if bound is not None else refused.cycle if refused is not None else 0
    detail = world.details([cycle]).get(cycle) if cycle else None
    story = PodStory(
        pod=key,
        outcome="placed" if bound is not None else "pending" if cycle else "not tried",
        node=state.pods[key].spec.node_name if key in state.pods else "",
        was_on=was_on,
        message=refused.message if refused is not None and bound is None else "",
    )
    return _told(story, detail, node) if detail is not None else story


def _told(story: PodStory, detail: CycleDetail, node: str) -> PodStory:
    about = node or story.node
    return replace(
        story,
        refusals=tuple(detail.explanation),
        remedies=tuple(explain_fit(detail)),
        answer=explain_node(detail, about) if about else None,
    )


def _named(objects: list[KubeObject], name: str) -> Pod | None:
    """Returns the pod of the cluster that has the name, if there is one."""
    pods = [each for each in objects if isinstance(each, Pod)]
    found = [pod for pod in pods if name in (_key(pod), pod.metadata.name)]
    if len(found) > 1:
        message = f"several pods have this name: {', '.join(map(_key, found))}"
        raise ManifestError([FieldError(field="POD", value=name, message=message)])
    return found[0] if found else None


def _made(state: ClusterState, name: str) -> str:
    """Returns a pod that a controller made: the one of that name, or one of the workload, a pending one first."""
    found = [key for key, pod in state.pods.items() if _is_meant(name, key, state.owners(pod))]
    if not found:
        raise _unknown("POD", name, sorted(state.pods), "pod")
    return min(found, key=lambda key: (key not in state.pending, key))


def _is_meant(name: str, key: str, owners: tuple[str, ...]) -> bool:
    names = {key, key.partition("/")[2], *owners[1:]}
    for owner in owners[1:]:
        kind, _, rest = owner.partition("/")
        names |= {rest, rest.rpartition("/")[2], f"{kind}/{rest.rpartition('/')[2]}"}
    return name in names


def _key(pod: Pod) -> str:
    return f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"


def _unknown(field: str, name: str, known: list[str], what: str) -> ManifestError:
    near = difflib.get_close_matches(name, known, n=3) or [each for each in known if name in each][:3]
    hint = f"did you mean {', '.join(near)}?" if near else f"the cluster has {len(known)} {what}s"
    return ManifestError([FieldError(field=field, value=name, type=NOT_FOUND, message=hint)])
