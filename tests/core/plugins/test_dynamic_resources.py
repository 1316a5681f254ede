from __future__ import annotations

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import NodeToStatus
from scheduler_core.plugins import dynamic_resources
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import pre_filter
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = dynamic_resources.DynamicResources()
SNAPSHOT = make_snapshot([make_node("n")])


def test_a_pod_without_claims_passes() -> None:
    _, result, verdict = pre_filter(PLUGIN, make_pod(), SNAPSHOT)
    assert (result, verdict) == (None, ("Skip", ()))


def test_a_pod_with_claims_is_refused_honestly_and_for_good() -> None:
    pod = make_pod(resourceClaims=[{"name": "gpu", "resourceClaimName": "my-gpu"}])
    _, _, verdict = pre_filter(PLUGIN, pod, SNAPSHOT)
    assert verdict == ("UnschedulableAndUnresolvable", ("resource claims are not simulated yet",))


def test_it_has_no_claim_to_free() -> None:
    pod = make_pod()
    state, _, _ = pre_filter(PLUGIN, pod, SNAPSHOT)
    _, status = PLUGIN.post_filter(state, PodInfo(pod, SNAPSHOT.node_infos.axis), NodeToStatus())
    assert (status.code_name, status.message) == ("Unschedulable", "no new claims to deallocate")


def test_post_filter_fails_where_pre_filter_was_not_reached() -> None:
    info = PodInfo(make_pod(), SNAPSHOT.node_infos.axis)
    _, status = PLUGIN.post_filter(CycleState(), info, NodeToStatus())
    assert (status.code_name, status.message) == ("Error", "not found")


def test_no_event_helps() -> None:
    assert PLUGIN.events_to_register() == ()
