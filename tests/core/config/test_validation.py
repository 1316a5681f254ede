"""The rules of a configuration: upstream's recorded cases, and the rules they do not reach."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.config import load_config
from scheduler_core.errors import FieldError, ManifestError

CASES = Path(__file__).resolve().parents[2] / "conformance" / "cases"
HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def read(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def errors_of(text: str) -> tuple[FieldError, ...]:
    try:
        load_config(text)
    except ManifestError as refusal:
        return refusal.errors
    return ()


VALIDATION = [case for case in read(CASES / "validation.jsonl.gz") if "config" in case]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in VALIDATION])
def test_a_recorded_fault_of_a_configuration_is_located(case: dict[str, Any]) -> None:
    """That the words are upstream's is tested with the recorded cases (tests/conformance)."""
    expected = case["expected"]
    errors = errors_of(case["config"])
    assert bool(errors) == bool(expected["errors"] or expected.keys() & {"decodeError", "startError"})
    assert all(error.line is not None for error in errors)


@pytest.mark.parametrize("kind", ["config", "extender"])
def test_every_recorded_configuration_is_taken(kind: str) -> None:
    for case in read(CASES / "random" / f"{kind}.jsonl.gz"):
        assert errors_of(case.get("config") or "") == (), case["name"]


def words(**fields: Any) -> list[str]:
    return [error.words() for error in errors_of(json.dumps({**HEAD, **fields}))]


def words_of_args(plugin: str, args: Any) -> list[str]:
    found = words(profiles=[{"pluginConfig": [{"name": plugin, "args": args}]}])
    return [text.removeprefix("profiles[0].pluginConfig[0].args.") for text in found]


TERMS = "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions"
OPERATORS = '"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"'
NEVER = 'whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"'
BOTH_ZERO = "Invalid value: 0: cannot be zero at the same time as minCandidateNodes"
SHAPE = "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"


def added_affinity(*expressions: dict[str, Any]) -> dict[str, Any]:
    terms = {"nodeSelectorTerms": [{"matchExpressions": expressions}]}
    return {"addedAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


@pytest.mark.parametrize(
    ("plugin", "args", "expected"),
    [
        ("DefaultPreemption", {"minCandidateNodesPercentage": 101, "minCandidateNodesAbsolute": -1}, [
            "minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]",
            "minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)",
        ]),
        ("DefaultPreemption", {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 0}, [
            f"minCandidateNodesPercentage: {BOTH_ZERO}Absolute",
            f"minCandidateNodesAbsolute: {BOTH_ZERO}Percentage",
        ]),
        ("InterPodAffinity", {"hardPodAffinityWeight": 101}, [
            "hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]",
        ]),
        ("NodeResourcesBalancedAllocation", {"resources": [{"name": "cpu"}, {"name": "cpu"}]}, [
            'resources[1].name: Duplicate value: "cpu"',
        ]),
        ("PodTopologySpread", {"defaultingType": "List", "defaultConstraints": [
            {"maxSkew": 1}, {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "Never"},
            {"maxSkew": 2, "topologyKey": "z", "whenUnsatisfiable": "Never"}]}, [
            "defaultConstraints[0].topologyKey: Required value: can not be empty",
            "defaultConstraints[0].whenUnsatisfiable: Required value: can not be empty",
            f"defaultConstraints[1].{NEVER}",
            'defaultConstraints[2]: Duplicate value: "{z, Never}"',
            f"defaultConstraints[2].{NEVER}",
        ]),
        ("VolumeBinding", {"bindTimeoutSeconds": -1, "shape": [{"utilization": 0, "score": 1}]}, [
            "bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value",
            f'shape: Invalid value: [{{"utilization":0,"score":1}}]: {SHAPE}',
        ]),
        ("DynamicResources", {"filterTimeout": "-1s"}, [
            'filterTimeout: Invalid value: "-1s": must be zero or positive',
        ]),
        ("NodeAffinity", added_affinity({"key": "a", "operator": "Like"}, {"key": "b", "operator": "In"}), [
            f'{TERMS}[0].operator: Unsupported value: "Like": supported values: {OPERATORS}',
            f"{TERMS}[1].values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
        ]),
    ],
)  # fmt: skip
def test_arguments_are_checked(plugin: str, args: dict[str, Any], expected: list[str]) -> None:
    assert words_of_args(plugin, args) == expected


def test_a_strategy_by_ratio_needs_its_shape() -> None:
    (message,) = words_of_args("NodeResourcesFit", {"scoringStrategy": {"type": "RequestedToCapacityRatio"}})
    assert message.endswith(
        'initializing plugin "NodeResourcesFit": scoringStrategy.requestedToCapacityRatio: Required value: '
        "must be specified when type is RequestedToCapacityRatio"
    )


def test_plugins_that_are_gone_are_refused() -> None:
    plugins = {"filter": {"enabled": [{"name": "EBSLimits"}]}}
    (message,) = words(profiles=[{"plugins": plugins}])
    assert message == (
        'profiles[0].plugins.filter.enabled[0]: Invalid value: "EBSLimits": was invalid in version "v1" '
        '(KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")'
    )


def test_extenders_are_checked_together() -> None:
    extender = {"urlPrefix": "http://x", "bindVerb": "bind", "managedResources": [{"name": "example.com/a"}]}
    name = 'extenders[1].managedResources[0].name: Invalid value: "example.com/a"'
    assert words(extenders=[extender, extender]) == [
        'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
        f"{name}: duplicate extender managed resource name",
    ]


def test_leader_election_and_connection_are_checked_though_they_have_no_effect() -> None:
    election = {
        "leaderElect": True,
        "leaseDuration": "1s",
        "renewDeadline": "2s",
        "retryPeriod": "0s",
        "resourceLock": "x",
    }
    assert words(leaderElection=election, clientConnection={"burst": -1}) == [
        'leaderElection.leaseDuration: Invalid value: "2s": LeaseDuration must be greater than RenewDeadline',
        'leaderElection.retryPeriod: Invalid value: "0s": must be greater than zero',
        'leaderElection.resourceLock: Invalid value: "x": resourceLock value must be "leases"',
        "clientConnection.burst: Invalid value: -1: must be non-negative",
    ]
    assert words(leaderElection={**election, "leaderElect": False}) == []
