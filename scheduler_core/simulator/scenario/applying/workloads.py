"""Edits of workloads: scale, images, requests and limits, the load that an autoscaler sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.decode import encode_object
from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.scenario.applying.objects import EDIT
from scheduler_core.simulator.scenario.references import parse_reference
from scheduler_core.trace.events import WorkloadScaled

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.scenario import edits
    from scheduler_core.simulator.scenario.references import Reference

DESIRED_REPLICAS: Final = "scheduler-playground/desired-replicas"
"""Annotation of a HorizontalPodAutoscaler: how many pods the load asks for."""


def scale(api: ApiServer, edit: edits.Scale) -> None:
    """Sets the replicas of a workload."""
    place = parse_reference(edit.object)
    before = api.require(*place).spec.replicas
    if api.tracer.on and before != edit.replicas:
        previous = 1 if before is None else before
        api.tracer.emit(WorkloadScaled(object=str(place), replicas=edit.replicas, previous=previous, by=EDIT))
    api.patch(*place, {"spec": {"replicas": edit.replicas}}, by=EDIT)


def set_target(api: ApiServer, edit: edits.SetTarget) -> None:
    """Tells an autoscaler what the load asks for."""
    annotations = {DESIRED_REPLICAS: str(edit.replicas)}
    api.patch(*parse_reference(edit.object), {"metadata": {"annotations": annotations}}, by=EDIT)


def set_image(api: ApiServer, edit: edits.SetImage) -> None:
    """Sets the image of containers."""

    def change(container: dict[str, Any]) -> dict[str, Any]:
        return {**container, "image": edit.image}

    _change_containers(api, parse_reference(edit.object), edit.container, change, resize=False)


def set_requests(api: ApiServer, edit: edits.SetRequests) -> None:
    """Sets what containers ask for and may use."""
    requests = {name: str(amount) for name, amount in edit.requests.items()}
    limits = {name: str(amount) for name, amount in edit.limits.items()}

    def change(container: dict[str, Any]) -> dict[str, Any]:
        own = container.get("resources", {})
        changed = {
            **own,
            "requests": {**own.get("requests", {}), **requests},
            "limits": {**own.get("limits", {}), **limits},
        }
        return {**container, "resources": changed}

    _change_containers(api, parse_reference(edit.object), edit.container, change, resize=True)


def _change_containers(
    api: ApiServer,
    place: Reference,
    name: str,
    change: Callable[[dict[str, Any]], dict[str, Any]],
    *,
    resize: bool,
) -> None:
    """Changes the containers of a pod or of a template, as ``kubectl set`` does."""
    plain = encode_object(api.require(*place))
    spec = _pod_spec(plain)
    found = False
    for field in ("containers", "initContainers"):
        containers = spec.get(field, ())
        if name and any(container["name"] == name for container in containers):
            found = True
        if field == "containers" or name:
            spec[field] = [
                change(container) if name in ("", container["name"]) else container
                for container in containers
            ]
    if name and not found:
        raise ApiError("NotFound", 404, f'unable to find container named "{name}"')
    plain["metadata"]["resourceVersion"] = ""
    api.replace(plain, by=EDIT, resize=resize and place.kind == "Pod")


def _pod_spec(plain: dict[str, Any]) -> dict[str, Any]:
    """Returns the pod spec in a plain object, to be changed in place."""
    spec: dict[str, Any] = plain.setdefault("spec", {})
    if plain["kind"] == "Pod":
        return spec
    if plain["kind"] == "CronJob":
        spec = spec["jobTemplate"]["spec"]
    template: dict[str, Any] = spec["template"]
    result: dict[str, Any] = template["spec"]
    return result
