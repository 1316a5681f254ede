"""Manifests judged by REST."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

pytestmark = pytest.mark.django_db
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: i}]}\n"


def judge(client: Client, text: str) -> Any:
    return client.post("/api/v1/manifests", text, content_type="application/yaml")


def test_manifests_come_back_as_objects(client: Client) -> None:
    answer = judge(client, f"{POD}---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\n")
    assert answer.status_code == 200
    (pod,) = answer.json()["objects"]
    assert pod["metadata"]["name"] == "web"
    assert answer.json()["skipped"] == {"Secret": 1}


def test_what_the_api_server_would_refuse_is_refused_at_its_line(client: Client) -> None:
    answer = judge(client, POD.replace("name: c", "nam: c"))
    assert answer.status_code == 422
    errors = {error["field"]: error for error in answer.json()["errors"]}
    assert errors["spec.containers[0].nam"]["line"] == 4
    assert "unknown field" in errors["spec.containers[0].nam"]["message"]
    assert judge(client, "{").status_code == 422


def test_files_keep_their_paths(client: Client) -> None:
    files = [SimpleUploadedFile("a.yaml", POD.encode()), SimpleUploadedFile("b.yaml", b"kind: Pod")]
    answer = client.post("/api/v1/manifests", {"file": files, "path": ["app/a.yaml", "app/b.yaml"]})
    assert answer.status_code == 422
    assert {error["file"] for error in answer.json()["errors"]} == {"app/b.yaml"}
    answer = client.post("/api/v1/manifests", {"file": SimpleUploadedFile("a.yaml", POD.encode())})
    assert [each["metadata"]["name"] for each in answer.json()["objects"]] == ["web"]
    assert client.post("/api/v1/manifests", {"name": "x"}).status_code == 400
