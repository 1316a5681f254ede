"""What a plain YAML scalar means."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.yaml_scalars import key_text, resolve_plain, resolve_scalar


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("NULL", None),
        ("true", True), ("Yes", True), ("on", True), ("off", False), ("FALSE", False),
        ("y", "y"), ("n", "n"), ("N", "N"), ("yES", "yES"),
        ("1", 1), ("-1", -1), ("+1", 1), ("1_000", 1000), ("012", 10), ("0o12", 10), ("0x1F", 31), ("0b101", 5),
        ("08", 8), ("1.0", 1), ("1.5", 1.5), (".5", 0.5), ("-.5", -0.5), ("1e3", 1000), ("1e21", 1e21),
        ("12345678901234567890123", 12345678901234567890123),
        ("1:30", "1:30"), ("2024-05-14", "2024-05-14"), ("2024-05-14T10:00:05Z", "2024-05-14T10:00:05Z"),
        ("1e400", "1e400"), (".inf", ".inf"), (".", "."), ("-", "-"), ("1.2.3", "1.2.3"), ("100m", "100m"),
        ("nginx", "nginx"), ("0x", "0x"), ("1e", "1e"), ("_1", "_1"),
    ],
)  # fmt: skip
def test_plain_scalars_are_read_as_kubectl_reads_them(text: str, value: Any) -> None:
    resolved = resolve_plain(text)
    assert resolved == value
    assert type(resolved) is type(value)


def test_what_is_quoted_or_tagged_as_text_stays_text() -> None:
    assert resolve_scalar("1", None, plain=False) == "1"
    assert resolve_scalar("1", "tag:yaml.org,2002:str", plain=True) == "1"
    assert resolve_scalar("1", "!", plain=True) == "1"
    assert resolve_scalar("1", "!Ref", plain=True) == "1"


def test_a_core_tag_resolves_what_is_quoted() -> None:
    assert resolve_scalar("1", "tag:yaml.org,2002:int", plain=False) == 1


@pytest.mark.parametrize(
    ("value", "text"), [("a", "a"), (1, "1"), (True, "true"), (False, "false"), (None, "null"), (1.5, "1.5")]
)
def test_keys_become_texts(value: Any, text: str) -> None:
    assert key_text(value) == text


@given(st.text(max_size=20))
def test_every_text_means_something(text: str) -> None:
    assert isinstance(resolve_plain(text), str | int | float | bool | None)
