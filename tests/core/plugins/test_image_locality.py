from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.plugins.image_locality import ImageLocality, normalized_image_name
from tests.core.plugins import strategies
from tests.core.plugins.judging import score
from tests.core.plugins.reference import images as reference
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = ImageLocality()
MIB = 1024 * 1024


def with_images(*images: str, **spec: object) -> dict:
    return {"containers": [{"name": f"c{i}", "image": image} for i, image in enumerate(images)], **spec}


@given(
    strategies.nodes(), st.lists(st.sampled_from(strategies.IMAGES), min_size=1, max_size=3), st.booleans()
)
def test_the_columns_score_as_one_node_at_a_time(nodes: list, images: list, with_init: bool) -> None:
    init = [{"name": "init", "image": "app"}] if with_init else []
    pod = make_pod(**with_images(*images, initContainers=init))
    expected = {node.metadata.name: reference.image_locality(pod, node, nodes) for node in nodes}
    assert score(PLUGIN, pod, make_snapshot(nodes)) == expected


@pytest.mark.parametrize(
    ("name", "normalized"),
    [
        ("app", "app:latest"),
        ("app:1", "app:1"),
        ("registry:5000/app", "registry:5000/app:latest"),
        ("registry:5000/app:1", "registry:5000/app:1"),
        ("app@sha256:abc", "app@sha256:abc"),
        ("", ":latest"),
    ],
)
def test_an_image_without_a_tag_means_the_latest(name: str, normalized: str) -> None:
    assert normalized_image_name(name) == normalized


def test_an_image_has_the_size_that_the_first_node_says() -> None:
    nodes = [make_node("n0", images={"app:1": 500 * MIB}), make_node("n1", images={"app:1": 900 * MIB})]
    expected = 100 * (500 - 23) // (1000 - 23)
    assert score(PLUGIN, make_pod(), make_snapshot(nodes)) == {"n0": expected, "n1": expected}


def test_the_fewer_nodes_hold_an_image_the_less_it_counts() -> None:
    nodes = [make_node("n0", images={"app:1": 800 * MIB}), make_node("n1"), make_node("n2"), make_node("n3")]
    assert score(PLUGIN, make_pod(), make_snapshot(nodes)) == {
        "n0": 100 * (200 - 23) // (1000 - 23), "n1": 0, "n2": 0, "n3": 0,
    }  # fmt: skip


def test_an_image_that_two_containers_use_counts_twice_against_twice_the_threshold() -> None:
    nodes = [make_node("n0", images={"app:1": 500 * MIB})]
    pod = make_pod(**with_images("app:1", "app:1"))
    assert score(PLUGIN, pod, make_snapshot(nodes)) == {"n0": 100 * (1000 - 23) // (2000 - 23)}


def test_image_volumes_count_nowhere() -> None:
    nodes = [make_node("n0", images={"model:2": 600 * MIB})]
    pod = make_pod(volumes=[{"name": "v", "image": {"reference": "model:2"}}])
    assert score(PLUGIN, pod, make_snapshot(nodes)) == {"n0": 0}


def test_an_image_counts_under_each_of_its_names() -> None:
    nodes = [make_node("n0", images=[(("registry/app@sha256:abc", "registry/app:1"), 2000 * MIB)])]
    for name in ("registry/app:1", "registry/app@sha256:abc"):
        assert score(PLUGIN, make_pod(**with_images(name)), make_snapshot(nodes)) == {"n0": 100}
