"""Arithmetic of rollouts: literal sizes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from scheduler_core.api.meta import Time
from scheduler_core.api.workloads import Deployment, ReplicaSet
from scheduler_core.simulator.controllers.deployment.rolling import new_size, old_sizes
from scheduler_core.simulator.controllers.deployment.scaling import (
    is_scaling,
    proportional_sizes,
    scaled_sizes,
)
from tests.core.simulator.controllers.cluster import workload


def deployment(replicas: int, surge: int | str = "25%", unavailable: int | str = "25%") -> Deployment:
    rolling = {"maxSurge": surge, "maxUnavailable": unavailable}
    made = workload("Deployment", replicas=replicas, strategy={"rollingUpdate": rolling})
    assert isinstance(made, Deployment)
    return made


def replica_set(name: str, replicas: int, available: int | None = None, **annotations: Any) -> ReplicaSet:
    made = workload("ReplicaSet", name, replicas=replicas)
    assert isinstance(made, ReplicaSet)
    notes = {
        f"deployment.kubernetes.io/{key}-replicas": str(value)
        for key, value in annotations.items()
        if key != "age"
    }
    age = annotations.get("age", 0)
    return replace(
        made,
        metadata=replace(made.metadata, annotations=notes, creation_timestamp=Time(1_000_000 * (100 - age))),
        status=replace(made.status, available_replicas=replicas if available is None else available),
    )


@pytest.mark.parametrize(
    ("replicas", "surge", "num_new", "num_all", "size"),
    [
        (10, "25%", 0, 10, 3),
        (10, "25%", 3, 13, 3),
        (10, "25%", 5, 11, 7),
        (10, 0, 0, 10, 0),
        (10, 0, 0, 8, 2),
        (10, "25%", 9, 11, 10),
        (4, "25%", 6, 6, 4),
        (0, "25%", 0, 0, 0),
    ],
)
def test_the_new_set_grows_into_the_surge(
    replicas: int, surge: int | str, num_new: int, num_all: int, size: int
) -> None:
    assert new_size(deployment(replicas, surge), num_new, num_all) == size


def test_recreate_takes_all_at_once() -> None:
    made = workload("Deployment", replicas=10, strategy={"type": "Recreate"})
    assert isinstance(made, Deployment)
    assert new_size(made, 0, 10) == 10


def test_old_pods_go_while_the_minimum_stays() -> None:
    new = replica_set("new", 3, available=0)
    assert old_sizes(deployment(10), new, [replica_set("old", 10)]) == {"old": 8}
    new = replica_set("new", 5, available=3)
    assert old_sizes(deployment(10), new, [replica_set("old", 8)]) == {"old": 5}


def test_none_goes_when_none_may_be_missing_and_no_new_one_is_there() -> None:
    new = replica_set("new", 1, available=0)
    assert old_sizes(deployment(3, 1, 0), new, [replica_set("old", 3)]) == {}
    new = replica_set("new", 1, available=1)
    assert old_sizes(deployment(3, 1, 0), new, [replica_set("old", 3)]) == {"old": 2}


def test_pods_that_are_not_available_go_first_the_oldest_set_s_before_all() -> None:
    oldest, older = replica_set("a", 4, available=1, age=2), replica_set("b", 6, available=6, age=1)
    assert old_sizes(deployment(10), replica_set("new", 2, available=2), [older, oldest]) == {"a": 0}
    new = replica_set("new", 0)
    assert old_sizes(deployment(10), new, [older, oldest]) == {"a": 2}


def test_a_deployment_that_grows_in_a_rollout_shares_by_size() -> None:
    """The example of the documentation: 10 with surge 3 and 2 missing, 8 old and 5 new, scaled to 15."""
    sets = [replica_set("old", 8, max=13, desired=10, age=1), replica_set("new", 5, max=13, desired=10)]
    assert proportional_sizes(deployment(15, 3, 2), sets) == {"old": 11, "new": 7}


def test_one_that_shrinks_does_too() -> None:
    sets = [replica_set("old", 8, max=13, desired=10, age=1), replica_set("new", 5, max=13, desired=10)]
    assert proportional_sizes(deployment(5, 3, 2), sets) == {"old": 5, "new": 3}
    assert proportional_sizes(deployment(0, 3, 2), sets) == {"old": 0, "new": 0}


def test_of_equal_size_the_newest_gets_the_rest_and_the_oldest_loses_it() -> None:
    sets = [replica_set("old", 5, max=10, desired=10, age=1), replica_set("new", 5, max=10, desired=10)]
    assert proportional_sizes(deployment(11, 0, 1), sets) == {"old": 5, "new": 6}
    assert proportional_sizes(deployment(9, 0, 1), sets) == {"old": 4, "new": 5}


def test_only_one_active_set_is_scaled_alone() -> None:
    new, old = replica_set("new", 3), replica_set("old", 0)
    assert scaled_sizes(deployment(7), new, [old]) == {"new": 7}
    assert scaled_sizes(deployment(7), None, [replica_set("a", 0, age=1), replica_set("b", 0)]) == {"b": 7}
    assert scaled_sizes(deployment(3), new, [old]) == {}


def test_when_the_new_set_is_full_the_old_ones_go() -> None:
    new = replica_set("new", 3, desired=3, max=4)
    assert scaled_sizes(deployment(3), new, [replica_set("old", 2)]) == {"old": 0}


def test_another_size_than_the_noted_one_is_a_scaling() -> None:
    assert is_scaling(deployment(5), [replica_set("a", 3, desired=3)])
    assert not is_scaling(deployment(3), [replica_set("a", 3, desired=3), replica_set("b", 0, desired=9)])
    assert not is_scaling(deployment(5), [replica_set("a", 3)])
