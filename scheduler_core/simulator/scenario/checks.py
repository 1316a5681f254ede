"""What is wrong with an edit by itself: before anything runs, with the field that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import convert_object, without_nulls
from scheduler_core.api.explain import Fault, explain
from scheduler_core.api.kinds import find_kind
from scheduler_core.api.name_syntax import subdomain_problems
from scheduler_core.api.validation import validate
from scheduler_core.api.validation.rules import NEGATIVE, NOT_POSITIVE, forbidden, invalid, one_of, required
from scheduler_core.errors import DECODE, LIMIT, NOT_SUPPORTED
from scheduler_core.simulator.scenario import edits
from scheduler_core.simulator.scenario.references import parse_reference
from scheduler_core.simulator.scenario.taints import parse_taint, parse_untaint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scheduler_core.api.field_path import FieldPath
    from scheduler_core.config.duration import Duration

SCALABLE: Final = ("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController")
WITH_PODS: Final = (*SCALABLE, "DaemonSet", "CronJob", "Pod")
_PROPAGATIONS: Final = ("Background", "Foreground", "Orphan")
_WATCHED: Final = ("ADDED", "MODIFIED", "DELETED")
_NANOS: Final = 10**9


def check_edit(edit: edits.AnyEdit) -> Iterator[Fault]:
    """Yields all that is wrong with an edit, whatever the cluster."""
    if edit.at < 0:
        yield invalid(("at",), str(edit.at), NEGATIVE)
    if edit.cycle is not None:
        if edit.cycle < 1:
            yield invalid(("cycle",), edit.cycle, NOT_POSITIVE)
        if edit.at:
            yield forbidden(("at",), "an edit takes place at a time or before a cycle, not both")
    if isinstance(edit, edits.NodeEdit) and not (edit.nodes or edit.zone or edit.selector):
        yield required(("nodes",), "expected nodes, a zone or a selector")
    check = _CHECKS.get(type(edit))
    if check is not None:
        yield from check(edit)


def check_object(raw: Any, path: FieldPath) -> Iterator[Fault]:
    """Yields all that the API server would refuse in an object that is written in an edit."""
    value = without_nulls(raw)
    info = find_kind(str(value.get("apiVersion", "")), str(value.get("kind", "")))
    if not value.get("kind") or not value.get("apiVersion"):
        yield required((*path, "apiVersion" if value.get("kind") else "kind"))
        return
    if info is None:
        message = "no kind of that apiVersion that scheduling reads"
        yield Fault((*path, "kind"), value["kind"], NOT_SUPPORTED, message)
        return
    try:
        object_ = convert_object(value, info.type)
    except msgspec.ValidationError as error:
        faults = list(explain(value, info.type)) or [Fault((), "", DECODE, str(error))]
    else:
        faults = list(validate(object_, value))
    for fault in faults:
        yield fault._replace(path=(*path, *fault.path))


def _reference(text: str, kinds: tuple[str, ...] = ()) -> Iterator[Fault]:
    try:
        found = parse_reference(text)
    except ValueError as error:
        yield invalid(("object",), text, str(error))
        return
    if kinds and found.kind not in kinds:
        yield Fault(("object",), text, NOT_SUPPORTED, f"supported kinds: {', '.join(kinds)}")


def _count(name: str, value: int | None) -> Iterator[Fault]:
    if value is not None and value < 0:
        yield invalid((name,), value, NEGATIVE)


def _apply(edit: edits.Apply) -> Iterator[Fault]:
    if not edit.objects:
        yield required(("objects",))
    for index, raw in enumerate(edit.objects):
        yield from check_object(raw, ("objects", index))


def _delete(edit: edits.Delete) -> Iterator[Fault]:
    yield from _reference(edit.object)
    yield from _count("graceSeconds", edit.grace_seconds)
    yield from one_of(("propagation",), edit.propagation, _PROPAGATIONS)


def _scale(edit: edits.Scale) -> Iterator[Fault]:
    yield from _reference(edit.object, SCALABLE)
    yield from _count("replicas", edit.replicas)


def _set_image(edit: edits.SetImage) -> Iterator[Fault]:
    yield from _reference(edit.object, WITH_PODS)
    if not edit.image:
        yield required(("image",))


def _set_requests(edit: edits.SetRequests) -> Iterator[Fault]:
    yield from _reference(edit.object, WITH_PODS)
    if not edit.requests and not edit.limits:
        yield required(("requests",), "expected requests or limits")
    for name, amounts in (("requests", edit.requests), ("limits", edit.limits)):
        for resource, amount in amounts.items():
            if amount.nanos < 0:
                yield invalid((name, resource), str(amount), NEGATIVE)


def _set_target(edit: edits.SetTarget) -> Iterator[Fault]:
    yield from _reference(edit.object, ("HorizontalPodAutoscaler",))
    yield from _count("replicas", edit.replicas)


def _label(edit: edits.Label) -> Iterator[Fault]:
    yield from _reference(edit.object)
    if not edit.labels and not edit.remove:
        yield required(("labels",), "expected labels to set or to remove")


def _drain(edit: edits.Drain) -> Iterator[Fault]:
    yield from _count("graceSeconds", edit.grace_seconds)
    if edit.timeout < 0:
        yield invalid(("timeout",), str(edit.timeout), NEGATIVE)


def _taint(edit: edits.Taint) -> Iterator[Fault]:
    try:
        parse_taint(edit.taint)
    except ValueError as error:
        yield invalid(("taint",), edit.taint, str(error))


def _untaint(edit: edits.Untaint) -> Iterator[Fault]:
    try:
        parse_untaint(edit.taint)
    except ValueError as error:
        yield invalid(("taint",), edit.taint, str(error))


def _add_nodes(edit: edits.AddNodes) -> Iterator[Fault]:
    if not edit.like:
        yield required(("like",), "expected the name of a node")
    if edit.count < 1:
        yield invalid(("count",), edit.count, NOT_POSITIVE)
    elif edit.count > edits.MAX_NEW_NODES:
        yield Fault(
            ("count",), edit.count, LIMIT, f"more than the {edits.MAX_NEW_NODES} that are added at once"
        )
    if edit.name and edit.count > 1 and "{n}" not in edit.name:
        yield invalid(("name",), edit.name, "expected {n} where the number goes, for more than one node")
    elif edit.name:
        # None of the nodes has a shorter name than the one with this number, wherever the numbers begin.
        name = edit.name.replace("{n}", str(edit.count), 1)
        yield from (invalid(("name",), name, problem) for problem in subdomain_problems(name))


def _arrivals(edit: edits.Arrivals) -> Iterator[Fault]:
    raw = without_nulls(edit.pod)
    if raw.get("kind") != "Pod":
        yield Fault(("pod", "kind"), str(raw.get("kind", "")), NOT_SUPPORTED, 'supported values: "Pod"')
    else:
        metadata = {"name": "arrival", **(raw.get("metadata") or {})}
        yield from check_object({**raw, "metadata": metadata}, ("pod",))
    yield from one_of(("distribution",), edit.distribution, ("poisson", "fixed"))
    if not 0 < edit.rate < float("inf"):
        yield invalid(("rate",), edit.rate, NOT_POSITIVE)
    if edit.count is None and edit.lasting is None:
        yield required(("count",), "expected how many pods arrive, or for how long (lasting)")
    if edit.count is not None and edit.count < 1:
        yield invalid(("count",), edit.count, NOT_POSITIVE)
    if edit.lasting is not None and edit.lasting <= 0:
        yield invalid(("lasting",), str(edit.lasting), NOT_POSITIVE)
    yield from _too_many(edit, edit.lasting)


def _too_many(edit: edits.Arrivals, lasting: Duration | None) -> Iterator[Fault]:
    expected = float("inf") if lasting is None else edit.rate * lasting / _NANOS
    number = min(expected, float("inf") if edit.count is None else edit.count)
    if edits.MAX_ARRIVALS < number < float("inf"):
        field, value = ("count", edit.count) if edit.count is not None else ("lasting", str(edit.lasting))
        message = f"about {number:.0f} pods would arrive, at most {edits.MAX_ARRIVALS} may"
        yield Fault((field,), value, LIMIT, message)


def _observe(edit: edits.Observe) -> Iterator[Fault]:
    yield from one_of(("type",), edit.type, _WATCHED)
    value = without_nulls(edit.object)
    info = find_kind(str(value.get("apiVersion", "")), str(value.get("kind", "")))
    if info is None:
        yield Fault(("object", "kind"), str(value.get("kind", "")), NOT_SUPPORTED, "no kind that is read")
        return
    for fault in explain(value, info.type):
        yield fault._replace(path=("object", *fault.path))


_CHECKS: Final[dict[type, Callable[[Any], Iterator[Fault]]]] = {
    edits.Apply: _apply,
    edits.MergePatch: lambda edit: _reference(edit.object),
    edits.Delete: _delete,
    edits.Scale: _scale,
    edits.SetImage: _set_image,
    edits.SetRequests: _set_requests,
    edits.SetTarget: _set_target,
    edits.Label: _label,
    edits.Drain: _drain,
    edits.Taint: _taint,
    edits.Untaint: _untaint,
    edits.AddNodes: _add_nodes,
    edits.Arrivals: _arrivals,
    edits.Observe: _observe,
}
