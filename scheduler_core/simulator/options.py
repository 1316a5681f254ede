"""What a run depends on besides its objects and its configuration."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from scheduler_core.clock import DEFAULT_EPOCH_US, MICROSECONDS

MILLISECOND_US: Final = 1000


class SimulatorOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that changes a run's outcome. Times are virtual microseconds.

    Args:
        epoch_us: wall-clock time of t = 0, microseconds since 1970
        seed: for all that is drawn
        tie_break: who wins among nodes with the same total
        arrival: order of the pending pods at the start: by creationTimestamp, then name, or as given
        put_us: how far the clock moves for every pod put
        attempt_us: how far the clock moves before each attempt
        bind_us: how long a binding cycle takes; None binds within the attempt
        flushes: whether the queue's background flushes run (1 s; 30 s for pods older than 5 min)
        horizon_us: when a run ends at the latest
        parallelism: how many nodes are judged at once; only 1, for with more the sample of nodes would be chance
        preemption_offset: where preemption starts to look: 0, or drawn with the seed
        volume_driver: CSI driver of provisioned volumes; None for the provisioner of their storage class
        feature_gates: gates that are not at v1.34.1's defaults (``config/feature_gates.py`` has those that matter)
        unknown_plugins: whether a configuration with plugins that are not known here is refused, or they are left
            out with a note
        admission: whether pods that were never admitted are: all plugins, or their priority only
        controllers: which run: all, none, or those that are named (``controllers/in_tree.py``)
        controller_us: how long a controller takes to answer a change
        max_pods: with more the run ends and says so
        max_steps: so many cycles and steps of controllers and edits are done at most
        reuse: whether answers for equal pods are reused; without it every attempt asks anew, to compare with
    """

    epoch_us: int = DEFAULT_EPOCH_US
    seed: int = 0
    tie_break: Literal["random", "lowest-name"] = "random"
    arrival: Literal["creation", "given"] = "creation"
    put_us: int = 0
    attempt_us: int = MILLISECOND_US
    bind_us: int | None = 3 * MILLISECOND_US
    flushes: bool = True
    horizon_us: int = 600 * MICROSECONDS
    parallelism: Literal[1] = 1
    preemption_offset: Literal["random", "zero"] = "random"
    volume_driver: str | None = None
    feature_gates: dict[str, bool] = {}
    unknown_plugins: Literal["refuse", "leave-out"] = "refuse"
    admission: Literal["all", "priority"] = "all"
    controllers: Literal["all", "off"] | tuple[str, ...] = "all"
    controller_us: int = MILLISECOND_US
    max_pods: int = 200_000
    max_steps: int = 10_000_000
    reuse: bool = True


DEFAULT: Final = SimulatorOptions()
"""As a real cluster runs."""

CONFORMANCE: Final = SimulatorOptions(
    tie_break="lowest-name",
    arrival="given",
    put_us=MILLISECOND_US,
    bind_us=None,
    flushes=False,
    preemption_offset="zero",
    volume_driver="ebs.csi.example",
    admission="priority",
    controllers="off",
)
"""As the recorded cases were run: ties and offsets fixed, bindings at once, no flushes, no controllers."""
