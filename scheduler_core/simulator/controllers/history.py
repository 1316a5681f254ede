"""Controller revisions: the templates that a stateful or daemon set has and had.

Source: pkg/controller/history/controller_history.go; pkg/controller/statefulset/stateful_set_control.go,
getStatefulSetRevisions, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.decode import convert, to_plain, without_nulls
from scheduler_core.api.defaulting.workloads import default_template
from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.pod import PodTemplateSpec
from scheduler_core.api.workloads import ControllerRevision
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref
from scheduler_core.simulator.controllers.hashing import template_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.api_server.server import ApiServer

REVISION_LABEL: Final = "controller-revision-hash"
_PATCH: Final = "$patch"


class History:
    """Finds and makes the revisions of one kind of set."""

    def __init__(self, api: ApiServer, by: str) -> None:
        self._api = api
        self._by = by
        self._templates: dict[tuple[str, str], PodTemplateSpec] = {}

    def of(self, owner: Any) -> list[ControllerRevision]:
        """Returns the revisions of a set, the first at the front."""
        found: Iterable[ControllerRevision] = self._api.owned_by(owner.metadata.uid, "ControllerRevision")
        return sorted(found, key=lambda own: (own.revision, own.metadata.name))

    def template(self, revision: ControllerRevision) -> PodTemplateSpec:
        """Returns the template that a revision holds."""
        key = (revision.metadata.uid, revision.metadata.resource_version)
        known = self._templates.get(key)
        if known is None:
            raw = without_nulls(revision.data.get("spec", {}).get("template", {}))
            raw.pop(_PATCH, None)
            known = self._templates[key] = default_template(convert(raw, PodTemplateSpec))
        return known

    def update_revision(self, owner: Any, known: str) -> ControllerRevision:
        """Returns the revision of a set's template, which is the last one from now on.

        Args:
            owner: the set
            known: the name that the template had where the set came from; counts where no revision came with it
        """
        revisions = self.of(owner)
        template = owner.spec.template
        last = revisions[-1] if revisions else None
        for own in reversed(revisions):
            if self.template(own) == template:
                if last is not None and own.revision < last.revision:
                    own = self._api.update(replace(own, revision=last.revision + 1), by=self._by)
                return own
        return self._make(owner, known if not revisions else "", last.revision + 1 if last else 1)

    def truncate(self, owner: Any, live: set[str]) -> None:
        """Deletes the oldest revisions that nothing uses and that are more than the limit.

        Args:
            owner: the set
            live: the names in use
        """
        limit = owner.spec.revision_history_limit
        unused = [own for own in self.of(owner) if own.metadata.name not in live]
        if limit is None:
            return
        for own in unused[: max(len(unused) - limit, 0)]:
            self._api.delete("ControllerRevision", own.metadata.namespace, own.metadata.name, by=self._by)

    def _make(self, owner: Any, known: str, number: int) -> ControllerRevision:
        metadata = owner.metadata
        count = owner.status.collision_count
        name = known or f"{metadata.name}-{template_hash(owner.spec.template, count)}"
        while not known and self._api.get("ControllerRevision", metadata.namespace, name) is not None:
            count = (count or 0) + 1
            name = f"{metadata.name}-{template_hash(owner.spec.template, count)}"
        made: ControllerRevision = self._api.create(new_revision(owner, name, number), by=self._by)
        return made


def new_revision(owner: Any, name: str, number: int) -> ControllerRevision:
    """Returns the revision of a set's template, not yet stored.

    Args:
        owner: the set
        name: of the revision: the set's with a hash
        number: of the revision
    """
    metadata, template = owner.metadata, owner.spec.template
    return ControllerRevision(
        metadata=ObjectMeta(
            namespace=metadata.namespace,
            name=name,
            labels={**template.metadata.labels, REVISION_LABEL: name.removeprefix(f"{metadata.name}-")},
            owner_references=(controller_ref(owner),),
        ),
        data={"spec": {"template": {**to_plain(template), _PATCH: "replace"}}},
        revision=number,
    )


def most_common_hash(pods: Iterable[Pod]) -> str:
    """Returns the revision that most pods say they are of; of several the one that comes first."""
    counts: dict[str, int] = {}
    for pod in pods:
        label = pod.metadata.labels.get(REVISION_LABEL, "")
        if label:
            counts[label] = counts.get(label, 0) + 1
    return min(counts, key=lambda label: (-counts[label], label), default="")
