"""Reading a KubeSchedulerConfiguration: forms, defaults, errors with their places."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scheduler_core.config import DEFAULT_PLUGINS, Profile, SchedulerConfiguration, load_config
from scheduler_core.config.plugin_args import (
    DefaultPreemptionArgs,
    InterPodAffinityArgs,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
)
from scheduler_core.config.types import KubeSchedulerConfiguration
from scheduler_core.errors import FieldError, ManifestError

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
YAML = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"


def load(**fields: Any) -> SchedulerConfiguration:
    return load_config(json.dumps({**HEAD, **fields}))


def with_args(plugin: str, args: Any) -> SchedulerConfiguration:
    return load(profiles=[{"pluginConfig": [{"name": plugin, "args": args}]}])


def refused(text: str) -> tuple[FieldError, ...]:
    with pytest.raises(ManifestError) as caught:
        load_config(text, "scheduler.yaml")
    return caught.value.errors


@pytest.mark.parametrize(
    "text", [None, "", "---\n# nothing\n", YAML, json.dumps(HEAD), b"\xef\xbb\xbf" + YAML.encode()]
)
def test_nothing_means_the_defaults(text: str | bytes | None) -> None:
    config = load_config(text)
    (profile,) = config.profiles
    assert profile.scheduler_name == "default-scheduler"
    assert profile.plugins.multi_point.enabled == DEFAULT_PLUGINS
    assert profile.percentage_of_nodes_to_score is None
    assert (config.percentage_of_nodes_to_score, config.parallelism, config.extenders) == (0, 16, ())
    assert (config.pod_initial_backoff_seconds, config.pod_max_backoff_seconds) == (1, 10)
    assert config.notes == ()


def test_plugins_that_take_arguments_have_their_defaults() -> None:
    config = load_config(None).profiles[0].plugin_config
    assert config["DefaultPreemption"] == DefaultPreemptionArgs()
    assert config["InterPodAffinity"] == InterPodAffinityArgs(hard_pod_affinity_weight=1)
    fit = config["NodeResourcesFit"]
    assert isinstance(fit, NodeResourcesFitArgs)
    assert fit.scoring_strategy.type == "LeastAllocated"
    assert [(spec.name, spec.weight) for spec in fit.scoring_strategy.resources] == [
        ("cpu", 1),
        ("memory", 1),
    ]
    assert "TaintToleration" not in config


def test_arguments_are_read_and_what_is_zero_is_defaulted_as_upstream_does() -> None:
    config = with_args(
        "NodeResourcesFit",
        {
            "scoringStrategy": {
                "type": "MostAllocated",
                "resources": [{"name": "cpu"}, {"name": "x/y", "weight": 0}],
            }
        },
    )
    fit = config.profiles[0].plugin_config["NodeResourcesFit"]
    assert isinstance(fit, NodeResourcesFitArgs)
    assert [(spec.name, spec.weight) for spec in fit.scoring_strategy.resources] == [("cpu", 1), ("x/y", 1)]
    balanced = with_args("NodeResourcesBalancedAllocation", {"resources": []}).profiles[0].plugin_config
    assert balanced["NodeResourcesBalancedAllocation"] == NodeResourcesBalancedAllocationArgs()
    spread = with_args("PodTopologySpread", {"defaultingType": ""}).profiles[0].plugin_config
    assert spread["PodTopologySpread"] == PodTopologySpreadArgs()


def test_a_zero_that_means_something_stays_zero() -> None:
    config = with_args("InterPodAffinity", {"hardPodAffinityWeight": 0})
    assert config.profiles[0].plugin_config["InterPodAffinity"] == InterPodAffinityArgs(
        hard_pod_affinity_weight=0
    )


def test_arguments_may_say_their_type() -> None:
    args = {"apiVersion": HEAD["apiVersion"], "kind": "DefaultPreemptionArgs", "minCandidateNodesAbsolute": 5}
    (profile,) = with_args("DefaultPreemption", args).profiles
    assert profile.plugin_config["DefaultPreemption"].min_candidate_nodes_absolute == 5


def test_arguments_of_plugins_that_are_not_in_the_tree_stay_as_they_are() -> None:
    (profile,) = with_args("Coscheduling", {"permitWaitingTimeSeconds": 10}).profiles
    assert profile.plugin_config["Coscheduling"] == {"permitWaitingTimeSeconds": 10}


def test_extenders_are_read() -> None:
    config = load(
        extenders=[
            {
                "urlPrefix": "https://extender.example.com/v1",
                "filterVerb": "filter",
                "prioritizeVerb": "prioritize",
                "weight": 3,
                "enableHTTPS": True,
                "httpTimeout": "1.5s",
                "nodeCacheCapable": True,
                "managedResources": [{"name": "example.com/widget", "ignoredByScheduler": True}],
                "ignorable": True,
            }
        ]
    )
    (extender,) = config.extenders
    assert (extender.url_prefix, extender.weight, extender.enable_https) == (
        "https://extender.example.com/v1",
        3,
        True,
    )
    assert extender.http_timeout == 1_500_000_000
    assert [(resource.name, resource.ignored_by_scheduler) for resource in extender.managed_resources] == [
        ("example.com/widget", True)
    ]


def test_a_null_is_absent() -> None:
    assert load(profiles=None, extenders=None, percentageOfNodesToScore=None) == load()


def test_several_profiles_need_their_names() -> None:
    config = load(profiles=[{"schedulerName": "a"}, {"schedulerName": "b", "percentageOfNodesToScore": 30}])
    assert [
        (profile.scheduler_name, profile.percentage_of_nodes_to_score) for profile in config.profiles
    ] == [
        ("a", None),
        ("b", 30),
    ]
    errors = refused(json.dumps({**HEAD, "profiles": [{"schedulerName": "a"}, {}]}))
    assert [error.words() for error in errors] == ["profiles[1].schedulerName: Required value"]


def test_fields_without_effect_are_noted() -> None:
    config = load(
        parallelism=4,
        leaderElection={"leaderElect": True},
        clientConnection={"qps": 10.5},
        podMaxBackoffSeconds=20,
    )
    assert [note.split(":")[0] for note in config.notes] == [
        "parallelism",
        "leaderElection",
        "clientConnection",
    ]


def test_everything_wrong_is_listed_with_its_place() -> None:
    text = YAML + (
        "percentageOfNodesToScore: 101\n"
        "podInitialBackoffSeconds: soon\n"
        "profiles:\n"
        "- schedulerName: default-scheduler\n"
        "  plugin: {}\n"
        "  pluginConfig:\n"
        "  - name: NodeAffinity\n"
        "    args: {addedAffinity: {preferred: []}}\n"
    )
    errors = refused(text)
    assert [(error.line, error.column, error.field, error.message) for error in errors] == [
        (4, 27, "podInitialBackoffSeconds", "expected an integer (int64), got a string"),
        (7, 11, "profiles[0].plugin", 'strict decoding error: unknown field "profiles[0].plugin"'),
    ]
    errors = refused(text.replace("soon", "0").replace("  plugin: {}\n", ""))
    assert [(error.line, error.field) for error in errors] == [
        (3, "percentageOfNodesToScore"),
        (4, "podInitialBackoffSeconds"),
        (9, "profiles[0].pluginConfig[0].args.addedAffinity.preferred"),
    ]
    assert errors[0].sentence() == (
        "scheduler.yaml:3:27: percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: KubeSchedulerConfiguration\n", "Object 'apiVersion' is missing"),
        ("a: b\n", "Object 'Kind' is missing"),
        ("just words\n", "expected a KubeSchedulerConfiguration, got a string"),
        (
            YAML.replace("/v1", "/v1beta3"),
            'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta3"',
        ),
        ("apiVersion: v1\nkind: Pod\n", 'no kind "Pod" is registered for version "v1"'),
        (YAML + "---\n" + YAML, "expected one document, here is another"),
        (YAML + "kind: Pod\n", "the key 'kind' stands twice in the same map"),
        (YAML + "parallelism: [1\n", "did not find expected ',' or ']' while parsing a flow sequence"),
        ('{"kind": 1', "Input data was truncated"),
    ],
)
def test_what_is_no_configuration_is_refused(text: str, message: str) -> None:
    (error,) = refused(text)
    assert error.message == message
    assert error.line is not None


def test_a_text_longer_than_any_configuration_is_refused() -> None:
    (error,) = refused("#" * (2**20 + 1))
    assert error.type == "Limit"


def test_arguments_of_another_plugin_are_refused() -> None:
    args = {"kind": "NodeAffinityArgs", "apiVersion": HEAD["apiVersion"]}
    (error,) = refused(
        json.dumps({**HEAD, "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit", "args": args}]}]})
    )
    assert error.message == (
        "args for plugin NodeResourcesFit were not of type NodeResourcesFitArgs.kubescheduler.config.k8s.io, "
        "got NodeAffinityArgs.kubescheduler.config.k8s.io"
    )


def test_a_profile_knows_its_place() -> None:
    (profile,) = load_config(YAML, "mine.yaml").profiles
    assert isinstance(profile, Profile)
    assert (profile.file, profile.field) == ("mine.yaml", "profiles[0]")


def test_options_of_extenders_and_arguments_without_effect_are_noted_and_secrets_not_kept() -> None:
    tls = {"insecure": True, "serverName": "x", "certData": "MQ==", "keyData": "Mg==", "caFile": "/ca.pem"}
    config = load(
        extenders=[
            {"urlPrefix": "https://x/v1", "enableHTTPS": True, "httpTimeout": "30s", "tlsConfig": tls}
        ],
        profiles=[
            {
                "pluginConfig": [
                    {"name": "VolumeBinding", "args": {"bindTimeoutSeconds": 5}},
                    {"name": "DynamicResources", "args": {"filterTimeout": "1s"}},
                ]
            }
        ],
    )
    assert config.notes == (
        "profiles[0].pluginConfig[0].args.bindTimeoutSeconds: volumes are bound at once",
        "profiles[0].pluginConfig[1].args.filterTimeout: resource claims are not simulated",
        "extenders[0].enableHTTPS: urlPrefix says whether HTTPS is spoken",
        "extenders[0].httpTimeout: no answer is waited for longer than 5 s",
        "extenders[0].tlsConfig.insecure: certificates are always checked",
        "extenders[0].tlsConfig.serverName: certificates are checked for the host of urlPrefix",
        "extenders[0].tlsConfig.certData: no client certificate is presented; not kept",
        "extenders[0].tlsConfig.keyData: no client certificate is presented; not kept",
        "extenders[0].tlsConfig.caFile: certificates are checked against the system's authorities; not kept",
    )
    (extender,) = config.extenders
    assert extender.tls_config is not None
    assert (extender.tls_config.insecure, extender.tls_config.server_name) == (True, "x")
    assert "Mg==" not in repr(config)


def test_every_field_of_a_configuration_is_used_or_noted() -> None:
    """A field added to the types has to be put on one side or the other."""
    used = {
        *("apiVersion", "kind", "percentageOfNodesToScore", "podInitialBackoffSeconds"),
        *("podMaxBackoffSeconds", "profiles", "extenders"),
    }
    assert set(KubeSchedulerConfiguration.__struct_encode_fields__) == used | {
        *("parallelism", "leaderElection", "clientConnection", "enableProfiling"),
        *("enableContentionProfiling", "delayCacheUntilActive"),
    }
    values = {"parallelism": 4, "leaderElection": {}, "clientConnection": {}}
    switches = ("enableProfiling", "enableContentionProfiling", "delayCacheUntilActive")
    config = load(**values, **dict.fromkeys(switches, True))
    assert {note.split(":")[0] for note in config.notes} == {*values, *switches}
