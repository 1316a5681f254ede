"""``maxSkew``: pods are spread over the values of a label."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scheduler_core.checks.case import Case, Clue, Judgement, some
from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.cluster_state import pod_key, takes_pods
from scheduler_core.checks.verdict import Finding, Shortfall

if TYPE_CHECKING:
    from scheduler_core.checks.expectations import MaxSkew


def judge_max_skew(expectation: MaxSkew, case: Case) -> Judgement:
    """Judges the number of pods in each domain; domains are the values on nodes that take pods or hold some."""
    key = expectation.topology_key
    pods = [pod for pod in case.selected(expectation) if pod.spec.node_name in case.state.nodes]
    value_of = {
        name: node.metadata.labels[key]
        for name, node in case.state.nodes.items()
        if key in node.metadata.labels
    }
    holds = {pod.spec.node_name for pod in pods}
    counts = Counter(
        {value: 0 for name, value in value_of.items() if name in holds or takes_pods(case.state.nodes[name])}
    )
    counts.update(value_of[pod.spec.node_name] for pod in pods if pod.spec.node_name in value_of)
    if not counts:
        finding = Finding(message=f"no node has the label {key}")
        return Judgement(finding.message, (Clue(finding, "no domain", 1.0),))
    fullest = min(counts, key=lambda value: (-counts[value], value))
    emptiest = min(counts, key=lambda value: (counts[value], value))
    skew, most = counts[fullest] - counts[emptiest], expectation.max_skew
    message = (
        f"skew {skew} over {key}: {fullest} has {counts[fullest]}, {emptiest} has {counts[emptiest]}"
        if len(counts) > 1
        else f"skew 0 over {key}: {fullest} is its only value"
    )
    if skew <= most:
        return Judgement(message)
    names, number = some(pod_key(pod) for pod in pods if value_of.get(pod.spec.node_name) == fullest)
    nodes, num_nodes = some(sorted(name for name, value in value_of.items() if value == emptiest))
    short = Shortfall(
        resource="skew", wanted=most, available=skew, short=skew - most, text=f"{skew}, at most {most}"
    )
    workload = case.state.workload(pods[0])
    finding = Finding(
        message=f"{message}, at most {most} is expected",
        pods=names,
        num_pods=number,
        nodes=nodes,
        num_nodes=num_nodes,
        shortfalls=(short,),
    )
    path = ("spec",) if workload.startswith("Pod/") else ("spec", "template", "spec")
    ref = FieldRef(workload, (*path, "topologySpreadConstraints"))
    return Judgement(finding.message, (Clue(finding, "skew", skew, ref),))
