"""Which taints a toleration covers."""

from __future__ import annotations

import pytest

from scheduler_core.api.taints import Taint, Toleration

TAINT = Taint(key="spot", value="true", effect="NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "tolerates"),
    [
        (Toleration(key="spot", operator="Equal", value="true", effect="NoSchedule"), True),
        (Toleration(key="spot", value="true"), True),
        (Toleration(key="spot", value="false"), False),
        (Toleration(key="spot", operator="Exists"), True),
        (Toleration(key="spot", operator="Exists", effect="NoExecute"), False),
        (Toleration(key="other", operator="Exists"), False),
        (Toleration(operator="Exists"), True),
        (Toleration(operator="Exists", effect="NoSchedule"), True),
        (Toleration(value="true"), True),
        (Toleration(key="spot", operator="In", value="true"), False),
    ],
)
def test_key_effect_and_value_must_agree(toleration: Toleration, tolerates: bool) -> None:
    assert toleration.tolerates(TAINT) is tolerates
