"""Metadata of every kind of object.

Source: apimachinery/pkg/api/validation/objectmeta.go, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.decode import to_plain
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.kinds import split_api_version
from scheduler_core.api.meta import ObjectMeta, OwnerReference
from scheduler_core.api.name_syntax import label_problems, qualified_name_problems, subdomain_problems
from scheduler_core.api.validation.labels import validate_annotations, validate_labels
from scheduler_core.api.validation.name_rules import NameRule
from scheduler_core.api.validation.rules import NEGATIVE, Faults, checked, forbidden, invalid, required

NO_NAME = "name or generateName is required"
_PATH: FieldPath = ("metadata",)


def validate_names(metadata: ObjectMeta, *, namespaced: bool, name_rule: NameRule) -> Faults:
    """Yields what is wrong with the name of an object and the namespace it says it lives in."""
    if metadata.generate_name:
        prefix = _without_trailing_dash(metadata.generate_name)
        for problem in name_rule(prefix):
            yield invalid((*_PATH, "generateName"), metadata.generate_name, problem)
    if not metadata.name and not metadata.generate_name:
        yield required((*_PATH, "name"), NO_NAME)
    if metadata.name:
        yield from checked((*_PATH, "name"), metadata.name, name_rule)
    if namespaced and metadata.namespace:
        yield from checked((*_PATH, "namespace"), metadata.namespace, label_problems)


def validate_metadata(
    metadata: ObjectMeta, *, namespaced: bool, name_rule: NameRule = subdomain_problems
) -> Faults:
    """Yields what is wrong with an object's metadata."""
    yield from validate_names(metadata, namespaced=namespaced, name_rule=name_rule)
    if metadata.namespace and not namespaced:
        yield forbidden((*_PATH, "namespace"), "not allowed on this type")
    if metadata.generation < 0:
        yield invalid((*_PATH, "generation"), metadata.generation, NEGATIVE)
    yield from validate_labels(metadata.labels, (*_PATH, "labels"))
    yield from validate_annotations(metadata.annotations, (*_PATH, "annotations"))
    yield from _validate_owners(metadata.owner_references, (*_PATH, "ownerReferences"))
    for finalizer in metadata.finalizers:
        for problem in qualified_name_problems(finalizer):
            yield invalid((*_PATH, "finalizers"), finalizer, problem)


def _without_trailing_dash(prefix: str) -> str:
    """What upstream checks of a generateName: its last two characters become one letter."""
    return f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix


def _validate_owners(owners: tuple[OwnerReference, ...], path: FieldPath) -> Faults:
    first = ""
    for owner in owners:
        yield from _validate_owner(owner, path)
        if owner.controller:
            name = f"{owner.kind}/{owner.name}"
            if first:
                message = (
                    "Only one reference can have Controller set to true. "
                    f'Found "true" in references for {first} and {name}'
                )
                yield invalid(path, [to_plain(each) for each in owners], message)
            else:
                first = name


def _validate_owner(owner: OwnerReference, path: FieldPath) -> Faults:
    if not split_api_version(owner.api_version)[1]:
        yield invalid((*path, "apiVersion"), owner.api_version, "version must not be empty")
    for field, value in (("kind", owner.kind), ("name", owner.name), ("uid", owner.uid)):
        if not value:
            yield invalid((*path, field), value, "must not be empty")
