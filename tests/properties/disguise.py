"""The same cluster under other names: what must not change a decision is changed, and what was decided follows.

Nodes and pods get new names in the same order, wherever they stand. Objects, keys and lists without an order are
permuted. Labels and annotations that nothing asks for are added.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from tests.conformance.compare import Case

WITHOUT_ORDER: Final = frozenset({"conditions", "matchExpressions", "tolerations", "values"})
"""Lists of which every permutation means the same."""
_WITHOUT_NAMES: Final = frozenset(
    {"kind", "apiVersion", "plugin", "code", "field", "type", "operator", "effect"}
)


def disguise(case: Case, random: Random) -> Case:
    """Returns the case as it would have been recorded under other names and in another order."""
    renames = _Renames(case, random)
    steps = [
        {
            **step,
            "apply": _changed(renames.apply(step.get("apply") or []), random),
            "delete": renames.apply(step.get("delete") or []),
        }
        for step in case.get("steps") or ()
    ]
    objects = _permuted(_changed(renames.apply(case["objects"]), random), random)
    changed = {"objects": objects, "steps": steps, "expected": renames.apply(case["expected"])}
    if case.get("config"):
        changed["config"] = json.dumps(_shuffled(renames.apply(yaml.safe_load(case["config"])), random))
    return {**case, **changed}


class _Renames:
    """Old strings → new ones, in the same order."""

    def __init__(self, case: Case, random: Random) -> None:
        objects = [
            *case["objects"],
            *(o for step in case.get("steps") or () for o in step.get("apply") or ()),
        ]
        nodes = [o["metadata"]["name"] for o in objects if o["kind"] == "Node"]
        pods = [o for o in objects if o["kind"] == "Pod"]
        self._names = _in_order(nodes, f"{random.choice('amz')}-machine", random)
        pod_names = _in_order(
            (pod["metadata"]["name"] for pod in pods), f"{random.choice('bny')}-job", random
        )
        for pod in pods:
            old, new = pod["metadata"]["name"], pod_names[pod["metadata"]["name"]]
            namespace = pod["metadata"].get("namespace", "default")
            self._names[old] = new
            self._names[f"{namespace}/{old}"] = f"{namespace}/{new}"
            self._names[f"uid-Pod-{namespace}/{old}"] = f"uid-Pod-{namespace}/{new}"
            for volume in pod["spec"].get("volumes") or ():
                if volume.get("ephemeral"):
                    self._names[f"{old}-{volume['name']}"] = f"{new}-{volume['name']}"

    def apply(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                self._text(key): inner if key in _WITHOUT_NAMES else self.apply(inner)
                for key, inner in value.items()
            }
        if isinstance(value, list):
            return [self.apply(inner) for inner in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        if text in self._names:
            return self._names[text]
        kind, slash, rest = text.partition("/")
        if slash and kind in ("Pod", "Node", "CSINode"):
            return f"{kind}/{self._names.get(rest, rest)}"
        return re.sub(r'"([^"]+)"', lambda quoted: f'"{self._names.get(quoted[1], quoted[1])}"', text)


def _in_order(names: Iterable[str], prefix: str, random: Random) -> dict[str, str]:
    number, renamed = random.randrange(100), {}
    for name in sorted(set(names)):
        number += random.randrange(1, 9)
        renamed[name] = f"{prefix}-{number:06}"
    return renamed


def _changed(objects: list[Any], random: Random) -> list[Any]:
    """Adds what nothing asks for and shuffles what has no order, in each object."""
    return [_shuffled(_labelled(item, random), random) for item in objects]


def _labelled(item: Mapping[str, Any], random: Random) -> dict[str, Any]:
    metadata = {**item["metadata"]}
    if item["kind"] in ("Node", "Pod", "Namespace"):
        for field in ("labels", "annotations"):
            extra = {
                f"{part}irrelevant.example.com/{field}": random.choice(("", "x")) for part in ("a.", "z.")
            }
            metadata[field] = {**(metadata.get(field) or {}), **extra}
    return {**item, "metadata": metadata}


def _shuffled(value: Any, random: Random, field: str = "") -> Any:
    if isinstance(value, dict):
        pairs = [(key, _shuffled(inner, random, key)) for key, inner in value.items()]
        random.shuffle(pairs)
        return dict(pairs)
    if isinstance(value, list):
        items = [_shuffled(inner, random) for inner in value]
        if field in WITHOUT_ORDER:
            random.shuffle(items)
        return items
    return value


def _permuted(objects: list[Any], random: Random) -> list[Any]:
    """All objects in another order; pending pods keep theirs, as they join the queue in it."""
    pending = iter([item for item in objects if _is_pending(item)])
    shuffled = list(objects)
    random.shuffle(shuffled)
    return [next(pending) if _is_pending(item) else item for item in shuffled]


def _is_pending(item: Mapping[str, Any]) -> bool:
    return item["kind"] == "Pod" and not item["spec"].get("nodeName")
