"""The kinds of warnings about manifests, and what each tells."""

from __future__ import annotations

from typing import Final

WARNING_KINDS: Final = {
    "UnknownField": "a field that Kubernetes does not know, and drops",
    "NotRead": "an object whose kind bears on no decision and is passed over",
    "NoRequests": "a container that asks for no cpu or no memory: it fits anywhere, and is evicted first",
    "MissingPriorityClass": "a priority class that does not exist",
    "MissingClaim": "a volume claim that does not exist",
    "MissingStorageClass": "a storage class that does not exist, or no default class where one is needed",
    "BudgetSelectsNothing": "a disruption budget that selects no pod",
    "BudgetBlocksEviction": "a disruption budget that allows no eviction at all, so that no node can be drained",
    "BarePod": "a pod that no controller makes again when its node goes",
    "NodeMissing": "a pod that names a node that is not there",
    "Refused": "what the API server would refuse",
    "Suspicious": "anything else that looks wrong",
}
