"""Which function judges which expectation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.checks.judging.daemon_set_growth import judge_daemon_set_growth
from scheduler_core.checks.judging.headroom import judge_headroom
from scheduler_core.checks.judging.loss import judge_survives_loss
from scheduler_core.checks.judging.preemption import judge_no_preemption, judge_none_newly_pending
from scheduler_core.checks.judging.quotas import judge_quotas_hold
from scheduler_core.checks.judging.rolling_update import judge_rolling_update
from scheduler_core.checks.judging.scheduled import judge_all_scheduled, judge_scheduled
from scheduler_core.checks.judging.skew import judge_max_skew
from scheduler_core.checks.judging.warnings import judge_no_warnings

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.checks.case import Case, Judgement
    from scheduler_core.checks.expectations import Expected

_JUDGES: Final[dict[str, Callable[[Any, Case], Judgement]]] = {
    "allScheduled": judge_all_scheduled,
    "scheduled": judge_scheduled,
    "noPreemption": judge_no_preemption,
    "noneNewlyPending": judge_none_newly_pending,
    "maxSkew": judge_max_skew,
    "headroom": judge_headroom,
    "survivesLoss": judge_survives_loss,
    "rollingUpdate": judge_rolling_update,
    "daemonSetGrowth": judge_daemon_set_growth,
    "quotasHold": judge_quotas_hold,
    "noWarnings": judge_no_warnings,
}


def judge(expected: Expected, case: Case) -> Judgement:
    """Judges one expectation."""
    return _JUDGES[expected.type](expected.expectation, case)
