"""Fields that Kubernetes does not know are told of once, with how often they are there."""

from __future__ import annotations

from typing import Any

from scheduler_core.api import Source, canonical, load_manifests


def warnings(*specs: dict[str, Any], kind: str = "Pod") -> tuple[str, ...]:
    items = [{"metadata": {"name": f"p{index}"}, "spec": spec} for index, spec in enumerate(specs)]
    listed = {"apiVersion": "v1", "kind": f"{kind}List", "items": items}
    return load_manifests([Source("x", canonical(listed))]).warnings


def test_an_unknown_field_is_a_warning_of_an_import() -> None:
    assert warnings(
        {"nodename": "n1"}, {"containers": [{"name": "a", "resource": {}}]}, {"nodename": "n2"}
    ) == (
        'unknown field "spec.nodename" is not read: Pod p0 and 1 more',
        'unknown field "spec.containers[].resource" is not read: Pod p1',
    )


def test_fields_that_are_known_or_of_kinds_we_have_no_list_for_are_none() -> None:
    assert (
        warnings({"dnsPolicy": "Default", "containers": [{"name": "a", "env": [{"name": "x", "odd": 1}]}]})
        == ()
    )
    assert warnings({"anything": 1}, kind="Service") == ()


def test_many_different_ones_are_not_all_listed() -> None:
    told = warnings({f"odd{number}": 1 for number in range(70)})
    assert len(told) == 51
    assert told[-1] == "20 more unknown fields are not listed"
