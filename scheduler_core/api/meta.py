"""What every Kubernetes object has: the base of all types, metadata, times, names of fields."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, ClassVar

import msgspec

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]

_INITIALISMS = {
    "ip": "IP",
    "ips": "IPs",
    "id": "ID",
    "uid": "UID",
    "uuid": "UUID",
    "cidr": "CIDR",
    "cidrs": "CIDRs",
}
_INITIALISMS |= {"pid": "PID", "ipc": "IPC", "uri": "URI", "api": "API", "fqdn": "FQDN", "https": "HTTPS"}

_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
)
_USUAL = "2006-01-02T15:04:05Z"
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)


def json_name(attribute: str) -> str:
    """Returns an attribute's name in Kubernetes' JSON: "host_ip" is "hostIP", "node_name" is "nodeName"."""
    first, *rest = attribute.split("_")
    return first + "".join(_INITIALISMS.get(word, word.capitalize()) for word in rest)


def names(text: str) -> frozenset[str]:
    """Returns the words of a text."""
    return frozenset(text.split())


class KubeStruct(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, rename=json_name):
    """Base of the types: immutable, unknown fields ignored, absent fields at their zero value.

    A subclass lists in `other_fields` the fields the Kubernetes type has and it does not, so that strict
    decoding can tell an unknown field from one we do not need. None means that nobody made the list.
    """

    other_fields: ClassVar[frozenset[str] | None] = None


class Time(int):
    """A moment in microseconds since 1970-01-01T00:00:00Z, read from and written as RFC 3339."""

    __slots__ = ()

    def __str__(self) -> str:
        moment = _EPOCH + int(self) * _MICROSECOND
        return moment.replace(tzinfo=None).isoformat() + "Z"

    def __repr__(self) -> str:
        return f"Time({int(self)})"


def parse_time(text: str) -> Time:
    """Reads an RFC 3339 time; a leap second counts as the next minute's first.

    Raises:
        ValueError: with Go's message for a text of another form.
    """
    if len(text) == len(_USUAL) and text[4::3] == _USUAL[4::3]:
        try:
            return Time(int(dt.datetime.fromisoformat(text).timestamp()) * 1_000_000)
        except ValueError:
            pass  # A leap second, or no time at all.
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise ValueError(_time_message(text))
    year, month, day, hour, minute, second = map(int, match.group(1, 2, 3, 4, 5, 6))
    micros = int((match[7] or "0").ljust(6, "0")[:6])
    offset = 0
    if match[8]:
        offset = int(match[9]) * 60 + int(match[10])
        offset = -offset if match[8] == "-" else offset
    if second > 60 or (match[8] and (int(match[9]) > 24 or int(match[10]) > 59)):
        raise ValueError(f'parsing time "{text}": second or offset out of range')
    try:
        moment = dt.datetime(year, month, day, hour, minute, tzinfo=dt.UTC)
    except ValueError as error:
        raise ValueError(f'parsing time "{text}": {error}') from None
    minutes = (moment - _EPOCH) // dt.timedelta(minutes=1) - offset
    return Time((minutes * 60 + second) * 1_000_000 + micros)


def _time_message(text: str) -> str:
    rest, wanted = text, "2006"
    for pattern, part in (
        (r"\d{4}", "2006"),
        ("-", "-"),
        (r"\d\d", "01"),
        ("-", "-"),
        (r"\d\d", "02"),
        ("T", "T"),
    ):
        wanted = part
        match = re.match(pattern, rest, re.ASCII)
        if match is None:
            break
        rest = rest[match.end() :]
    else:
        wanted = "15:04:05Z07:00"
    layout = "2006-01-02T15:04:05Z07:00"
    return f'parsing time "{text}" as "{layout}": cannot parse "{rest}" as "{wanted}"'


class OwnerReference(KubeStruct, frozen=True, kw_only=True):
    """Who made the object and will have it removed with itself."""

    other_fields = frozenset()

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ObjectMeta(KubeStruct, frozen=True, kw_only=True):
    """The part of metadata that scheduling, controllers or the views read."""

    other_fields = names("selfLink managedFields")

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: Int64 = 0
    creation_timestamp: Time | None = None
    deletion_timestamp: Time | None = None
    deletion_grace_period_seconds: Int64 | None = None
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}
    owner_references: tuple[OwnerReference, ...] = ()
    finalizers: tuple[str, ...] = ()

    def controller(self) -> OwnerReference | None:
        """Returns the owner that manages the object, as metav1.GetControllerOf does."""
        for owner in self.owner_references:
            if owner.controller:
                return owner
        return None


class ObjectReference(KubeStruct, frozen=True, kw_only=True):
    """A pointer to another object."""

    other_fields = frozenset()

    api_version: str = ""
    kind: str = ""
    namespace: str = ""
    name: str = ""
    uid: str = ""
    resource_version: str = ""
    field_path: str = ""


class LocalObjectReference(KubeStruct, frozen=True, kw_only=True):
    """A pointer to an object of the same namespace."""

    other_fields = frozenset()

    name: str = ""


class Condition(KubeStruct, frozen=True, kw_only=True):
    """One condition of a node, a pod or a workload."""

    other_fields = frozenset()

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    observed_generation: Int64 = 0
    last_heartbeat_time: Time | None = None
    last_probe_time: Time | None = None
    last_transition_time: Time | None = None
    last_update_time: Time | None = None
