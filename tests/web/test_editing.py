"""Changing objects makes a new revision that is as if it had been imported so."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.clusters.editing import (
    Delete,
    ObjectExists,
    ObjectMissing,
    Put,
    RevisionMoved,
    revise,
    texts_of,
)
from playground.clusters.importing import Labels, import_cluster
from playground.models import Cluster, ClusterRevision, Node, Pod, workspace_of
from scheduler_core.errors import ManifestError
from tests.web.conftest import manifests, node, pod

pytestmark = pytest.mark.django_db

QUOTA = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "default"}}


@pytest.fixture
def cluster(db: None) -> Cluster:
    return imported(node("n1"), node("n2"), pod("a", nodeName="n1"), pod("b"), QUOTA)


def imported(*objects: dict[str, Any]) -> Cluster:
    return import_cluster(workspace_of(), [("x.json", manifests(*objects).encode())], Labels("c"))


def objects_of(revision: ClusterRevision) -> list[dict[str, Any]]:
    return [json.loads(text) for _, text in texts_of(revision)]


def put(plain: dict[str, Any], **more: Any) -> Put:
    return Put(json.dumps(plain), **more)


def assert_as_imported(revision: ClusterRevision) -> None:
    """What is derived is what an import of the same objects derives."""
    again = imported(*objects_of(revision)).revision
    assert again is not None
    for field in ("digest", "counts", "kinds", "card"):
        assert getattr(revision, field) == getattr(again, field), field
    for model in (Node, Pod):
        rows = [
            list(model.objects.filter(revision=each).values_list("name", "item"))
            for each in (revision, again)
        ]
        assert rows[0] == rows[1]


def test_a_replaced_object_keeps_its_place_and_the_old_revision_stays(cluster: Cluster) -> None:
    base = cluster.revision
    assert base is not None
    before = objects_of(base)
    revision = revise(cluster, [put(node("n1", cpu="8"), key="Node/n1", mode="replace")])
    assert cluster.revision == revision != base
    assert objects_of(base) == before
    changed = objects_of(revision)
    assert [each["metadata"]["name"] for each in changed] == ["n1", "n2", "a", "b", "q"]
    assert changed[0]["status"]["allocatable"]["cpu"] == "8"
    assert Node.objects.get(revision=revision, name="n1").item["num_pods"] == 1
    assert_as_imported(revision)


def test_a_pod_that_moves_is_counted_on_its_new_node_alone(cluster: Cluster) -> None:
    revision = revise(cluster, [put(pod("a", nodeName="n2"))])
    used = {each.name: each.item["num_pods"] for each in Node.objects.filter(revision=revision)}
    assert used == {"n1": 0, "n2": 1}
    assert_as_imported(revision)


def test_several_changes_are_one_revision(cluster: Cluster) -> None:
    changes = [Delete("Pod/default/b"), put(pod("c")), Delete("ResourceQuota/default/q"), put(pod("b", "1"))]
    revision = revise(cluster, changes)
    assert [each["metadata"]["name"] for each in objects_of(revision)] == ["n1", "n2", "a", "c", "b"]
    assert cluster.revisions.count() == 2
    assert revision.kinds == {"Node": 2, "Pod": 3}
    assert_as_imported(revision)


def test_what_changes_nothing_makes_no_revision(cluster: Cluster) -> None:
    base = cluster.revision
    assert revise(cluster, [put(pod("b"))]) == base
    changed = revise(cluster, [Delete("Pod/default/a")])
    assert changed != base
    assert cluster.revisions.count() == 2
    assert not Node.objects.exclude(revision__in=cluster.revisions.all()).exists()


def test_unknown_fields_are_errors_with_their_places_and_nothing_changes(cluster: Cluster) -> None:
    base = cluster.revision
    text = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: Web}\n"
        "spec:\n  containers: [{name: c, image: i}]\n  nodename: n1\n"
    )
    with pytest.raises(ManifestError) as caught:
        revise(cluster, [Put(text, name="web.yaml"), Delete("Pod/default/a"), Put("kind: {", name="z.yaml")])
    assert [(error.file, error.line, error.field) for error in caught.value.errors] == [
        ("web.yaml", 3, "metadata.name"),
        ("web.yaml", 6, "spec.nodename"),
        ("z.yaml", 2, ""),
    ]
    cluster.refresh_from_db()
    assert cluster.revision == base
    assert cluster.revisions.count() == 1


def test_the_object_must_be_that_of_the_address(cluster: Cluster) -> None:
    for plain, field, says in (
        (pod("c"), "metadata.name", "the name of the object (c) does not match the name on the URL (b)"),
        (node("b"), "kind", "the address names a Pod"),
    ):
        with pytest.raises(ManifestError) as caught:
            revise(cluster, [put(plain, key="Pod/default/b")])
        (error,) = caught.value.errors
        assert (error.field, error.message) == (field, says)


def test_what_is_there_is_not_created_and_what_is_not_is_not_replaced_or_deleted(cluster: Cluster) -> None:
    for changes, refusal in (
        ([put(pod("a"), mode="create")], ObjectExists),
        ([put(pod("x"), mode="replace")], ObjectMissing),
        ([Delete("Pod/default/x")], ObjectMissing),
        ([Delete("Pod/other/a")], ObjectMissing),
        ([Delete("Node/default/n1")], ObjectMissing),
        ([Delete("nonsense")], ObjectMissing),
        ([Delete("Pod/default/a"), Delete("Pod/default/a")], ObjectMissing),
    ):
        with pytest.raises(refusal):
            revise(cluster, changes)
    assert cluster.revisions.count() == 1


def test_who_looked_at_an_older_revision_is_told(cluster: Cluster) -> None:
    assert cluster.revision is not None
    seen = cluster.revision.digest
    revise(cluster, [Delete("Pod/default/b")], expected=seen)
    with pytest.raises(RevisionMoved):
        revise(cluster, [Delete("Pod/default/a")], expected=seen)


CHANGES = st.lists(
    st.one_of(
        st.builds(
            lambda name, where, cpu: put(pod(name, cpu, **({"nodeName": where} if where else {}))),
            st.sampled_from("abcd"),
            st.sampled_from(["", "n1", "n2", "n3"]),
            st.sampled_from(["100m", "2"]),
        ),
        st.builds(
            lambda name, cpu: put(node(name, cpu)), st.sampled_from(["n1", "n3"]), st.sampled_from("48")
        ),
        st.builds(Delete, st.sampled_from(["Pod/default/a", "Pod/default/c", "Node/n1", "Node/n3"])),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(changes=CHANGES)
def test_whatever_is_changed_the_revision_is_as_if_imported(db: None, changes: list[Any]) -> None:
    cluster = imported(node("n1"), node("n2"), pod("a", nodeName="n1"), pod("b"), QUOTA)
    for change in changes:
        try:
            revise(cluster, [change])
        except ObjectMissing:
            continue
        assert cluster.revision is not None
        assert_as_imported(cluster.revision)
