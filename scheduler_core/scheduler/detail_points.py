"""What each extension point of a cycle did, plugin by plugin, in the order of the cycle."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scheduler_core.scheduler.attempt import EXTENDER
from scheduler_core.trace.detail import CallDetail, PointDetail

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.framework.interface import Plugin
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.status import Status
    from scheduler_core.scheduler.attempt import Attempt
    from scheduler_core.scheduler.find_nodes import FoundNodes
    from scheduler_core.trace.detail import Did

_POINTS = (
    "PreFilter", "Filter", "PostFilter", "PreScore", "Score",
    "Reserve", "Permit", "PreBind", "Bind", "PostBind",
)  # fmt: skip


def points_detail(attempt: Attempt) -> tuple[PointDetail, ...]:
    """All points; those that the cycle did not get to say nothing, those of the binding cycle are told by events."""
    found, framework = attempt.found_nodes, attempt.framework
    if found is None or framework is None:
        failed = _failed_point(attempt.failure_message)
        return tuple(
            PointDetail(name, "error", attempt.failure_message)
            if attempt.is_error and name == failed
            else PointDetail(name)
            for name in _POINTS
        )
    points = [
        _pre_filter(attempt, found),
        _filter(framework, attempt, found),
        _post_filter(framework, attempt),
    ]
    points += _scores(framework, attempt, found)
    points += _with_a_node(framework, attempt)
    return tuple(points)


def _failed_point(message: str) -> str:
    """The point that an error came from, by upstream's words."""
    for name, words in (
        ("PreFilter", "PreFilter plugin"),
        ("Filter", "filter plugin"),
        ("PreScore", "PreScore"),
    ):
        if words in message:
            return name
    return "Filter"


def _pre_filter(attempt: Attempt, found: FoundNodes) -> PointDetail:
    calls = []
    for plugin, result, said in found.pre_filter.by_plugin:
        if said is not None and said.is_skip:
            calls.append(CallDetail(plugin, "skipped", "has nothing to say of this pod"))
        elif said is not None and not said.is_success:
            calls.append(CallDetail(plugin, "refused", said.message))
        elif result is not None and result.node_names is not None:
            calls.append(
                CallDetail(plugin, text=f"leaves {len(result.node_names)} of {attempt.num_nodes} nodes")
            )
        else:
            calls.append(CallDetail(plugin))
    status = found.pre_filter.status
    if status is not None:
        return PointDetail("PreFilter", "refused", status.message, tuple(calls))
    narrowed = found.pre_filter.result.node_names
    text = "" if narrowed is None else f"{len(found.candidates)} of {attempt.num_nodes} nodes left"
    return PointDetail("PreFilter", "ran", text, tuple(calls))


def _filter(framework: Framework, attempt: Attempt, found: FoundNodes) -> PointDetail:
    if found.pre_filter.status is not None:
        return PointDetail("Filter")
    refused: Counter[str] = Counter()
    for status, number in found.diagnosis.node_to_status.counts():
        refused[status.plugin or EXTENDER] += number
    skipped = attempt.state.skip_filter_plugins if attempt.state else frozenset()
    names = [plugin.name for plugin in framework.filter_plugins]
    names += [name for name in refused if name not in names]
    calls = [
        CallDetail(name, "skipped", "skipped by its PreFilter")
        if name in skipped
        else CallDetail(name, "refused", f"refused {refused[name]}")
        if refused[name]
        else CallDetail(name)
        for name in names
    ]
    evaluated = len(found.rows) + len(found.diagnosis.node_to_status)
    text = f"{len(found.rows)} of {evaluated} fit"
    return PointDetail("Filter", "ran" if len(found.rows) else "refused", text, tuple(calls))


def _post_filter(framework: Framework, attempt: Attempt) -> PointDetail:
    status = attempt.post_filter
    if status is None:
        return PointDetail("PostFilter")
    did: Did = "ran" if status.is_success else "refused" if status.is_rejected else "error"
    text = status.message
    if status.is_success:
        number = len(attempt.victims)
        text = (
            f"evicts {number} from {attempt.nominated_node}"
            if number
            else f"nominates {attempt.nominated_node}"
        )
    calls = tuple(CallDetail(plugin.name, did) for plugin in framework.post_filter_plugins)
    return PointDetail("PostFilter", did, text, calls)


def _scores(framework: Framework, attempt: Attempt, found: FoundNodes) -> list[PointDetail]:
    scores = attempt.scores
    if scores is None:
        text = "one node fits: nothing to rank" if len(found.rows) == 1 else ""
        return [PointDetail("PreScore"), PointDetail("Score", text=text)]
    skipped = attempt.state.skip_score_plugins if attempt.state else frozenset()
    pre_score = [
        CallDetail(plugin.name, "skipped", "has nothing to rank by")
        if plugin.name in skipped
        else CallDetail(plugin.name)
        for plugin in framework.pre_score_plugins
    ]
    score = [
        CallDetail(plugin.name, "skipped", "skipped by its PreScore")
        if plugin.name in skipped
        else CallDetail(plugin.name, text=f"weight {framework.weights[plugin.name]}")
        for plugin in framework.score_plugins
    ]
    number = len(attempt.ties)
    best = f"best {int(scores.total.max())} of {len(scores.rows)} nodes"
    text = f"{number} tied at {int(scores.total.max())}" if number > 1 else best
    return [
        PointDetail("PreScore", "ran", "", tuple(pre_score)),
        PointDetail("Score", "ran", text, tuple(score)),
    ]


def _with_a_node(framework: Framework, attempt: Attempt) -> list[PointDetail]:
    """Reserve to PostBind: up to where the pod was stopped, and what the binding cycle is yet to do."""
    points: dict[str, Sequence[Plugin]] = {
        "Reserve": framework.reserve_plugins,
        "Permit": framework.permit_plugins,
        "PreBind": framework.pre_bind_plugins,
        "Bind": framework.bind_plugins,
        "PostBind": framework.post_bind_plugins,
    }
    stop = attempt.stop
    if not attempt.node and stop is None:
        return [PointDetail(name) for name in points]
    found = []
    is_over = False
    for name, plugins in points.items():
        if is_over:
            found.append(PointDetail(name))
        elif stop is not None and stop.point == name:
            is_over = not stop.status.is_wait
            found.append(_stopped(name, stop.status, plugins))
        else:
            later = name in ("PreBind", "Bind", "PostBind")
            did: Did = "later" if later else "ran"
            skipped = (
                attempt.state.skip_pre_bind_plugins if attempt.state and name == "PreBind" else frozenset()
            )
            found.append(PointDetail(name, did, "", tuple(_calls(plugins, did, skipped))))
    return found


def _calls(plugins: Iterable[Plugin], did: Did, skipped: frozenset[str]) -> Iterable[CallDetail]:
    for plugin in plugins:
        yield CallDetail(plugin.name, "skipped" if plugin.name in skipped else did)


def _stopped(name: str, status: Status, plugins: Sequence[Plugin]) -> PointDetail:
    did: Did = "waits" if status.is_wait else "refused" if status.is_rejected else "error"
    text = f"{status.plugin} has the pod wait" if status.is_wait else status.message
    calls = []
    for plugin in plugins:
        if plugin.name == status.plugin:
            calls.append(CallDetail(plugin.name, did, text))
            if not status.is_wait:
                break
        else:
            calls.append(CallDetail(plugin.name))
    return PointDetail(name, did, text, tuple(calls))
