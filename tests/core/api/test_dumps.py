"""Dumps from real clusters, kept outside the repository."""

from __future__ import annotations

import tarfile

from scheduler_core.api import Node, Pod, Source, canonical, load_manifests, pod_requests
from tests.needs import outside


def test_seven_nodes_of_several_providers_are_read() -> None:
    data = outside("dumps/seven-nodes.json").read_bytes()
    loaded = load_manifests([Source("seven-nodes.json", data)])
    nodes = [obj.object for obj in loaded.objects]
    assert len(nodes) == 7
    for node in nodes:
        assert isinstance(node, Node)
        assert node.status.allocatable["cpu"].milli_value() > 0
        assert node.status.conditions
        assert node.metadata.creation_timestamp


def test_pending_pods_are_read() -> None:
    data = outside("dumps/pending-pods.json").read_bytes()
    loaded = load_manifests([Source("pending-pods.json", data)], strict=True)
    assert len(loaded.objects) == 2
    for obj in loaded.objects:
        assert isinstance(obj.object, Pod)
        assert obj.object.status.phase == "Pending"
        assert pod_requests(obj.object)
        assert not any(
            "value" in variable
            for container in obj.raw["spec"]["containers"]
            for variable in container.get("env", ())
        )


def test_a_support_bundle_s_lists_are_read_and_what_is_kept_reads_the_same_again() -> None:
    sources = []
    with tarfile.open(outside("dumps/support-bundle.tar.gz")) as bundle:
        for member in bundle.getmembers():
            file = bundle.extractfile(member)
            if file is not None and "/cluster-resources/" in member.name and member.name.endswith(".json"):
                sources.append(Source(member.name, file.read()))
    loaded = load_manifests(sources, skip_invalid=True)
    # One list of the bundle says nowhere what it holds.
    (error,) = loaded.errors
    assert (error.field, error.line, error.message) == ("kind", 1, "Object 'Kind' is missing")
    kinds = {obj.kind for obj in loaded.objects}
    assert {"Node", "Pod", "Namespace"} <= kinds
    everything = {"kind": "List", "apiVersion": "v1", "items": [obj.raw for obj in loaded.objects]}
    again = load_manifests([Source("again", canonical(everything))])
    assert [obj.canonical for obj in again.objects] == [obj.canonical for obj in loaded.objects]
    assert [obj.object for obj in again.objects] == [obj.object for obj in loaded.objects]
