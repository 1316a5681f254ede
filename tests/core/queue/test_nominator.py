from __future__ import annotations

from scheduler_core.framework.types import CLEAR_NOMINATION, NominatingInfo, NominatingMode
from scheduler_core.queue.nominator import Nominator
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod

TO_NODE_A = NominatingInfo(NominatingMode.OVERRIDE, "node-a")


def pod_info(name: str, nominated: str = "") -> PodInfo:
    status = {"nominatedNodeName": nominated} if nominated else None
    return PodInfo(make_pod(name, status=status), ResourceAxis())


def test_the_info_given_comes_before_the_pods_status() -> None:
    nominator = Nominator(lambda pod: True)
    pod = pod_info("pod", nominated="node-b")
    nominator.add(pod, TO_NODE_A)
    assert nominator.node_of(pod.uid) == "node-a"
    nominator.add(pod, None)
    assert nominator.node_of(pod.uid) == "node-b"
    assert nominator.nominated_pods_for_node("node-a") == ()
    nominator.add(pod, CLEAR_NOMINATION)
    assert nominator.node_of(pod.uid) == ""
    assert not nominator


def test_pods_of_a_node_stand_in_the_order_of_their_nomination() -> None:
    nominator = Nominator(lambda pod: True)
    first, second = pod_info("first"), pod_info("second")
    nominator.add(first, TO_NODE_A)
    nominator.add(second, TO_NODE_A)
    assert nominator.nominated_pods_for_node("node-a") == (first, second)
    assert nominator.nodes() == ("node-a",)
    nominator.delete(first.uid)
    assert nominator.nominated_pods_for_node("node-a") == (second,)


def test_a_pod_that_is_gone_or_bound_is_not_nominated() -> None:
    nominator = Nominator(lambda pod: False)
    nominator.add(pod_info("pod"), TO_NODE_A)
    assert not nominator


def test_a_nomination_known_only_here_outlives_updates_that_do_not_speak_of_it() -> None:
    nominator = Nominator(lambda pod: True)
    pod = pod_info("pod")
    nominator.add(pod, TO_NODE_A)
    nominator.update(pod, pod_info("pod"))
    assert nominator.node_of(pod.uid) == "node-a"


def test_an_update_that_takes_the_nomination_out_of_the_status_ends_it() -> None:
    nominator = Nominator(lambda pod: True)
    pod = pod_info("pod", nominated="node-a")
    nominator.add(pod, None)
    nominator.update(pod, pod_info("pod"))
    assert nominator.node_of(pod.uid) == ""
