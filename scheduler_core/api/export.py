"""A cluster as text that `kubectl apply` and our own import read back: one List, as JSON or YAML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
import yaml

from scheduler_core.api.foreign import CAPTURED_AT

Format: TypeAlias = Literal["json", "yaml"]

# What a server gives an object and does not take from whoever creates it.
_GIVEN_BY_THE_SERVER: Final = ("resourceVersion", "selfLink", "generation", "managedFields")
# Texts that no reader of YAML, old or new, takes for anything else.
_PLAIN: Final = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*")
_NOT_TEXT: Final = frozenset(
    word.lower() for word in ("y", "yes", "n", "no", "true", "false", "on", "off", "null")
)


def export(objects: Iterable[Mapping[str, Any]], format_: Format, *, captured_at: str = "") -> bytes:
    """Returns plain objects as a List.

    Args:
        objects: in their plain form.
        format_: of the text.
        captured_at: when the cluster was as it is, if known.
    """
    return b"".join(export_pieces(objects, format_, captured_at=captured_at))


def export_pieces(
    objects: Iterable[Mapping[str, Any]], format_: Format, *, captured_at: str = ""
) -> Iterator[bytes]:
    """Yields plain objects as a List, a piece of the text at a time; no more than one object is held.

    Args:
        objects: in their plain form.
        format_: of the text.
        captured_at: when the cluster was as it is, if known.
    """
    metadata = {CAPTURED_AT: captured_at} if captured_at else {}
    head = {"apiVersion": "v1", "kind": "List", "metadata": metadata}
    items = (_without_given(raw) for raw in objects)
    if format_ == "json":
        yield from _json_pieces(head, items)
    else:
        yield from _yaml_pieces(head, items)


def _json_pieces(head: Mapping[str, Any], items: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    yield _indented(head).removesuffix(b"\n}") + b',\n  "items": ['
    before = b"\n    "
    for item in items:
        yield before + _indented(item).replace(b"\n", b"\n    ")
        before = b",\n    "
    yield b"]\n}\n" if before == b"\n    " else b"\n  ]\n}\n"


def _indented(value: Mapping[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)


def _yaml_pieces(head: Mapping[str, Any], items: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    is_empty = True
    for item in items:
        if is_empty:
            yield (to_yaml(head) + "items:\n").encode()
        is_empty = False
        yield to_yaml([item]).encode("utf-8", "replace")
    if is_empty:
        yield (to_yaml(head) + "items: []\n").encode()


def to_yaml(document: Mapping[str, Any] | list[Mapping[str, Any]]) -> str:
    """Returns a plain value as YAML that every reader understands alike."""
    text: str = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1000)
    return text


def _without_given(raw: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {
        name: value for name, value in raw.get("metadata", {}).items() if name not in _GIVEN_BY_THE_SERVER
    }
    front = {name: raw[name] for name in ("apiVersion", "kind") if name in raw}
    return {
        **front,
        "metadata": metadata,
        **{key: raw[key] for key in raw if key not in (*front, "metadata")},
    }


class _Dumper(yaml.CSafeDumper):
    """Quotes every text that some reader might take for something else."""

    def ignore_aliases(self, data: Any) -> bool:
        """Writes what stands twice twice."""
        return True


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    is_plain = _PLAIN.fullmatch(text) is not None and text.lower() not in _NOT_TEXT
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if is_plain else '"')


_Dumper.add_representer(str, _represent_text)
