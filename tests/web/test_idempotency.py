"""`Idempotency-Key`: sent again, nothing is done again."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from playground.models import IdempotentAnswer, Profile
from tests.web.conftest import Api

HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"


def create(client: Client, key: str, name: str = "p", config: str = HEAD) -> Any:
    body = json.dumps({"name": name, "config": config})
    return client.post(
        "/api/v1/profiles", body, content_type="application/json", headers={"idempotency-key": key}
    )


@pytest.mark.django_db
def test_the_second_sending_is_answered_as_the_first_and_creates_nothing(client: Client) -> None:
    first, again = create(client, "order-1"), create(client, "order-1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    assert Profile.objects.count() == 1
    assert create(client, "order-2").json()["id"] != first.json()["id"]


@pytest.mark.django_db
def test_a_key_that_stands_for_another_request_is_422(client: Client) -> None:
    create(client, "k")
    answer = create(client, "k", name="another")
    assert answer.status_code == 422
    assert "used for another request" in answer.json()["detail"]
    assert Profile.objects.count() == 1


@pytest.mark.django_db
def test_what_was_refused_may_be_mended_under_the_same_key(client: Client) -> None:
    assert create(client, "k", config="kind: Pod").status_code == 422
    assert not IdempotentAnswer.objects.exists()
    assert create(client, "k").status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "schlüssel"])
def test_an_odd_key_is_400(client: Client, key: str) -> None:
    answer = create(client, key)
    assert answer.status_code == 400
    assert "Idempotency-Key must be 1 to 255" in answer.json()["detail"]


@pytest.mark.django_db
def test_keys_are_forgotten_after_a_day(client: Client) -> None:
    first = create(client, "k").json()["id"]
    IdempotentAnswer.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert create(client, "k").json()["id"] != first
    assert IdempotentAnswer.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_creates_and_both_get_its_answer(api: Api) -> None:
    answers: list[Any] = []

    def send() -> None:
        answers.append(create(Client(), "same").json())
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer["id"] for answer in answers}) == 1
    assert Profile.objects.count() == 1
