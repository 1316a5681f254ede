from __future__ import annotations

import pytest

from scheduler_core.config import FeatureGates
from scheduler_core.errors import ManifestError


def test_gates_are_at_their_defaults_unless_changed() -> None:
    gates = FeatureGates({"StorageCapacityScoring": True})
    assert gates.enabled("StorageCapacityScoring")
    assert not FeatureGates({}).enabled("StorageCapacityScoring")
    assert gates.enabled("SchedulerPopFromBackoffQ")


def test_unknown_and_locked_gates_are_refused_together() -> None:
    with pytest.raises(ManifestError) as refused:
        FeatureGates({"SchedulerQueueingHints": False, "FasterPods": True})
    assert [error.sentence() for error in refused.value.errors] == [
        (
            'options: feature_gates[FasterPods]: Unsupported value: "FasterPods": supported values: '
            "MatchLabelKeysInPodTopologySpread, SchedulerPopFromBackoffQ, StorageCapacityScoring"
        ),
        (
            'options: feature_gates[SchedulerQueueingHints]: Unsupported value: "SchedulerQueueingHints": '
            "cannot be changed in v1.34"
        ),
    ]
