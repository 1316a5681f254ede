"""Which taints a pod does not put up with.

Source: component-helpers/scheduling/corev1/helpers.go, FindMatchingUntoleratedTaint, and
pkg/scheduler/framework/plugins/helper/taint.go, DoNotScheduleTaintsFilterFunc, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.api.taints import NO_EXECUTE, NO_SCHEDULE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.taints import Taint, Toleration

DO_NOT_SCHEDULE: Final = frozenset((NO_SCHEDULE, NO_EXECUTE))
"""Effects that keep a pod off a node."""


def tolerations_tolerate(tolerations: Iterable[Toleration], taint: Taint) -> bool:
    """Whether any of the tolerations covers the taint."""
    return any(toleration.tolerates(taint) for toleration in tolerations)


def find_untolerated_taint(
    taints: Iterable[Taint], tolerations: Iterable[Toleration], effects: frozenset[str] = DO_NOT_SCHEDULE
) -> Taint | None:
    """The first taint with one of the effects that no toleration covers."""
    for taint in taints:
        if taint.effect in effects and not tolerations_tolerate(tolerations, taint):
            return taint
    return None
