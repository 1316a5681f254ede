"""A cluster under other names, so that it can be shown to others while every decision stays the same.

Only the fields that scheduling reads are taken over: what no type of ours holds (commands, environment, messages,
addresses, most annotations) is left out. Names, namespaces, label values, label keys that are not Kubernetes' own,
images, volume handles and paths get new texts: the same text the same everywhere, different texts different ones, and
in the same order, because names decide ties and the order in which objects are looked at. Kept are numbers, the names
of Kubernetes' own objects, resources, drivers and schedulers, kinds, times and amounts.

Objects of dynamic resource allocation are left out: their expressions cannot be renamed.
"""

from __future__ import annotations

from scheduler_core.api.redaction.redaction import Redaction

__all__ = ["Redaction"]
