"""Who would have won under other weights, by REST."""

from __future__ import annotations

import pytest

from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.django_db


def test_a_cycle_says_where_the_winner_flips(api: Api, worker: None) -> None:
    with_image = node("n2", cpu="2")
    with_image["status"]["images"] = [{"names": ["registry.example/app:1"], "sizeBytes": 900_000_000}]
    things = manifests(node("n1", cpu="8"), with_image, pod("a", "1"), pod("huge", "64"))
    run = api.wait_for(api.run(api.import_text(things)["id"])["id"])
    found = {one["plugin"]: one for one in api.get(f"runs/{run['id']}/cycles/1/sensitivity")["plugins"]}
    image = found["ImageLocality"]
    assert image["weight"] == 1
    assert [win["nodes"] for win in image["wins"]] == [["n1"], ["n2"]]
    assert 0 < image["wins"][1]["from_weight"] < 100
    assert image["text"].startswith("ImageLocality has weight 1: n1 wins below, n2 wins from weight ")
    assert api.get(f"runs/{run['id']}/cycles/2/sensitivity") == {"plugins": []}
    assert "no cycle 9" in api.get(f"runs/{run['id']}/cycles/9/sensitivity", 404)["detail"]
    heavy = api.get(f"runs/{run['id']}/cycles/1/sensitivity?weights=ImageLocality:50,NodeResourcesFit:9")
    image = next(one for one in heavy["plugins"] if one["plugin"] == "ImageLocality")
    assert image["weight"] == 50
    assert image["wins"][1]["from_weight"] > found["ImageLocality"]["wins"][1]["from_weight"]
    below = api.get(f"runs/{run['id']}/cycles/1/sensitivity?weights=NodeResourcesFit:-3")
    image = next(one for one in below["plugins"] if one["plugin"] == "ImageLocality")
    assert image["wins"][-1]["nodes"] == ["n2"]
    assert image["wins"][-1]["from_weight"] < found["ImageLocality"]["wins"][1]["from_weight"]
    refused = api.get(f"runs/{run['id']}/cycles/1/sensitivity?weights=ImageLocality", 400)
    assert refused["detail"].startswith("weights must be plugins with weights")
