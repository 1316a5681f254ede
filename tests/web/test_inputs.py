"""Inputs as people paste them, through the API as through the command line."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.needs import outside
from tests.web.conftest import Api


def outcome_of(api: Api, name: str, query: str = "") -> tuple[dict[str, str], dict[str, str]]:
    """Imports a file, runs it, and returns placements and messages."""
    cluster = api.import_text(outside(f"inputs/{name}.yaml").read_bytes(), query=query)
    over = api.wait_for(api.run(cluster["id"])["id"])
    assert over["status"] == "finished", over["message"]
    outcome = api.get(f"runs/{over['id']}/placements")
    return outcome["placements"], {each["pod"]: each["message"] for each in outcome["pending"]}


@pytest.mark.usefixtures("worker")
class TestWhatPeoplePaste:
    def test_anchors_are_local_to_a_document_and_merges_are_merged(self, api: Api) -> None:
        placements, pending = outcome_of(api, "anchors-and-merge-keys")
        assert "default/big-1" in placements
        assert list(pending) == ["default/big-2"]
        assert "Insufficient cpu" in pending["default/big-2"]

    def test_line_ends_and_byte_order_marks_do_not_matter(self, api: Api) -> None:
        placements, pending = outcome_of(api, "crlf-and-bom")
        assert [pod.split("/")[1] for pod in placements if "appsettings-reader" in pod]
        assert [
            message
            for pod, message in pending.items()
            if "too-big" in pod and "Insufficient memory" in message
        ]

    def test_null_is_absent_and_the_bad_time_is_told(self, api: Api) -> None:
        (error,) = api.import_text(outside("inputs/dry-run-nulls.yaml").read_bytes(), status=422)["errors"]
        assert (error["object"], error["field"]) == ("Pod bad-time", "metadata.creationTimestamp")
        placements, pending = outcome_of(api, "dry-run-nulls", "?skip_invalid=true")
        assert {pod.split("/")[1] for pod in placements} == {"nginx", "sparse"}
        assert pending == {}

    def test_empty_documents_are_passed_over(self, api: Api) -> None:
        placements, pending = outcome_of(api, "helm-template-empty-documents")
        assert next(iter(placements.values())) == "n1"
        assert pending == {}

    def test_nine_wrong_quantities_are_told_and_three_odd_ones_taken(self, api: Api) -> None:
        text = outside("inputs/quantities-nobody-accepts.yaml").read_bytes()
        errors = api.import_text(text, status=422)["errors"]
        assert len(errors) == 9
        assert all(error["object"].startswith("Pod q-") and error["container"] == "main" for error in errors)
        placements, _ = outcome_of(api, "quantities-nobody-accepts", "?skip_invalid=true")
        assert {pod.split("/")[1] for pod in placements} == {"q-kilo-ok", "q-dot-ok", "q-plus-ok"}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["apiVersion", "kind", "metadata", "name", "spec", "items", "status", "labels"])
            | st.text(max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def is_answer(answer: Any) -> bool:
    return answer.status_code in (201, 400, 413, 415, 422) and isinstance(answer.json(), dict)


@pytest.mark.django_db
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_no_bytes_make_the_import_stumble(api: Api, body: bytes) -> None:
    assert is_answer(
        api.client.post("/api/v1/clusters/import?skip_invalid=1", body, content_type="text/plain")
    )
    assert is_answer(api.client.post("/api/v1/runs", body, content_type="application/json"))


@pytest.mark.django_db
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=VALUES)
def test_no_json_makes_the_api_stumble(api: Api, value: Any) -> None:
    for path in ("clusters/import", "runs", "profiles", "scenarios"):
        answer = api.client.post(f"/api/v1/{path}", json.dumps(value), content_type="application/json")
        assert answer.status_code in (201, 400, 404, 422)


@pytest.mark.django_db
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.text(max_size=20))
def test_no_text_in_an_address_makes_the_api_stumble(api: Api, value: str) -> None:
    text = quote(value.encode("utf-8", "replace"))
    for path in (
        f"runs?cluster={text}&status={text}",
        f"runs/{text}",
        f"clusters?limit={text}",
        f"clusters/{text}/nodes",
    ):
        assert api.client.get(f"/api/v1/{path}").status_code in (200, 301, 400, 404)
