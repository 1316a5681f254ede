"""``headroom``: something is left free, in sum, in each value of a label, or for a pod of a size."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from scheduler_core.api.containers import Container
from scheduler_core.api.decode import encode_object
from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.pod import Pod, PodSpec
from scheduler_core.api.pod_resources import to_ints
from scheduler_core.api.resources import ResourceRequirements
from scheduler_core.checks.case import Case, Clue, Judgement, several, some
from scheduler_core.checks.cluster_state import takes_pods
from scheduler_core.checks.unplaced import amount_short, unplaced_clues
from scheduler_core.checks.verdict import Finding
from scheduler_core.checks.world import apply
from scheduler_core.trace.words import format_amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.checks.expectations import Headroom, ProbePod

PROBE: Final = "headroom-probe"


def judge_headroom(expectation: Headroom, case: Case) -> Judgement:
    """Judges what is free on the nodes that take pods."""
    clues = list(_amounts(expectation, case)) if expectation.resources else []
    if expectation.pod is not None:
        clues += _probe(expectation.pod, expectation.count, case)
    if clues:
        return Judgement(clues[0].finding.message, tuple(clues))
    parts = []
    if expectation.resources:
        wanted = to_ints(expectation.resources)
        amounts = ", ".join(f"{format_amount(name, amount)} {name}" for name, amount in wanted.items())
        parts.append(f"{amounts} or more free" + (f" in each {expectation.per}" if expectation.per else ""))
    if expectation.pod is not None:
        count = expectation.count
        parts.append("a pod of that size fits" if count == 1 else f"{count} pods of that size fit")
    return Judgement("; ".join(parts))


def _amounts(expectation: Headroom, case: Case) -> Iterator[Clue]:
    domains: dict[str, list[str]] = defaultdict(list)
    for name, node in case.state.nodes.items():
        if not expectation.per:
            domains[""].append(name)
        elif expectation.per in node.metadata.labels:
            domains[node.metadata.labels[expectation.per]].append(name)
    if not domains:
        message = f"no node has the label {expectation.per}" if expectation.per else "there is no node"
        yield Clue(Finding(message=message), "no domain", 1.0)
    for domain, names in sorted(domains.items()):
        open_nodes = [name for name in names if takes_pods(case.state.nodes[name])]
        for resource, wanted in to_ints(expectation.resources).items():
            free = sum(max(case.state.rooms[name].free(resource), 0) for name in open_nodes)
            if free >= wanted:
                continue
            short = amount_short(resource, wanted, free, wanted - free)
            where = f" in {expectation.per}={domain}" if domain else ""
            nodes, number = some(sorted(open_nodes))
            finding = Finding(
                message=f"too little is left{where}: {short.text}",
                nodes=nodes,
                num_nodes=number,
                shortfalls=(short,),
            )
            yield Clue(finding, f"{domain}/{resource}", short.short)


def _probe(probe: ProbePod, count: int, case: Case) -> list[Clue]:
    """Tries pods of the size in a world that begins as this one stands."""
    world = case.fork()
    world.move(apply(encode_object(_probe_pod(probe, number))) for number in range(count))
    state = world.state()
    probes = [pod for pod in state.pods.values() if pod.metadata.labels.get(PROBE)]
    pending = [pod for pod in probes if not pod.spec.node_name]
    evicted = [each for each in state.facts.preempted if each.preemptor.startswith(f"default/{PROBE}-")]
    if not pending and not evicted:
        return []
    if evicted:
        message = f"a pod of that size fits only by preempting {evicted[0].pod} on {evicted[0].node}"
        finding = Finding(
            message=message, pods=(evicted[0].pod,), num_pods=1, nodes=(evicted[0].node,), num_nodes=1
        )
        return [Clue(finding, "probe", len(evicted))]
    fitting = len(probes) - len(pending)
    subject = f"of {several(count, 'pod')} of that size {fitting} {'fits' if fitting == 1 else 'fit'}"
    clues = unplaced_clues(pending[:1], state, world, case.change, subject=subject)
    return [clue._replace(key="probe", badness=len(pending)) for clue in clues]


def _probe_pod(probe: ProbePod, number: int) -> Pod:
    name = f"{PROBE}-{number}"
    container = Container(
        name="probe", image="probe", resources=ResourceRequirements(requests=probe.requests)
    )
    return Pod(
        metadata=ObjectMeta(name=name, namespace="default", labels={PROBE: "true"}),
        spec=PodSpec(
            containers=(container,),
            node_selector=probe.node_selector,
            tolerations=probe.tolerations,
            priority_class_name=probe.priority_class_name,
        ),
    )
