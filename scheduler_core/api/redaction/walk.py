"""One walk over an object's plain form, in which every text goes through a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scheduler_core.api.redaction.rules import (
    ADDRESSES,
    ANNOTATIONS,
    HANDLES,
    IMAGES,
    KEPT,
    KEPT_VALUES,
    KEYS,
    LABEL_MAPS,
    LEFT_OUT,
    SELECTORS,
    is_kept_key,
    is_own_finalizer,
    is_own_volume_type,
)
from scheduler_core.api.selectors import METADATA_NAME

Rename = Callable[[str], str]

_ZONE_SEPARATOR = "__"  # between the zones of a volume that is in several


class Walk:
    """Writes an object anew with other texts.

    Args:
        rename: gives the new text for one that is not kept.
    """

    def __init__(self, rename: Rename) -> None:
        self._rename = rename

    def object(self, kind: str, plain: dict[str, Any]) -> dict[str, Any]:
        """Returns the object under other names; what is not to be shown is not in it."""
        result = self._fields(plain)
        if kind in ("CSIDriver", "CSINode"):
            self._keep_drivers(kind, plain, result)
        elif kind == "Service" and result["metadata"].get("name", "")[:1].isdigit():
            result["metadata"]["name"] = f"s{result['metadata']['name']}"  # nothing is decided by it
        elif kind == "PodDisruptionBudget":
            status = result.get("status", {})
            if pods := status.get("disruptedPods"):
                status["disruptedPods"] = {self._rename(name): time for name, time in pods.items()}
        return result

    def _keep_drivers(self, kind: str, plain: dict[str, Any], result: dict[str, Any]) -> None:
        """Puts the names of drivers back: translations and limits know them."""
        if kind == "CSIDriver":
            result["metadata"]["name"] = plain["metadata"]["name"]
            return
        drivers = plain.get("spec", {}).get("drivers", ())
        for old, new in zip(drivers, result.get("spec", {}).get("drivers", ()), strict=True):
            if "name" in old:
                new["name"] = old["name"]

    def _fields(self, fields: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, value in fields.items():
            if name in LEFT_OUT:
                continue
            if name == "values":
                result[name] = self._values(fields.get("key", ""), value)
            elif name == "value" and isinstance(value, str):
                result[name] = self.label_value(fields.get("key", ""), value)
            elif name == "name" and "containerPort" in fields:
                continue  # of a port
            elif name == "schedulingGates":
                result[name] = [{**gate, "name": self.key(gate.get("name", ""))} for gate in value]
            elif name == "finalizers":
                result[name] = [
                    each if is_own_finalizer(each) else f"example.com/{self._rename(each)}" for each in value
                ]
            elif name == "names":  # of an image on a node
                result[name] = [self._image(image, normal=False) for image in value]
            else:
                result[name] = self._value(name, value)
        return result

    def _value(self, name: str, value: Any) -> Any:
        if name in KEPT:
            return self._kept(name, value)
        if name in LABEL_MAPS or (name in SELECTORS and _is_label_map(value)):
            return {self.key(key): self.label_value(key, item) for key, item in value.items()}
        if name == "annotations":
            return {
                key: self._rename(item) if ANNOTATIONS[key] else item
                for key, item in value.items()
                if key in ANNOTATIONS
            }
        if isinstance(value, dict):
            return self._fields(value)
        if isinstance(value, list | tuple):
            return [self._value(name, item) for item in value]
        return self._text(name, value) if isinstance(value, str) else value

    def _kept(self, name: str, value: Any) -> Any:
        """`status` is a word of a condition, and a structure of an object; that is walked into."""
        return self._fields(value) if name == "status" and isinstance(value, dict) else value

    def _text(self, name: str, text: str) -> str:
        if name in KEYS:
            return self.key(text)
        if name in IMAGES:
            return self._image(text, normal=True)
        if name in HANDLES:
            return "/".join(
                part if is_own_volume_type(part) else self._rename(part) for part in text.split("/")
            )
        if name in ADDRESSES:
            return self._rename(text)
        return self._rename(text)

    def _values(self, key: str, values: list[str]) -> list[str]:
        if key == METADATA_NAME:
            return [self._rename(value) for value in values]
        return [self.label_value(key, value) for value in values]

    def key(self, key: str) -> str:
        """Returns the new key of a label, taint or gate."""
        return key if is_kept_key(key) or key == METADATA_NAME else self._rename(key)

    def label_value(self, key: str, value: str) -> str:
        """Returns the new value of a label."""
        if key in KEPT_VALUES:
            return value
        if _ZONE_SEPARATOR in value and key.endswith(("zone", "region")):
            return _ZONE_SEPARATOR.join(self._rename(part) for part in value.split(_ZONE_SEPARATOR))
        return self._rename(value)

    def _image(self, image: str, *, normal: bool) -> str:
        """An image is the same on a node and in a pod where the pod's, with its tag, is written as on the node."""
        if not image:
            return image
        if normal and image.rfind(":") <= image.rfind("/"):
            image += ":latest"
        return f"{self._rename(image)}:x"


def _is_label_map(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
