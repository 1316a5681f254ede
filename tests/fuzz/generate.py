"""Makes the cluster of an area and a seed: always the same, and one that an API server accepts."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.decode import decode_object
from scheduler_core.api.validation.objects import validate
from scheduler_core.config import load_config
from scheduler_core.errors import ManifestError
from tests.conformance.compare import recorded_cycles, run_case

if TYPE_CHECKING:
    from tests.conformance.compare import Case

AREAS: Final = (
    "resources", "taints", "nodeaffinity", "podaffinity", "spread", "ports", "images", "volumes",
    "preemption", "gates", "queue", "config", "sampling",
)  # fmt: skip


def generate(area: str, seed: int) -> Case:
    """Returns the case of an area and a seed, without what is expected of it.

    Objects that the API server would refuse are left out, and so is a configuration that the scheduler refuses.
    """
    made = import_module(f"tests.fuzz.areas.{area}").build(Random(f"{area}-{seed}"))
    made["objects"] = [raw for raw in made["objects"] if is_accepted(raw)]
    for step in made.get("steps") or ():
        step["apply"] = [raw for raw in step.get("apply") or () if is_accepted(raw)]
    if made.get("config") and not _is_valid(made["config"]):
        del made["config"]
    return {"name": f"{area}-{seed}", "kind": area, **made}


def is_accepted(raw: dict[str, Any]) -> bool:
    """Whether the API server would take the object.

    Values in node affinity that are no label values stay: older servers took them, and they are stored still.
    """
    return all(
        "nodeAffinity" in fault.path and "values" in fault.path for fault in validate(decode_object(raw), raw)
    )


def recorded(case: Case) -> Case:
    """The case with what we decide on it as the record."""
    sink, result = run_case(case)
    expected = {
        "cycles": recorded_cycles(sink),
        "placements": dict(result.placements),
        "pending": sorted(pod.pod for pod in result.pending),
    }
    return {**case, "expected": expected}


def _is_valid(config: str) -> bool:
    try:
        load_config(config)
    except ManifestError:
        return False
    return True
