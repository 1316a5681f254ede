"""What a plugin says of a pod: a code, the reasons and the plugin that said it.

Source: staging/src/k8s.io/kube-scheduler/framework/interface.go, Code and Status, v1.34.1
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Code(IntEnum):
    """Status codes in upstream's order."""

    SUCCESS = 0
    ERROR = 1
    UNSCHEDULABLE = 2
    UNSCHEDULABLE_AND_UNRESOLVABLE = 3
    WAIT = 4
    SKIP = 5
    PENDING = 6


CODE_NAMES: Final = {
    Code.SUCCESS: "Success",
    Code.ERROR: "Error",
    Code.UNSCHEDULABLE: "Unschedulable",
    Code.UNSCHEDULABLE_AND_UNRESOLVABLE: "UnschedulableAndUnresolvable",
    Code.WAIT: "Wait",
    Code.SKIP: "Skip",
    Code.PENDING: "Pending",
}

_REJECTIONS: Final = frozenset({Code.UNSCHEDULABLE, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, Code.PENDING})


class PluginError(ValueError):
    """A plugin met an error at a point that does not answer with a status; its text is the status's message."""


class Status:
    """An immutable verdict. ``None`` stands for success wherever a status is optional.

    ``is_success``: the plugin has nothing against the pod; ``is_rejected``: it refused it (and met no error);
    ``is_skip``: it asked to be left out of the rest of the cycle; ``is_wait``: Permit asked the pod to wait.
    """

    __slots__ = ("code", "is_rejected", "is_skip", "is_success", "is_wait", "plugin", "reasons")

    def __init__(self, code: Code, reasons: tuple[str, ...] = (), plugin: str = "") -> None:
        self.code = code
        self.reasons = reasons
        self.plugin = plugin
        self.is_success = code == Code.SUCCESS
        self.is_rejected = code in _REJECTIONS
        self.is_skip = code == Code.SKIP
        self.is_wait = code == Code.WAIT

    def __repr__(self) -> str:
        return f"Status({CODE_NAMES[self.code]}, {self.reasons!r}, plugin={self.plugin!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Status):
            return NotImplemented
        return (self.code, self.reasons, self.plugin) == (other.code, other.reasons, other.plugin)

    def __hash__(self) -> int:
        return hash((self.reasons, self.plugin))

    @property
    def code_name(self) -> str:
        """The code as upstream prints it."""
        return CODE_NAMES[self.code]

    @property
    def message(self) -> str:
        """The reasons in one line, joined as upstream joins them."""
        return ", ".join(self.reasons)

    def with_plugin(self, plugin: str) -> Status:
        """The same status, said by ``plugin``."""
        return self if self.plugin == plugin else Status(self.code, self.reasons, plugin)


SKIP: Final = Status(Code.SKIP)


def unschedulable(*reasons: str) -> Status:
    """A refusal that preemption may resolve."""
    return Status(Code.UNSCHEDULABLE, reasons)


def unresolvable(*reasons: str) -> Status:
    """A refusal that preemption cannot resolve."""
    return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, reasons)


def error(message: str) -> Status:
    """An internal error: the attempt is retried after the error backoff."""
    return Status(Code.ERROR, (message,))
