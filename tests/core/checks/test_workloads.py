"""Expectations about workloads, whose pods their controllers make: rollouts, quotas, DaemonSets, losses."""

from __future__ import annotations

from typing import Any

from tests.core.checks.asking import HIGH, Raw, finding, node, pod, result, verdict

TWO = [node("node-a"), node("node-b")]


def template(cpu: str, **spec: Any) -> Raw:
    container = {"name": "main", "image": "a", "resources": {"requests": {"cpu": cpu, "memory": "64Mi"}}}
    return {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container], **spec}}


def deployment(replicas: int, cpu: str = "1", **spec: Any) -> Raw:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": "web"}},
            "template": template(cpu),
            **spec,
        },
    }


def daemon_set(cpu: str) -> Raw:
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": template(cpu)},
    }


def test_the_pods_of_a_deployment_count_and_the_request_of_its_template_is_pointed_at() -> None:
    assert result(verdict([deployment(4)], TWO)).message == "all 4 pods have a node"
    found = verdict([deployment(5)], TWO)
    assert result(found).message == "1 of 5 pods has no node"
    why = finding(found)
    assert (why.plugin, why.num_nodes) == ("NodeResourcesFit", 2)
    assert why.location is not None
    assert why.location.field == "spec.template.spec.containers[0].resources.requests[cpu]"
    assert {each.workload for each in found.placements} == {"Deployment/default/web"}


def test_applying_again_what_is_there_changes_nothing() -> None:
    there = verdict([deployment(2)], [*TWO, deployment(2)])
    assert (there.outcome, there.placements) == ("pass", ())


def test_scaling_what_is_there_is_a_change() -> None:
    found = verdict([deployment(4)], [*TWO, deployment(2)])
    assert (found.outcome, len(found.placements)) == ("pass", 2)
    assert verdict([deployment(6)], [*TWO, deployment(2)]).outcome == "fail"


def test_a_workload_that_is_named_and_not_there_does_not_hold() -> None:
    found = verdict([deployment(1)], TWO, {"scheduled": {"workloads": ["Deployment/api"]}})
    assert finding(found).message == "Deployment/default/api is not there"


def test_a_rolling_update_needs_room_for_its_surge() -> None:
    rolling = {"rollingUpdate": {}}
    assert verdict([deployment(3)], TWO, rolling).outcome == "pass"
    surge = {"strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}}
    found = verdict([deployment(4, **surge)], TWO, rolling)
    assert found.outcome == "fail"
    why = finding(found)
    assert why.message.startswith("while Deployment/default/web is updated: default/web-")
    assert (why.plugin, why.num_nodes, why.shortfalls[0].resource) == ("NodeResourcesFit", 2, "cpu")
    without = {"strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}}
    assert verdict([deployment(4, **without)], TWO, rolling).outcome == "pass"


def test_a_rolling_update_that_stops_without_a_pod_that_waits_is_told_with_the_reason() -> None:
    quota = {
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "team", "namespace": "default"},
        "spec": {"hard": {"pods": "2"}},
    }  # fmt: skip
    surge = {"strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}}
    found = verdict([deployment(2, **surge)], [*TWO, quota], {"rollingUpdate": {}})
    why = finding(found)
    assert why.message.startswith(
        "the update of Deployment/default/web stops: 0 of 2 new pods have a node: pods "
    )
    assert "exceeded quota: team" in why.message
    assert why.shortfalls[0].short == 2


def test_a_rolling_update_of_what_the_manifests_do_not_have_is_said() -> None:
    found = verdict([pod("web")], TWO, {"rollingUpdate": {"workloads": ["Deployment/api"]}})
    assert finding(found).message == "Deployment/default/api is not there"
    assert (
        result(verdict([pod("web")], TWO, {"rollingUpdate": {}})).message == "there is no workload to update"
    )


def test_a_daemon_set_may_grow_as_far_as_every_node_has_room() -> None:
    grows = {"daemonSetGrowth": {"requests": {"cpu": "1500m"}}}
    assert verdict([daemon_set("500m")], TWO, grows).outcome == "pass"
    full = [*TWO, pod("old", "100m", on="node-b")]
    found = verdict([daemon_set("500m")], full, grows)
    why = finding(found)
    assert why.message.startswith(
        "DaemonSet/default/agent with 1.5 more cpu has no room on 1 node: cpu: 1.5 wanted, 1.4 free"
    )
    assert (why.nodes, why.shortfalls[0].short) == (("node-b",), 100)


def test_a_quota_that_refuses_pods_does_not_hold() -> None:
    quota = {
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "team", "namespace": "default"},
        "spec": {"hard": {"pods": "3"}},
    }  # fmt: skip
    assert verdict([deployment(3)], [*TWO, quota], {"quotasHold": {}}).outcome == "pass"
    found = verdict([deployment(4)], [*TWO, quota], {"quotasHold": {}}, {"allScheduled": {}})
    quotas, scheduled = found.results
    assert quotas.status == "fail"
    assert (
        "exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3" in quotas.findings[0].message
    )
    assert scheduled.findings[0].message.startswith("Deployment/default/web has 3 of 4 pods: ")
    assert scheduled.findings[0].shortfalls[0].short == 1


def test_a_deployment_survives_a_node_if_the_others_have_room() -> None:
    assert verdict([deployment(2)], TWO, {"survivesLoss": {}}).outcome == "pass"
    found = verdict([deployment(3)], TWO, {"survivesLoss": {}})
    assert found.outcome == "fail"
    assert result(found).findings[0].plugin == "NodeResourcesFit"


def test_what_the_api_server_refuses_is_no_pod_and_a_warning() -> None:
    found = verdict([pod("web", priority=5)], TWO)
    assert "Pod/default/web is refused: " in finding(found).message
    assert "Refused" in {each.kind for each in found.warnings}


def test_a_workload_that_is_refused_does_not_hold_and_is_pointed_at() -> None:
    lost = deployment(2)
    lost["metadata"]["namespace"] = "nowhere"
    found = verdict([lost], TWO)
    assert found.outcome == "fail"
    why = finding(found)
    assert why.message == 'Deployment/nowhere/web is refused: namespaces "nowhere" not found'
    assert why.location is not None
    assert (why.location.file, why.location.line) == ("app.yaml", 1)


def test_a_namespace_among_the_manifests_is_there_in_time() -> None:
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    web = deployment(2)
    web["metadata"]["namespace"] = "shop"
    assert result(verdict([space, web], TWO)).message == "all 2 pods have a node"
    assert verdict([web, space], TWO).outcome == "pass", "in whatever order of files"
    account = {
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "team", "namespace": "shop"},
        "spec": {"hard": {"pods": "1"}},
    }  # fmt: skip
    assert verdict([account, web, space], TWO, {"quotasHold": {}}).outcome == "fail", "the quota is there too"


def test_a_victim_of_a_controller_is_newly_pending() -> None:
    cluster = [HIGH, node("node-a"), deployment(2)]
    found = verdict([pod("new", "1", priorityClassName="high")], cluster, {"noneNewlyPending": {}})
    assert found.outcome == "fail"
    why = finding(found)
    assert why.message.startswith("default/web-")
    assert why.plugin == "NodeResourcesFit"


def test_a_cluster_that_never_rests_is_checked_all_the_same() -> None:
    job = {"spec": {"template": template("10m", restartPolicy="Never")}}
    clock = {
        "apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "tick", "namespace": "default"},
        "spec": {"schedule": "* * * * *", "jobTemplate": job},
    }  # fmt: skip
    assert verdict([deployment(2)], [*TWO, clock]).outcome == "pass"
