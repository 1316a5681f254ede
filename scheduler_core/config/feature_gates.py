"""Feature gates that change what is decided here, with v1.34.1's defaults.

Source: pkg/features/kube_features.go, defaultVersionedKubernetesFeatureGates, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.errors import NOT_SUPPORTED, FieldError, ManifestError

if TYPE_CHECKING:
    from collections.abc import Mapping

POP_FROM_BACKOFF_QUEUE: Final = "SchedulerPopFromBackoffQ"
QUEUEING_HINTS: Final = "SchedulerQueueingHints"

DEFAULTS: Final[Mapping[str, bool]] = {
    "MatchLabelKeysInPodTopologySpread": True,
    POP_FROM_BACKOFF_QUEUE: True,
    QUEUEING_HINTS: True,
    "StorageCapacityScoring": False,
    "VolumeAttributesClass": True,
}
LOCKED: Final = frozenset({QUEUEING_HINTS, "VolumeAttributesClass"})
"""Gates that v1.34 does not let anybody change."""


class FeatureGates:
    """The defaults with a run's changes."""

    def __init__(self, changes: Mapping[str, bool]) -> None:
        """Takes what differs from the defaults.

        Raises:
            ManifestError: a gate is not known here, or cannot be changed.
        """
        errors = [_error(name) for name in sorted(changes) if name not in DEFAULTS or name in LOCKED]
        if errors:
            raise ManifestError(errors)
        self._enabled = {**DEFAULTS, **changes}

    def enabled(self, name: str) -> bool:
        """Whether a gate is on.

        Raises:
            KeyError: the gate is not in DEFAULTS.
        """
        return self._enabled[name]


def _error(name: str) -> FieldError:
    if name in LOCKED:
        cause = "cannot be changed in v1.34"
    else:
        cause = f"supported values: {', '.join(sorted(DEFAULTS.keys() - LOCKED))}"
    return FieldError(
        file="options", field=f"feature_gates[{name}]", value=name, type=NOT_SUPPORTED, message=cause
    )
