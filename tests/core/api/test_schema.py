"""What an editor is told of manifests."""

from __future__ import annotations

from scheduler_core.api.meanings import MEANINGS, VALUES
from scheduler_core.api.schema import Field, manifest_schema

TOLD = ("PodSpec", "Toleration", "Taint", "TopologySpreadConstraint", "Affinity", "ResourceRequirements")


def field(path: str) -> Field:
    type_, name = path.split(".")
    return manifest_schema().types[type_][name]


def test_a_kind_has_its_version_and_its_type() -> None:
    kinds = manifest_schema().kinds
    assert (kinds["Deployment"].api_version, kinds["Deployment"].type) == ("apps/v1", "Deployment")
    assert kinds["Node"].namespaced is False
    assert kinds["HorizontalPodAutoscaler"].api_version == "autoscaling/v2"


def test_fields_lead_to_types_and_say_in_what_form() -> None:
    assert field("Pod.spec").type == "PodSpec"
    assert (field("PodSpec.tolerations").type, field("PodSpec.tolerations").form) == ("Toleration", "list")
    assert (field("ResourceRequirements.requests").type, field("ResourceRequirements.requests").form) == (
        "quantity",
        "map",
    )
    assert field("DeploymentSpec.replicas").type == "number"
    assert field("PodSpec.hostNetwork").type == "flag"
    assert field("PodDisruptionBudgetSpec.minAvailable").type == "text"
    assert field("Toleration.effect").values == ("NoSchedule", "PreferNoSchedule", "NoExecute")


def test_what_is_not_read_is_there_and_says_so() -> None:
    assert field("PodSpec.serviceAccountName").is_read is False
    assert field("PodSpec.nodeName").is_read is True


def test_every_meaning_and_every_list_of_values_is_of_a_field() -> None:
    types = manifest_schema().types
    known = {f"{type_}.{name}" for type_, fields in types.items() for name in fields}
    assert sorted(set(MEANINGS) - known) == []
    assert sorted(set(VALUES) - known) == []


def test_the_fields_that_people_write_most_are_told() -> None:
    types = manifest_schema().types
    silent = [
        f"{type_}.{name}"
        for type_ in TOLD
        for name, told in types[type_].items()
        if not told.doc and told.is_read
    ]
    assert silent == ["PodSpec.os", "Toleration.value", "Taint.timeAdded"]
