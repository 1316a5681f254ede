"""What is said to do about an amount that Kubernetes does not take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api import ManifestError, QuantityError, parse_quantity
from scheduler_core.api.hints import quantity_hint
from tests.core.api.reading import load


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("6GiB", "write 6Gi"),
        ("6Gib", "write 6Gi"),
        ("512MB", "write 512M"),
        ("512mi", "write 512Mi"),
        ("100 Mi", "write 100Mi"),
        ("1,5", "write 1.5"),
        ("2 cores", "write 2"),
        ("250 millicores", "write 250m"),
        ("64kb", "write 64k"),
        ("6g", "write 6G or 6Gi"),
        ("2K", "write 2k or 2Ki"),
        ("-1GB", "write -1G"),
        ("1,500", ""),
        ("half", ""),
        ("", ""),
        ("1 2", ""),
        ("1GiBs", ""),
        (["1"], ""),
        (None, ""),
    ],
)
def test_the_hint(value: object, hint: str) -> None:
    assert quantity_hint(value) == hint


@given(st.text(max_size=8) | st.from_regex(r"[0-9]{1,3}[.,]?[0-9]{0,3} ?[a-zA-Z]{0,6}", fullmatch=True))
def test_what_is_advised_is_always_taken(value: str) -> None:
    hint = quantity_hint(value)
    for written in hint.removeprefix("write ").split(" or ") if hint else ():
        try:
            parse_quantity(written)
        except QuantityError:
            pytest.fail(f"{value!r}: {hint}")


def test_the_hint_stands_beside_upstream_s_message_not_in_it() -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, "
        "resources: {requests: {memory: 6GiB}}}]}\n"
    )
    with pytest.raises(ManifestError) as caught:
        load(text)
    (error,) = caught.value.errors
    assert error.hint == "write 6Gi"
    assert "6Gi" not in error.message
    assert error.sentence().endswith(f"{error.message} (write 6Gi)")
    assert "write 6Gi" not in error.words()
