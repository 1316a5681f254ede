"""What a pod tells the simulated kubelet by its annotations, and a node of its own kubelet.

| annotation of a pod | means | without it |
| --- | --- | --- |
| ``scheduler-playground/start-delay`` | from the binding to running containers | 1s |
| ``scheduler-playground/ready-delay`` | from running to ready; ``never`` | 0 |
| ``scheduler-playground/run-time`` | from running to the containers' end | never |
| ``scheduler-playground/exit-code`` | with what they end; with commas, that of each run in turn | 0 |
| ``scheduler-playground/stop-time`` | from the deletion to the end, at most the grace period | the grace period |

On a node ``scheduler-playground/kubelet: stopped`` means that it is lost: nothing is heard of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.simulator.controllers.kubelet.durations import EXPECTED, DurationError, draw_duration

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.scheduler.tie_break import SplitMix64

PREFIX: Final = "scheduler-playground/"
START_DELAY: Final = f"{PREFIX}start-delay"
READY_DELAY: Final = f"{PREFIX}ready-delay"
RUN_TIME: Final = f"{PREFIX}run-time"
EXIT_CODE: Final = f"{PREFIX}exit-code"
STOP_TIME: Final = f"{PREFIX}stop-time"
KUBELET: Final = f"{PREFIX}kubelet"
STOPPED: Final = "stopped"

_DEFAULTS: Final = {START_DELAY: "1s", READY_DELAY: "0", RUN_TIME: "never", STOP_TIME: "never"}


class AnnotationError(ValueError):
    """An annotation says nothing that can be followed; the message tells what was expected."""


def duration_of(pod: Pod, name: str, random: SplitMix64) -> int | None:
    """Returns microseconds, or None for never.

    Raises:
        AnnotationError: the text is neither a duration nor a distribution.
    """
    text = pod.metadata.annotations.get(name, _DEFAULTS[name])
    try:
        return draw_duration(text, random)
    except DurationError:
        raise AnnotationError(f'annotation {name}: "{text}" is no duration; expected {EXPECTED}') from None


def exit_code_of(pod: Pod, run: int) -> int:
    """Returns the exit code of the containers' run, counted from 0; the last one named counts for all further.

    Raises:
        AnnotationError: the text is no list of exit codes.
    """
    text = pod.metadata.annotations.get(EXIT_CODE, "0")
    codes = [code.strip() for code in text.split(",")]
    if not all(code.isascii() and code.isdigit() and len(code) <= 3 and int(code) <= 255 for code in codes):
        raise AnnotationError(
            f'annotation {EXIT_CODE}: "{text}" is no exit code; expected such as 1 or 1,1,0'
        )
    return int(codes[min(run, len(codes) - 1)])


def has_annotations(pod: Pod) -> bool:
    """Returns whether a pod tells the kubelet anything."""
    return any(name.startswith(PREFIX) for name in pod.metadata.annotations)


def check(pod: Pod, random: SplitMix64) -> None:
    """Looks whether a pod's annotations can be followed.

    Raises:
        AnnotationError: one cannot.
    """
    if has_annotations(pod):
        for name in _DEFAULTS:
            duration_of(pod, name, random)
        exit_code_of(pod, 0)


def is_kubelet_stopped(node: Node) -> bool:
    """Returns whether a node is lost."""
    return node.metadata.annotations.get(KUBELET) == STOPPED
