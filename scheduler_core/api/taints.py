"""Taints of nodes and tolerations of pods.

Source: api/core/v1/toleration.go, ToleratesTaint, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.meta import Int64, KubeStruct, Time

NO_SCHEDULE = "NoSchedule"
PREFER_NO_SCHEDULE = "PreferNoSchedule"
NO_EXECUTE = "NoExecute"


class Taint(KubeStruct, frozen=True, kw_only=True):
    """What keeps pods that do not tolerate it off a node."""

    other_fields = frozenset()

    key: str = ""
    value: str = ""
    effect: str = ""
    time_added: Time | None = None


class Toleration(KubeStruct, frozen=True, kw_only=True):
    """What a pod puts up with."""

    other_fields = frozenset()

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: Int64 | None = None

    def tolerates(self, taint: Taint) -> bool:
        """Returns whether the taint is tolerated; an empty effect or key stands for any."""
        if self.effect and self.effect != taint.effect:
            return False
        if self.key and self.key != taint.key:
            return False
        if self.operator in ("", "Equal"):
            return self.value == taint.value
        return self.operator == "Exists"
