"""A small cluster with controllers, driven from one virtual second to another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.pod import Pod
from scheduler_core.clock import MICROSECONDS
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator, SimulatorOptions, Step
from scheduler_core.trace.sink import MemorySink
from tests.make import make

TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"app": "web"}},
    "spec": {"containers": [{"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "1"}}}]},
}


class Cluster:
    """A run that can be stopped at any second, looked at and changed; pods have a life from the beginning."""

    def __init__(
        self, *objects: KubeObject, options: SimulatorOptions = DEFAULT, wakes_kubelet: bool = True
    ) -> None:
        self.sink = MemorySink()
        self.simulator = Simulator(load_config(""), replace(options, tie_break="lowest-name"), self.sink)
        if wakes_kubelet:
            self.simulator.controllers.activate("kubelet")
        self.simulator.load(objects)
        self.api = self.simulator.api

    def until(self, seconds: float) -> Cluster:
        """Runs to a second of virtual time, whether something happens or not."""
        target = round(seconds * MICROSECONDS)
        simulator = self.simulator
        simulator.options = replace(simulator.options, horizon_us=target)
        simulator.run()
        simulator.run((Step(advance_us=max(target - simulator.clock.now_us, 0)),))
        return self

    def get(self, kind: str, name: str, namespace: str = "default") -> Any:
        """An object, or None."""
        return self.api.get(kind, namespace, name)

    def pods(self, **labels: str) -> list[Pod]:
        """The pods with labels, in order of names."""
        wanted = labels.items()
        return [pod for pod in self.api.list("Pod") if wanted <= pod.metadata.labels.items()]

    def placed(self) -> dict[str, str]:
        """Pod name → node name."""
        return {pod.metadata.name: pod.spec.node_name for pod in self.pods()}

    def patch(self, kind: str, name: str, patch: Mapping[str, Any]) -> Any:
        """Changes an object as `kubectl patch --type merge` does."""
        namespace = "" if kind == "Node" else "default"
        return self.api.patch(kind, namespace, name, patch, by="edit")

    def add(self, object_: KubeObject) -> Any:
        """Makes an object as `kubectl create` does."""
        return self.api.create(object_, by="edit")

    def delete(self, kind: str, name: str, **options: Any) -> None:
        """Deletes an object as `kubectl delete` does."""
        self.api.delete(kind, "" if kind == "Node" else "default", name, by="edit", **options)

    def events(self, *types: str) -> list[dict[str, Any]]:
        """The events of the trace of some types."""
        return [event for event in map(json.loads, self.sink.lines) if event["type"] in types]


def template(
    labels: Mapping[str, str] | None = None, *, cpu: str = "1", image: str = "app:1", **more: Any
) -> Any:
    """A pod template; annotations and fields of the spec are further arguments."""
    metadata: dict[str, Any] = {"labels": dict(labels or {"app": "web"})}
    if annotations := more.pop("annotations", None):
        metadata["annotations"] = annotations
    container = {"name": "main", "image": image, "resources": {"requests": {"cpu": cpu}}}
    return {"metadata": metadata, "spec": {"containers": [container], **more}}


def workload(kind: str, name: str = "web", *, group: str = "apps/v1", **spec: Any) -> KubeObject:
    """A workload with the fields of its spec under their JSON names."""
    metadata = {"name": name, **spec.pop("metadata", {})}
    spec.setdefault("template", template())
    if group == "apps/v1":
        spec.setdefault("selector", {"matchLabels": spec["template"]["metadata"]["labels"]})
    return make({"apiVersion": group, "kind": kind, "metadata": metadata, "spec": spec})


def names(objects: Iterable[Any]) -> list[str]:
    """The objects' names."""
    return [object_.metadata.name for object_ in objects]


def condition(object_: Any, type_: str) -> tuple[str, str, str]:
    """Status, reason and message of a condition."""
    found = next(own for own in object_.status.conditions if own.type == type_)
    return found.status, found.reason, found.message
