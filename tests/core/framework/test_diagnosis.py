from __future__ import annotations

from scheduler_core.framework.diagnosis import Diagnosis, FitError
from scheduler_core.framework.status import Code, Status, unresolvable, unschedulable


def test_reasons_are_counted_over_nodes_and_sorted_as_strings() -> None:
    diagnosis = Diagnosis()
    for number in range(10):
        diagnosis.node_to_status.set(f"cpu-{number}", unschedulable("Insufficient cpu"))
    diagnosis.node_to_status.set("both", unschedulable("Insufficient memory", "Insufficient cpu"))
    diagnosis.post_filter_message = "preemption: no."
    assert FitError(11, diagnosis).message() == (
        "0/11 nodes are available: 1 Insufficient memory, 11 Insufficient cpu. preemption: no."
    )


def test_nodes_that_prefilter_left_out_count_for_its_reason() -> None:
    diagnosis = Diagnosis()
    diagnosis.node_to_status.absent = unresolvable("node(s) didn't satisfy plugin(s) [NodeAffinity]")
    diagnosis.node_to_status.set("one", unschedulable("Insufficient cpu"))
    assert FitError(5, diagnosis).message() == (
        "0/5 nodes are available: 1 Insufficient cpu, 4 node(s) didn't satisfy plugin(s) [NodeAffinity]."
    )


def test_what_prefilter_said_of_the_pod_stands_instead_of_the_nodes_reasons() -> None:
    diagnosis = Diagnosis()
    diagnosis.node_to_status.absent = unresolvable("pod has unbound immediate PersistentVolumeClaims")
    diagnosis.pre_filter_message = "pod has unbound immediate PersistentVolumeClaims"
    assert FitError(3, diagnosis).message() == (
        "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims."
    )


def test_a_pending_status_counts_its_plugin_as_pending_and_as_refusing() -> None:
    diagnosis = Diagnosis()
    diagnosis.add_plugin_status(Status(Code.PENDING, ("wait",), "Waiter"))
    diagnosis.add_plugin_status(unschedulable("no").with_plugin("Fit"))
    diagnosis.add_plugin_status(unschedulable("an extender said no"))
    assert diagnosis.pending_plugins == {"Waiter"}
    assert diagnosis.unschedulable_plugins == {"Waiter", "Fit"}
