"""The pages of checks as a browser without JavaScript gets them."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
import yaml

from playground.models import Check, Job
from tests.web.conftest import Api, eventually, manifests, node, pod

pytestmark = pytest.mark.usefixtures("worker")

HEAD = "apiVersion: playground/v1\nkind: Expectations\nspec:\n  expectations:\n"
BIG = yaml.safe_dump(pod("big", "1500m"))


@pytest.fixture
def cluster(api: Api) -> str:
    text = manifests(node("n1", cpu="2"), pod("there", cpu="1", nodeName="n1"))
    return str(api.import_text(text, query="?name=One%20node")["id"])


def page_of(api: Api, path: str) -> str:
    answer = api.client.get(path)
    assert answer.status_code == 200
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode())))


def send(api: Api, cluster: str, **form: Any) -> Any:
    return api.client.post("/checks/new/", {"cluster": cluster, "profile": "came-with", **form})


def made(api: Api, cluster: str, **form: Any) -> str:
    """Makes a check by the form and returns the address of its page, once the job has led there."""
    address = str(send(api, cluster, **form)["Location"])
    if address.startswith("/jobs/"):
        address = eventually(
            lambda: (page := api.client.get(address)).status_code == 302 and page["Location"]
        )
    return address


def test_without_a_check_the_page_tells_how_to_make_the_first(api: Api, cluster: str) -> None:
    page = page_of(api, "/checks/")
    assert "No check yet" in page
    assert f"playground check -f deploy/ --server http://testserver --cluster {cluster}" in page
    assert f"curl http://testserver/api/v1/checks -H 'Prefer: wait=30' -F cluster={cluster}" in page


def test_a_cluster_that_is_not_there_is_named_and_none_is_chosen_in_its_place(api: Api, cluster: str) -> None:
    form = api.client.get("/checks/new/?cluster=zz").content.decode()
    assert "There is no cluster <code>zz</code>: choose one below." in form
    assert '<option value="" selected>Choose a cluster</option>' in form
    assert f'<option value="{cluster}">' in form
    known = api.client.get(f"/checks/new/?cluster={cluster}").content.decode()
    assert "There is no cluster" not in known
    assert "Choose a cluster" not in known
    assert f'<option value="{cluster}" selected>' in known


def test_a_check_made_by_the_form_is_shown_with_what_decides_and_stands_in_the_history(
    api: Api, cluster: str
) -> None:
    form = page_of(api, f"/checks/new/?cluster={cluster}")
    assert "- allScheduled: {}" in form
    expectations = f"{HEAD}  - noPreemption: {{}}\n  - allScheduled: {{}}\n"
    address = made(api, cluster, manifests=BIG, expectations=expectations, name="merge 7")
    page = page_of(api, address)
    for told in (
        "Does not hold: 1 of 1 pod has no node",
        "default/big: 1 node lacks cpu: short by 500m (asked 1.5, free 1 of 2)",
        "Decided by NodeResourcesFit",
        "Stands at manifests.yaml:",
        "Request at most 1 cpu (500m less): n1 would fit",
        "playground check -f manifests.yaml --expect expectations.yaml --name 'merge 7' --server http://testserver",
        "--cluster 'One node'",
        "0/1 nodes are available: 1 Insufficient cpu.",
    ):
        assert told in page
    assert page.index("allScheduled[1]") < page.index("noPreemption[0]"), "what fails stands first"
    history = page_of(api, "/checks/")
    assert "Does not hold merge 7 1 of 1 pod has no node One node 1 of 2 hold" in history
    assert "No check of this cluster yet" in page_of(api, "/checks/?cluster=none")
    again = page_of(api, f"/checks/new/?like={address.split('/')[2]}")
    assert "cpu: 1500m" in again
    assert "noPreemption" in again


def test_a_pod_opens_the_run_of_the_check_at_the_cycle_that_decided(api: Api, cluster: str) -> None:
    files = manifests(pod("small", "500m"), pod("big", "1500m"))
    address = made(api, cluster, manifests=files)
    page = api.client.get(address).content.decode()
    assert 'name="pod" value="default/big"' in page, "a button, as long as there is no run"
    run = api.client.post(f"{address}run/")["Location"].split("/")[2]
    assert api.wait_for(run)["status"] == "finished"
    opened = api.client.post(f"{address}run/", {"pod": "default/big"})["Location"]
    assert opened == f"/runs/{run}/?cycle=2&pod=default/big"
    assert api.get(f"runs/{run}/cycles")["cycles"][1]["result"] == "unschedulable"
    page = api.client.get(address).content.decode()
    assert f'href="/runs/{run}/?cycle=2&amp;pod=default/big"' in page
    assert f'href="/runs/{run}/?cycle=1&amp;pod=default/small"' in page
    assert api.client.post(f"{address}run/")["Location"] == f"/runs/{run}/"


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({}, "nothing to check"),
        ({"manifests": "kind: Pod"}, "manifests.yaml"),
        ({"manifests": BIG, "expectations": f"{HEAD}  - nonsense: {{}}"}, "expectations.yaml"),
        ({"manifests": BIG, "cluster": "none"}, "choose the cluster to check against"),
        ({"manifests": BIG, "profile": "none"}, "There is no profile 'none'."),
        ({"deletions": "Nobody"}, "deletions[0]"),
    ],
)
def test_what_is_wrong_with_the_form_is_said_at_it_and_nothing_is_asked(
    api: Api, cluster: str, form: dict[str, str], told: str
) -> None:
    answer = send(api, **{"cluster": cluster, "name": "mine", **form})
    assert answer.status_code == 422
    page = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode())))
    assert "Not checked: put this right first" in page
    assert told in page
    assert 'value="mine"' in answer.content.decode()
    assert not Job.objects.exists()


def test_files_count_beside_what_is_pasted_and_deletions_are_taken(api: Api, cluster: str) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    file = SimpleUploadedFile("web.yaml", yaml.safe_dump(pod("web", "100m")).encode())
    address = made(api, cluster, manifests=BIG, file=file, deletions="Pod/default/there")
    page = page_of(api, address)
    assert "Holds: the expectation holds" in page
    assert "2 manifests and 1 deletion against One node" in page
    assert "-f web.yaml -f manifests.yaml --delete Pod/default/there" in page


def test_a_snapshot_of_unknown_age_is_told_and_has_no_run(api: Api, cluster: str) -> None:
    text = HEAD.replace("spec:", "spec:\n  maxSnapshotAge: 24h") + "  - allScheduled: {}\n"
    address = made(api, cluster, manifests=BIG, expectations=text)
    page = page_of(api, address)
    assert "Snapshot too old: the age of the snapshot is unknown" in page
    assert "of unknown age, at most 24 h" in page
    assert "Run it and look" not in page
    assert api.client.post(f"{address}run/")["Location"] == address


def test_only_what_is_worse_counts_with_a_baseline_and_the_smallest_counterexample_is_told(api: Api) -> None:
    cluster = api.import_text(manifests(node("n1", cpu="2")))["id"]
    pods = [pod("big", "2"), pod("small-0", "1"), pod("small-1", "1"), pod("other", "1m")]
    text = (
        "apiVersion: playground/v1\nkind: Expectations\nspec:\n  orders: 30\n  baseline: true\n  expectations:\n"
        "  - scheduled: {workloads: [Pod/big]}\n"
    )
    page = page_of(api, made(api, cluster, manifests=manifests(*pods), expectations=text))
    assert "only what is worse than without the change" in page
    assert re.search(r"holds in \d+ of 12", page)
    assert (
        "Pod/default/big arrives in another place than in the files: Pod/default/small-0 Pod/default/big"
        in page
    )


def test_a_job_leads_to_its_check_and_can_be_cancelled(api: Api, cluster: str) -> None:
    done = made(api, cluster, manifests=BIG)
    job = Job.objects.get()
    assert api.client.get(f"/jobs/{job.id}/")["Location"] == done
    waiting = Job.objects.create(workspace_id="local", kind="check", question=job.question)
    history = api.client.get("/checks/").content.decode()
    assert f"/jobs/{waiting.id}/cancel/" in history
    assert "Checking" in page_of(api, f"/jobs/{waiting.id}/")
    api.client.post(f"/jobs/{waiting.id}/cancel/")
    assert "The check was cancelled" in page_of(api, f"/jobs/{waiting.id}/")
    Job.objects.all().delete()


def test_a_long_history_has_pages_and_a_check_can_be_deleted(api: Api, cluster: str) -> None:
    address = made(api, cluster, manifests=BIG, name="first")
    first = Check.objects.get()
    for number in range(30):
        first.pk, first.name = f"{number:016}", f"copy {number}"
        first._state.adding = True
        first.save()
    page = api.client.get(f"/checks/?cluster={cluster}").content.decode()
    assert f"?cluster={cluster}&amp;page=2" in page
    assert "26–31 of 31" in page_of(api, f"/checks/?cluster={cluster}&page=2")
    assert api.client.post(f"{address}delete/").status_code == 302
    assert api.client.get(address).status_code == 404


def test_the_navigation_says_where_one_is(api: Api, cluster: str) -> None:
    for path, name, current in (
        ("/", "Clusters", "page"),
        (f"/clusters/{cluster}/", "Clusters", "true"),
        ("/profiles/", "Profiles", "page"),
        ("/checks/", "Checks", "page"),
        ("/checks/new/", "Checks", "true"),
    ):
        page = api.client.get(path).content.decode()
        (nav,) = re.findall(r'<nav class="sections".*?</nav>', page, re.DOTALL)
        assert re.findall(r'aria-current="(\w+)">(\w+)<', nav) == [(current, name)], path


def test_what_a_loss_does_is_seen_in_a_run_that_loses_the_node(api: Api) -> None:
    cluster = api.import_text(manifests(node("n1", cpu="2"), node("n2", cpu="2")))["id"]
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod("x", "1500m")["spec"]}
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    web = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    address = made(api, cluster, manifests=json.dumps(web), expectations=f"{HEAD}  - survivesLoss: {{}}\n")
    assert 'name="without" value="n1"' in api.client.get(address).content.decode()
    run = api.client.post(f"{address}run/", {"without": "n1"})["Location"].split("/")[2]
    assert api.wait_for(run)["num_pending"] == 1
    opened = api.client.post(f"{address}run/", {"without": "n1"})["Location"]
    assert re.fullmatch(rf"/runs/{run}/\?cycle=3&pod=default/web-\S+", opened)
    assert api.post(f"{address.strip('/')}/run?without=n1", status=200)["id"] == run
    assert "loss of these nodes" in api.post(f"{address.strip('/')}/run?without=n3", status=404)["detail"]
