"""Configurations as forms, by REST."""

from __future__ import annotations

import pytest

from tests.web.conftest import Api

pytestmark = [pytest.mark.django_db]

HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
PACKED = HEAD + "profiles:\n- plugins: {multiPoint: {enabled: [{name: ImageLocality, weight: 7}]}}\n"


def test_the_catalogue_has_every_plugin_and_the_default_order(api: Api) -> None:
    found = api.get("profiles/catalogue")
    assert len(found["plugins"]) == 19
    assert [place["name"] for place in found["points"]["bind"]] == ["DefaultBinder"]


def test_a_text_becomes_a_form_with_what_differs(api: Api) -> None:
    found = api.post("profiles/form", {"config": PACKED}, 200)
    score = found["form"]["profiles"][0]["points"]["score"]
    assert {place["name"]: place["weight"] for place in score}["ImageLocality"] == 7
    assert [one["text"] for one in found["differences"]] == ["ImageLocality weighs 7, by default 1."]


def test_a_form_becomes_the_shortest_text(api: Api) -> None:
    form = api.post("profiles/form", {"config": PACKED}, 200)["form"]
    text = api.post("profiles/text", {"form": form, "config": HEAD + "parallelism: 3\n"}, 200)["config"]
    assert text == HEAD + (
        "parallelism: 3\nprofiles:\n- plugins:\n    multiPoint:\n      enabled:\n"
        "      - name: ImageLocality\n        weight: 7\n"
    )


def test_a_text_that_kube_scheduler_refuses_is_refused_at_its_line(api: Api) -> None:
    answer = api.post("profiles/form", {"config": HEAD + "profiles:\n- plugins: 5\n"}, 422)
    (error,) = answer["errors"]
    assert (error["line"], error["field"]) == (4, "profiles[0].plugins")


def test_a_form_that_is_none_is_refused(api: Api) -> None:
    answer = api.post("profiles/text", {"form": {"profiles": 5}}, 422)
    assert answer["errors"][0]["field"] == "form"
    assert "Expected `array`" in answer["errors"][0]["message"]
    form = api.post("profiles/form", {"config": ""}, 200)["form"]
    form["profiles"][0]["points"]["bind"] = []
    refused = api.post("profiles/text", {"form": form}, 422)
    assert "at least one bind plugin is needed" in refused["errors"][0]["message"]
