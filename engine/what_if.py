"""What-ifs of one cluster, asked as often as one likes: what edits, a question or a configuration change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.imports.items import node_item, pod_item
from scheduler_core.api import KubeObject, Node, Pod, default_object
from scheduler_core.config import SchedulerConfiguration, load_config
from scheduler_core.planning import Before, Changes
from scheduler_core.simulator import SimulatorOptions, read_edits, read_question, sentence

SUMS = ("requested", "num_pods")
"""What an item says of the pods on its node; whoever has the pods has it."""


class WhatIfAsked(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One question: edits of a scenario and the question of the run with them, as plain JSON, and its configuration."""

    edits: tuple[dict[str, Any], ...] = ()
    ask: dict[str, Any] | None = None
    other_config: str | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is other, to be told and to be drawn: nodes and pods as lists and maps show them, only those that differ.

    Args:
        changes: in words and lists
        sentences: the edits in words
        nodes: nodes that are new or not as the cluster has them
        pods: pods likewise
        gone_nodes: names of the cluster's nodes that are no more
        gone_pods: namespace/name of the cluster's pods that are no more
    """

    changes: Changes
    sentences: list[str]
    nodes: list[dict[str, Any]]
    pods: list[dict[str, Any]]
    gone_nodes: tuple[str, ...]
    gone_pods: tuple[str, ...]


class WhatIfs:
    """A cluster, and what it comes to as it is.

    Args:
        cluster: its objects.
        config: profiles of the scheduler.
        options: of all runs.
        is_cancelled: stops the run of the cluster as it is.
    """

    def __init__(
        self,
        cluster: Sequence[KubeObject],
        config: SchedulerConfiguration,
        options: SimulatorOptions,
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._cluster = cluster
        self._nodes = {node.metadata.name: node for node in cluster if isinstance(node, Node)}
        self._pods = {_key(pod): pod for pod in cluster if isinstance(pod, Pod)}
        self._before = Before(cluster, config, options, is_cancelled)

    def get_ready(self) -> None:
        """Does ahead of the next question what does not depend on it."""
        self._before.get_ready()

    def answer(self, asked: WhatIfAsked, is_cancelled: Callable[[], bool]) -> Answer:
        """Answers one question.

        Args:
            asked: the question.
            is_cancelled: stops the run.

        Raises:
            ManifestError: the edits are wrong, name what is not there, or the question is about no pod.
        """
        edits = read_edits(asked.edits, objects=self._cluster)
        found = self._before.ask(
            edits,
            question=read_question(asked.ask),
            other_config=None if asked.other_config is None else load_config(asked.other_config),
            is_cancelled=is_cancelled,
        )
        nodes = [(_node(node), self._nodes.get(node.metadata.name)) for node in found.nodes]
        pods = [(pod_item(pod), self._pods.get(_key(pod))) for pod in found.pods]
        return Answer(
            changes=found.changes,
            sentences=[sentence(edit) for edit in edits],
            nodes=[item for item, was in nodes if was is None or item != _node(was)],
            pods=[item for item, was in pods if was is None or item != pod_item(_defaulted(was))],
            gone_nodes=found.gone_nodes,
            gone_pods=found.gone_pods,
        )


def _node(node: Node) -> dict[str, Any]:
    return {name: value for name, value in node_item(node).items() if name not in SUMS}


def _defaulted(pod: Pod) -> Pod:
    """Returns the pod as the import shows it."""
    defaulted = default_object(pod)
    assert isinstance(defaulted, Pod)
    return defaulted


def _key(pod: Pod) -> str:
    return f"{pod.metadata.namespace or 'default'}/{pod.metadata.name}"
