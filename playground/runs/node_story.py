"""Who was refused by a node, and why: read off the cycle details that are stored."""

from __future__ import annotations

import dataclasses

from playground.models import CycleDetail, CycleSummary, DetailStatus
from scheduler_core.trace import NodeAnswer, decode_detail, explain_node

MAX_PODS = 50
MAX_CYCLES = 500
MAX_BYTES = 8 << 20


@dataclasses.dataclass(frozen=True)
class NodeStory:
    """Answers about the last failed cycle of each pod, the latest first.

    Args:
        answers: what the node had to do with each.
        num_unread: pods whose cycle is not stored, or is too much to read at once.
    """

    answers: list[NodeAnswer]
    num_unread: int


def node_story(run_id: str, node: str, until: int) -> NodeStory:
    """Returns what a node had to do with the pods that found no place.

    Args:
        run_id: the run.
        node: its name.
        until: the last cycle that counts.
    """
    failed = CycleSummary.objects.filter(run_id=run_id, cycle__lte=until).exclude(result="scheduled")
    last: dict[str, int] = {}
    for pod, cycle in failed.order_by("-cycle").values_list("pod", "cycle")[:MAX_CYCLES]:
        last.setdefault(pod, cycle)
    cycles = list(last.values())[:MAX_PODS]
    stored = CycleDetail.objects.filter(run_id=run_id, cycle__in=cycles, status=DetailStatus.STORED)
    answers = []
    num_bytes = 0
    for payload in stored.order_by("-cycle").values_list("payload", flat=True).iterator(chunk_size=8):
        assert payload is not None
        num_bytes += len(payload)
        if num_bytes > MAX_BYTES:
            break
        answers.append(explain_node(decode_detail(payload), node))
    return NodeStory(answers, len(last) - len(answers))
