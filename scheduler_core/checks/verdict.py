"""The verdict of a check: one object, from which every report is made.

Its JSON form has a schema (`schema.verdict_schema`); fields are added, never given another meaning, under one
``apiVersion``.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from scheduler_core.checks.expectations import API_VERSION

VERDICT_VERSION: Final = API_VERSION
KUBERNETES_VERSION: Final = "v1.34.1"
EXIT_HOLDS: Final = 0
EXIT_FAILS: Final = 1
EXIT_TOO_OLD: Final = 3

Outcome = Literal["pass", "fail", "too-old", "cancelled"]
Status = Literal["pass", "fail", "not-worse"]


class _Part(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Base of all parts."""


class Location(_Part, frozen=True, kw_only=True):
    """A place in a file of the input, and the field that stands there."""

    file: str
    line: int
    column: int
    field: str = ""
    object: str = ""


class Shortfall(_Part, frozen=True, kw_only=True):
    """How much is missing, in the resource's unit as a number and as text.

    Args:
        resource: "cpu", "pods", "skew", "seconds" …
        node: where, if it is one node's: the one that is least short.
        wanted: what is needed.
        available: what there is.
        short: the difference.
        unit: "m" (milli-cores), "bytes", "s", or empty for a count.
        text: the same for people: "asked 500m, free 380m of 4: short by 120m".
    """

    resource: str
    node: str = ""
    wanted: float
    available: float
    short: float
    unit: str = ""
    text: str = ""


class Finding(_Part, frozen=True, kw_only=True):
    """One reason why an expectation does not hold.

    Args:
        message: a sentence.
        plugin: the scheduler's plugin that decides, or empty.
        pods: those it is about, the first of them.
        num_pods: how many there are.
        nodes: those that decide, the first of them.
        num_nodes: how many there are.
        shortfalls: what is missing, in numbers.
        remedies: what would help, a sentence each; any of them.
        location: the field of the manifests that blocks.
        without: nodes that were taken away for it, where it is about their loss; none where they are very many.
    """

    message: str
    plugin: str = ""
    pods: tuple[str, ...] = ()
    num_pods: int = 0
    nodes: tuple[str, ...] = ()
    num_nodes: int = 0
    shortfalls: tuple[Shortfall, ...] = ()
    remedies: tuple[str, ...] = ()
    location: Location | None = None
    without: tuple[str, ...] = ()


class OrdersHeld(_Part, frozen=True, kw_only=True):
    """In how many of the orders that were tried something held.

    Args:
        held: in so many.
        tried: of so many.
        always: whether these are all orders and all ties there can be, and it held in each.
    """

    held: int
    tried: int
    always: bool = False


class Result(_Part, frozen=True, kw_only=True):
    """What became of one expectation."""

    id: str
    type: str
    name: str = ""
    status: Status
    message: str
    findings: tuple[Finding, ...] = ()
    orders: OrdersHeld | None = None
    location: Location | None = None


class Placement(_Part, frozen=True, kw_only=True):
    """Where a pod of the change goes.

    Args:
        pod: "namespace/name".
        node: its node.
        workload: what the pod belongs to, as "Kind/namespace/name".
        seconds: virtual time from the change to the binding.
    """

    pod: str
    node: str
    workload: str = ""
    seconds: float = 0.0


class Pending(_Part, frozen=True, kw_only=True):
    """A pod without a node at the end; ``is_new``: it would have one, or would not be there, without the change."""

    pod: str
    workload: str = ""
    message: str = ""
    plugins: tuple[str, ...] = ()
    is_new: bool = True


class Victim(_Part, frozen=True, kw_only=True):
    """A pod that was preempted."""

    pod: str
    priority: int
    node: str
    preemptor: str


class ManifestWarning(_Part, frozen=True, kw_only=True):
    """What looks wrong in the manifests, though it can be so."""

    kind: str
    message: str
    object: str = ""
    location: Location | None = None


class Counterexample(_Part, frozen=True, kw_only=True):
    """An order in which an expectation does not hold, as near to that of the files as one was found.

    Args:
        order: the objects that make pods, in the order in which they are applied.
        moved: those that stand elsewhere than in the files; none: only ties fell differently.
        seed: with which it comes about.
        ties: where ties were enumerated: who was taken at each, from 0.
        failing: ids of the expectations that do not hold.
    """

    order: tuple[str, ...]
    moved: tuple[str, ...] = ()
    seed: int = 0
    ties: tuple[int, ...] = ()
    failing: tuple[str, ...] = ()


class Robustness(_Part, frozen=True, kw_only=True):
    """How the check went in other orders; ``held``: all expectations together."""

    tried: int
    held: int
    always: bool = False
    counterexample: Counterexample | None = None


class Snapshot(_Part, frozen=True, kw_only=True):
    """How old the cluster's data are."""

    captured_at: str = ""
    checked_at: str = ""
    age_seconds: float | None = None
    max_age_seconds: float | None = None


class Counts(_Part, frozen=True, kw_only=True):
    """How much there was to look at."""

    nodes: int = 0
    bound_pods: int = 0
    manifests: int = 0
    deletions: int = 0
    pods: int = 0
    placed: int = 0
    pending: int = 0


class Verdict(_Part, frozen=True, kw_only=True):
    """All that a check says; ``files`` are the manifests' names."""

    api_version: Literal["playground/v1"] = "playground/v1"
    kind: Literal["Verdict"] = "Verdict"
    name: str = ""
    outcome: Outcome
    summary: str
    engine_version: str = ""
    kubernetes_version: str = KUBERNETES_VERSION
    seed: int = 0
    snapshot: Snapshot = Snapshot()
    counts: Counts = Counts()
    files: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()
    placements: tuple[Placement, ...] = ()
    pending: tuple[Pending, ...] = ()
    victims: tuple[Victim, ...] = ()
    robustness: Robustness | None = None
    warnings: tuple[ManifestWarning, ...] = ()
    notes: tuple[str, ...] = ()


def exit_code(verdict: Verdict) -> int:
    """Returns the command line's exit code: 0 holds, 1 does not (or was cancelled), 3 too old."""
    if verdict.outcome == "too-old":
        return EXIT_TOO_OLD
    return EXIT_HOLDS if verdict.outcome == "pass" else EXIT_FAILS


def encode_verdict(verdict: Verdict) -> bytes:
    """Returns a verdict as JSON."""
    return msgspec.json.encode(verdict)


def decode_verdict(data: bytes) -> Verdict:
    """Returns a verdict that was written as JSON.

    Raises:
        msgspec.DecodeError: it is none.
    """
    return msgspec.json.decode(data, type=Verdict)
