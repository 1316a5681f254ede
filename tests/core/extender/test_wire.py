from __future__ import annotations

import json
from typing import Any

import pytest

from scheduler_core.extender import wire
from scheduler_core.extender.errors import ExtenderError
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_node, make_pod

POD = make_pod("asks", requests={"cpu": "250m", "memory": "1Gi"})


def read(payload: bytes) -> Any:
    return json.loads(payload)


def test_a_question_has_go_s_names_and_the_objects_as_the_api_server_writes_them() -> None:
    question = read(wire.encode_args(POD, nodes=[make_node("n1", labels={"gen": "3"})], names=None))
    assert set(question) == {"Pod", "Nodes", "NodeNames"}
    assert question["NodeNames"] is None
    [node] = question["Nodes"]["items"]
    assert node["metadata"]["labels"] == {"gen": "3"}
    assert node["status"]["allocatable"]["cpu"] == "4"
    [container] = question["Pod"]["spec"]["containers"]
    assert container["resources"]["requests"] == {"cpu": "250m", "memory": "1Gi"}


def test_nodes_may_be_asked_about_by_name() -> None:
    question = read(wire.encode_args(POD, nodes=None, names=["n1", "n2"]))
    assert (question["Nodes"], question["NodeNames"]) == (None, ["n1", "n2"])


def test_victims_travel_whole_or_by_uid() -> None:
    info = PodInfo(make_pod("victim"), ResourceAxis())
    victims = {"n1": wire.Victims((info,), 2)}
    whole = read(wire.encode_preemption_args(POD, victims, by_uid=False))
    assert whole["NodeNameToMetaVictims"] is None
    [pod] = whole["NodeNameToVictims"]["n1"]["Pods"]
    assert (pod["metadata"]["name"], whole["NodeNameToVictims"]["n1"]["NumPDBViolations"]) == ("victim", 2)
    by_uid = read(wire.encode_preemption_args(POD, victims, by_uid=True))
    assert by_uid["NodeNameToVictims"] is None
    assert by_uid["NodeNameToMetaVictims"]["n1"] == {"Pods": [{"UID": info.uid}], "NumPDBViolations": 2}


def test_a_binding_names_the_pod_and_the_node() -> None:
    assert read(wire.encode_binding_args(POD, "n1")) == {
        "PodName": "asks",
        "PodNamespace": "default",
        "PodUID": "uid-Pod-default/asks",
        "Node": "n1",
    }


@pytest.mark.parametrize("rename", [str, str.lower, lambda name: name[0].lower() + name[1:]])
def test_an_answer_is_read_whatever_the_case_of_its_names(rename: Any) -> None:
    def renamed(fields: dict[str, Any]) -> bytes:
        return json.dumps({rename(name): value for name, value in fields.items()}).encode()

    answer = wire.decode_filter_result(
        renamed(
            {
                "NodeNames": ["a"],
                "Nodes": {"items": [{"metadata": {"name": "b"}}]},
                "FailedNodes": {"C": "no"},
                "FailedAndUnresolvableNodes": {"D": "never"},
                "Error": "",
            }
        )
    )
    assert answer == wire.FilterAnswer(("a",), ("b",), {"C": "no"}, {"D": "never"}, "")
    priorities = b"[" + renamed({"Host": "a", "Score": 7}) + b"]"
    assert wire.decode_priorities(priorities) == [("a", 7)]
    victims = {"Node": {"Pods": [{rename("UID"): "u"}], rename("NumPDBViolations"): 1}}
    assert wire.decode_preemption_result(renamed({"NodeNameToMetaVictims": victims})) == {
        "Node": wire.MetaVictims(("u",), 1)
    }
    assert wire.decode_binding_result(renamed({"Error": "taken"})) == "taken"


def test_what_an_answer_leaves_out_or_nulls_is_nothing() -> None:
    nothing = wire.FilterAnswer(None, None, {}, {}, "")
    assert wire.decode_filter_result(b"{}") == nothing
    assert wire.decode_filter_result(b'{"NodeNames":null,"FailedNodes":null,"Error":null}') == nothing
    assert wire.decode_priorities(b"null") == []
    assert wire.decode_priorities(b"[{}]") == [("", 0)]
    assert wire.decode_preemption_result(b"{}") == {}
    assert wire.decode_preemption_result(b'{"NodeNameToMetaVictims":{"n":null}}') == {
        "n": wire.MetaVictims((), 0)
    }
    assert wire.decode_binding_result(b"{}") == ""


@pytest.mark.parametrize(
    ("decode", "payload"),
    [
        (wire.decode_filter_result, b"oops"),
        (wire.decode_filter_result, b"[]"),
        (wire.decode_filter_result, b'{"NodeNames":"a"}'),
        (wire.decode_filter_result, b'{"NodeNames":[1]}'),
        (wire.decode_filter_result, b'{"FailedNodes":{"n":1}}'),
        (wire.decode_priorities, b'[{"Host":"n","Score":1.5}]'),
        (wire.decode_priorities, b'[{"Host":"n","Score":true}]'),
        (wire.decode_priorities, b'[{"Host":"n","Score":99999999999999999999}]'),
        (wire.decode_priorities, b'{"Host":"n"}'),
        (wire.decode_preemption_result, b'{"NodeNameToMetaVictims":[]}'),
    ],
)
def test_an_answer_of_another_form_is_an_error(decode: Any, payload: bytes) -> None:
    with pytest.raises(ExtenderError):
        decode(payload)
