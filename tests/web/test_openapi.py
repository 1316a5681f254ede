"""The description of the API fits the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

from tests.web.conftest import Api, small_cluster

pytestmark = pytest.mark.django_db

ADDRESSES = Path(__file__).with_name("addresses.txt").read_text().splitlines()


@pytest.fixture
def schema(client: Client) -> dict[str, Any]:
    answer = client.get("/api/v1/schema")
    assert answer.status_code == 200
    return dict(answer.json())


def test_it_is_valid_and_names_every_address(schema: dict[str, Any]) -> None:
    validate_schema(schema)
    assert schema["openapi"].startswith("3.1")
    found = [f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods]
    assert sorted(found) == ADDRESSES


def test_every_operation_says_how_it_fails(schema: dict[str, Any]) -> None:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert {"400", "401", "403", "406", "429"} <= set(operation["responses"]), f"{method} {path}"
            assert any(code.startswith("2") for code in operation["responses"]), f"{method} {path}"
            assert operation.get("summary"), f"{method} {path}"
            assert operation["tags"][0] in {tag["name"] for tag in schema["tags"]}, f"{method} {path}"


def test_the_page_needs_nothing_from_elsewhere_and_no_inline_script(client: Client) -> None:
    page = client.get("/api/v1/docs").content.decode()
    assert "https://" not in page
    for script in page.split("<script")[1:]:
        assert "src=" in script.split(">")[0]
        assert script.split(">")[1].strip().startswith("</script")
    assert client.get("/api/v1/docs?script=").status_code == 200


@pytest.mark.parametrize(
    ("path", "component"),
    [("clusters", "Cluster"), ("clusters/{id}/nodes", "Node"), ("clusters/{id}/pods", "Pod")],
)
def test_items_have_the_fields_that_are_described(
    api: Api, schema: dict[str, Any], path: str, component: str
) -> None:
    cluster = api.import_text(small_cluster())
    (item, *_) = api.get(path.format(id=cluster["id"]))["results"]
    described = schema["components"]["schemas"][component]["properties"]
    assert set(item) == set(described) - {"object"}
