"""A check's world as a run: the change as edits of a scenario, made once the cluster has come to rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.checks.change import in_order
from scheduler_core.checks.world import SETTLE_US

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.checks.check import Check
    from scheduler_core.checks.verdict import Counterexample, Verdict

AT: Final = f"{SETTLE_US // 1_000_000}s"
LOST_US: Final = 2 * SETTLE_US
"""When nodes go, where it is their loss that is shown."""


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The run that shows what a verdict says.

    Args:
        edits: the change, as a scenario has it.
        seed: for ties between nodes.
        horizon_us: when it ends at the latest.
        moved: what arrives elsewhere than in the files: of a counterexample.
        is_exact: whether it decides as the check did; not so where the check chose how ties fall.
    """

    edits: tuple[dict[str, Any], ...]
    seed: int
    horizon_us: int
    moved: tuple[str, ...] = ()
    is_exact: bool = True


def proof_of(check: Check, verdict: Verdict, without: Sequence[str] = ()) -> Proof:
    """Returns the run of a check: in the order of its files, or in the one in which something does not hold.

    Args:
        check: as it was asked.
        verdict: what came of it.
        without: nodes that go afterwards, as a finding names them.
    """
    lost = {"kind": "removeNodes", "at": f"{LOST_US // 1_000_000}s", "nodes": list(without)}
    robustness = verdict.robustness
    example = robustness.counterexample if robustness is not None else None
    items = in_order(check.change, _arrivals(check, example))
    return Proof(
        edits=(
            *({"kind": "apply", "at": AT, "objects": [item.raw]} for item in items),
            *({"kind": "delete", "at": AT, "object": key} for key in check.change.delete),
            *((lost,) if without else ()),
        ),
        seed=verdict.seed if example is None else example.seed,
        horizon_us=(LOST_US if without else SETTLE_US) + check.setup.options.horizon_us,
        moved=() if example is None else example.moved,
        is_exact=example is None or not example.ties,
    )


def _arrivals(check: Check, example: Counterexample | None) -> tuple[int, ...] | None:
    if example is None:
        return None
    positions = {item.key: position for position, item in enumerate(check.change.arriving)}
    return tuple(positions[key] for key in example.order)
