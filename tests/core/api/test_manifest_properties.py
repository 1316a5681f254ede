"""Whatever comes in: read or refused, never more; and what is kept reads the same again, from JSON and from YAML."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from scheduler_core.api import FieldError, ManifestError, Source, canonical, load_manifests

names = st.from_regex(r"[a-z]([-a-z0-9]{0,10}[a-z0-9])?", fullmatch=True)
# Without what YAML takes for a line's end or not at all.
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn", "Cs", "Zl", "Zp"]), max_size=8)
labels = st.dictionaries(names, texts, max_size=3)
quantities = st.sampled_from(["1", "100m", "1Gi", "0", "1.5", "2e3", 1, 0.5])
resources = st.fixed_dictionaries(
    {},
    optional={
        name: st.dictionaries(st.sampled_from(["cpu", "memory", "x/y"]), quantities)
        for name in ("requests", "limits")
    },
)
nulls = st.none()
containers = st.fixed_dictionaries(
    {"name": names},
    optional={
        "resources": resources | nulls,
        "image": names,
        "ports": st.lists(st.fixed_dictionaries({"containerPort": st.integers(1, 65535)}), max_size=2),
    },
)
expressions = st.fixed_dictionaries(
    {"key": names, "operator": st.sampled_from(["In", "Exists"])},
    optional={"values": st.lists(names, max_size=2)},
)
selectors = st.fixed_dictionaries(
    {}, optional={"matchLabels": labels, "matchExpressions": st.lists(expressions, max_size=2)}
)
terms = st.fixed_dictionaries(
    {"topologyKey": names},
    optional={"labelSelector": selectors | nulls, "namespaces": st.lists(names, max_size=2)},
)
specs = st.fixed_dictionaries(
    {"containers": st.lists(containers, max_size=2)},
    optional={
        "nodeName": names | nulls,
        "priority": st.integers(-(2**31), 2**31 - 1) | nulls,
        "hostNetwork": st.booleans(),
        "nodeSelector": labels | nulls,
        "overhead": st.dictionaries(st.just("cpu"), quantities),
        "affinity": st.fixed_dictionaries(
            {
                "podAffinity": st.fixed_dictionaries(
                    {"requiredDuringSchedulingIgnoredDuringExecution": st.lists(terms, max_size=2)}
                )
            }
        ),
        "unknownField": st.lists(st.integers() | texts | nulls, max_size=3),
    },
)
pods = st.fixed_dictionaries(
    {
        "apiVersion": st.just("v1"),
        "kind": st.just("Pod"),
        "metadata": st.fixed_dictionaries(
            {"name": names}, optional={"namespace": names, "labels": labels | nulls}
        ),
        "spec": specs,
    },
    optional={"status": st.fixed_dictionaries({"phase": st.sampled_from(["Pending", "Running"])}) | nulls},
)


def refusal_of(text: str | bytes) -> tuple[FieldError, ...]:
    try:
        load_manifests([Source("dump", text)])
    except ManifestError as refusal:
        return refusal.errors
    return ()


def load(text: str | bytes) -> list[Any]:
    return load_manifests([Source("dump", text)]).objects


@given(pods)
def test_what_is_kept_reads_the_same_again(pod: dict[str, Any]) -> None:
    (first,) = load(json.dumps(pod))
    (again,) = load(first.canonical)
    assert again == first
    assert canonical(again.raw) == first.canonical


@given(pods)
def test_json_and_yaml_are_read_alike(pod: dict[str, Any]) -> None:
    from_json = load(json.dumps(pod))
    assert load(yaml.safe_dump(pod, allow_unicode=True, default_style='"')) == from_json
    assert load("---\n" + json.dumps(pod, ensure_ascii=False, indent=2)) == from_json


@given(
    st.lists(
        pods,
        max_size=3,
        unique_by=lambda pod: (pod["metadata"].get("namespace", "default"), pod["metadata"]["name"]),
    )
)
def test_a_list_is_the_same_as_its_items_one_after_the_other(several: list[dict[str, Any]]) -> None:
    if several:
        together = load(json.dumps({"apiVersion": "v1", "kind": "List", "items": several}))
        assert together == load("\n".join(map(json.dumps, several)))
        assert together == load("\n---\n".join(json.dumps(pod, ensure_ascii=False) for pod in several))


fragments = st.sampled_from(
    [
        *(
            "apiVersion: v1\n",
            "kind: Pod\n",
            "metadata:\n",
            "  name: a\n",
            "- x\n",
            "---\n",
            "&a ",
            "*a",
            "<<: ",
        ),
        *(
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            '"',
            "'",
            "|\n",
            "# c\n",
            "\t",
            "\r\n",
            "null",
            "1",
            "!!int ",
            "?",
            "é",
        ),
        *("%YAML 1.2\n", "...\n", "\x85", "\x00"),
    ]
)


@given(st.lists(fragments, max_size=12).map("".join) | st.text(max_size=30) | st.binary(max_size=30))
@example("a: &a\n  b: *a")
@example("- - - - ? - ? -")
@example('{"kind": "List", "items": [{"kind": "List", "items": [1]}]}')
def test_any_text_is_read_or_refused_with_places(text: str | bytes) -> None:
    for error in refusal_of(text):
        assert error.file == "dump"
        assert error.line is not None
        assert error.column is not None
        assert error.message


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["kind", "apiVersion", "items", "metadata", "spec", "name", "containers"]),
                inner,
                max_size=4,
            )
        ),
    )
)
def test_any_json_is_read_or_refused(value: Any) -> None:
    for text in (json.dumps(value), "---\n" + json.dumps(value)):
        assert all(error.line is not None for error in refusal_of(text))
