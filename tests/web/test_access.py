"""Who may do what: tokens with scopes, logins, workspaces; and nobody needs anything on one machine."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from playground.asgi import application
from playground.models import AccessToken, Cluster, Run, Workspace, workspace_of
from tests.web.communicator import WebsocketCommunicator
from tests.web.conftest import Api, small_cluster

pytestmark = pytest.mark.django_db

PASSWORD = "a long one with 3 words"


@pytest.fixture
def closed(settings: Any) -> None:
    settings.LOGIN_REQUIRED = True


@pytest.fixture
def ada(db: None) -> Any:
    return get_user_model().objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def bob(db: None) -> Any:
    return get_user_model().objects.create_user("bob", password=PASSWORD)


def token_for(user: Any, *scopes: str, **more: Any) -> str:
    return AccessToken.issue(workspace_of(user), "test", scopes, more.get("expires_at"), user)[1]


def api_of(text: str) -> Api:
    return Api(Client(headers={"authorization": f"Bearer {text}"}))


def test_on_one_machine_nobody_needs_to_say_who_asks(api: Api) -> None:
    cluster = api.import_text(small_cluster())
    assert Cluster.objects.get(id=cluster["id"]).workspace_id == "local"


@pytest.mark.usefixtures("closed")
def test_without_login_or_token_everything_is_401_and_says_what_is_needed(client: Client) -> None:
    for path in ("clusters", "runs", "schema", "tokens", "jobs", "clusters/0123456789abcdef/nodes"):
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == 401, path
        assert answer["Content-Type"] == "application/problem+json"
        assert answer["WWW-Authenticate"] == 'Bearer realm="Scheduler Playground"'
        assert "login or a token" in answer.json()["detail"]
    assert (
        client.post("/api/v1/clusters/import", small_cluster(), content_type="application/json").status_code
        == 401
    )


@pytest.mark.usefixtures("closed")
def test_pages_lead_to_the_login_and_back(client: Client, ada: Any) -> None:
    answer = client.get("/tokens/")
    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=/tokens/")
    page = client.get(answer["Location"])
    assert page.status_code == 200
    assert b'name="password"' in page.content
    form = {"username": "ada", "password": "wrong", "next": "/tokens/"}
    assert b"do not match" in client.post("/login/", form).content
    entered = client.post("/login/", {**form, "password": PASSWORD})
    assert (entered.status_code, entered["Location"]) == (302, "/tokens/")
    assert client.get("/").status_code == 200
    assert Workspace.objects.get(members=ada).examples_loaded


@pytest.mark.usefixtures("closed")
def test_a_workspace_is_seen_by_its_members_alone(ada: Any, bob: Any) -> None:
    first, other = api_of(token_for(ada, "write")), api_of(token_for(bob, "write"))
    cluster = first.import_text(small_cluster())["id"]
    run = first.run(cluster)["id"]
    for path in (
        *(f"clusters/{cluster}", f"clusters/{cluster}/nodes", f"clusters/{cluster}/objects"),
        *(f"runs/{run}", f"runs/{run}/events", f"runs/{run}/cycles", f"runs/{run}/placements"),
    ):
        first.get(path)
        other.get(path, status=404)
    assert other.get("clusters")["results"] == other.get("runs")["results"] == []
    other.post("runs", {"cluster": cluster}, status=404)
    assert other.client.delete(f"/api/v1/clusters/{cluster}").status_code == 404
    Workspace.objects.get(members=ada).members.add(bob)
    Workspace.objects.filter(members=bob).exclude(members=ada).delete()
    bob = type(bob).objects.get(pk=bob.pk)
    assert api_of(token_for(bob, "read")).get(f"clusters/{cluster}")["id"] == cluster


@pytest.mark.usefixtures("closed")
@pytest.mark.parametrize("scope", ["read", "check"])
def test_a_token_does_what_its_scope_says_and_no_more(ada: Any, scope: str) -> None:
    cluster = api_of(token_for(ada, "write")).import_text(small_cluster())["id"]
    limited = api_of(token_for(ada, scope))
    limited.get(f"clusters/{cluster}")
    problem = limited.post("runs", {"cluster": cluster}, status=403)
    assert problem["detail"] == f"This needs a token with scope `write`; this one has {scope}."
    assert limited.client.delete(f"/api/v1/clusters/{cluster}").status_code == 403
    assert not Run.objects.exists()


@pytest.mark.usefixtures("closed")
def test_a_token_that_is_unknown_expired_or_revoked_is_401(ada: Any) -> None:
    past = timezone.now() - timedelta(seconds=1)
    expired = api_of(token_for(ada, "write", expires_at=past)).get("clusters", status=401)
    assert "expired at" in expired["detail"]
    good = token_for(ada, "write")
    assert "not known" in api_of(f"{good[:-1]}!").get("clusters", status=401)["detail"]
    assert api_of(good).get("clusters")
    AccessToken.objects.filter(prefix=good.split("_")[1]).delete()
    api_of(good).get("clusters", status=401)
    ada.is_active = False
    ada.save()
    api_of(token_for(ada, "read")).get("clusters", status=401)
    for header in ("Basic YTpi", "Bearer", "Bearer \x7f", "spp_abc"):
        assert Client(headers={"authorization": header}).get("/api/v1/clusters").status_code == 401


def test_only_a_digest_of_a_token_is_kept(api: Api) -> None:
    made = api.post("tokens", {"name": "CI", "scopes": ["check"], "expires_in_days": 30})
    text = made["token"]
    row = AccessToken.objects.get(id=made["id"])
    assert row.digest == hashlib.sha256(text.encode()).hexdigest()
    assert len(text.split("_")[2]) == 40
    assert text not in json.dumps(api.get("tokens"))
    assert (made["scopes"], made["prefix"]) == (["check"], text.split("_")[1])
    assert row.expires_at is not None
    assert timedelta(days=29) < row.expires_at - timezone.now() <= timedelta(days=30)
    assert api.client.delete(f"/api/v1/tokens/{made['id']}").status_code == 204
    assert not AccessToken.objects.exists()


def test_a_token_that_is_sent_counts_on_one_machine_too(api: Api) -> None:
    read = api.post("tokens", {"name": "r", "scopes": ["read"], "expires_in_days": None})
    assert read["expires_at"] is None
    api_of(read["token"]).post("runs", {"cluster": "x"}, status=403)
    api_of("spp_nothing_here").get("clusters", status=401)
    assert AccessToken.objects.get().last_used_at is not None


def test_a_token_cannot_make_tokens(api: Api) -> None:
    made = api.post("tokens", {"name": "w", "scopes": ["write"]})
    problem = api_of(made["token"]).post("tokens", {"name": "more", "scopes": ["write"]}, status=403)
    assert "people who are logged in" in problem["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"scopes": ["read"]}, "name"),
        ({"name": "  ", "scopes": ["read"]}, "name"),
        ({"name": "a\nb", "scopes": ["read"]}, "name"),
        ({"name": "x", "scopes": []}, "scopes"),
        ({"name": "x", "scopes": ["admin"]}, "scopes"),
        ({"name": "x", "scopes": ["read"], "expires_in_days": 0}, "expires_in_days"),
        ({"name": "x", "scopes": ["read"], "expires_in_days": 10**30}, "expires_in_days"),
        ({"name": "x", "scopes": ["read"], "forever": True}, "forever"),
    ],
)
def test_a_token_that_cannot_be_made_says_why(api: Api, body: dict[str, Any], field: str) -> None:
    (error,) = api.post("tokens", body, status=400)["errors"]
    assert error["field"].partition("[")[0] == field
    assert not AccessToken.objects.exists()


def test_the_page_makes_shows_once_and_revokes(client: Client) -> None:
    page = client.post("/tokens/", {"name": "CI of the shop", "scope": "check", "days": ""})
    text = page.content.decode().partition('readonly value="')[2].partition('"')[0]
    token = AccessToken.find(text)
    assert token is not None
    assert (token.scopes, token.expires_at) == (["check"], None)
    assert page["Cache-Control"] == "no-store"
    again = client.get("/tokens/").content.decode()
    assert text not in again
    assert token.prefix in again
    assert client.post("/tokens/", {"name": "", "scope": "check", "days": "90"}).status_code == 422
    assert client.post("/tokens/", {"name": "a", "scope": "read", "days": "x"}).status_code == 422
    client.post("/tokens/", {"name": "a", "scope": "read", "days": "30"})
    (month,) = AccessToken.objects.exclude(id=token.id)
    assert month.expires_at is not None
    month.delete()
    assert client.post(f"/tokens/{token.id}/revoke/").status_code == 302
    assert not AccessToken.objects.exists()


@pytest.mark.usefixtures("closed")
def test_a_login_may_change_things_only_from_a_page(client: Client, ada: Any) -> None:
    client.force_login(ada)
    body = {"data": small_cluster(), "content_type": "application/json"}
    answer = client.post("/api/v1/clusters/import", **body)
    assert answer.status_code == 403
    assert "must come from a page" in answer.json()["detail"]
    own = {"origin": "http://testserver"}
    assert client.post("/api/v1/clusters/import", **body, headers=own).status_code == 201
    foreign = {"origin": "http://evil.example"}
    assert client.post("/api/v1/clusters/import", **body, headers=foreign).status_code == 403
    assert len(client.get("/api/v1/clusters").json()["results"]) == 1


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("token", *arguments, stdout=out)
    return out.getvalue().strip()


def test_the_command_makes_lists_and_revokes(ada: Any) -> None:
    text = command("create", "pipeline", "--scope", "read", "--user", "ada")
    token = AccessToken.find(text)
    assert token is not None
    assert (token.user, token.scopes, token.workspace_id) == (ada, ["read"], workspace_of(ada))
    assert command("list").startswith(f"{token.prefix}  read  until ")
    command("revoke", token.prefix)
    assert AccessToken.find(text) is None
    with pytest.raises(CommandError, match="no token 'abcd'"):
        command("revoke", "abcd")
    with pytest.raises(CommandError, match="no user 'eve'"):
        command("create", "x", "--user", "eve")


@pytest.fixture
def shared_run(transactional_db: None, closed: None) -> tuple[Any, Run]:
    ada = get_user_model().objects.create_user("ada", password=PASSWORD)
    cluster = Cluster.objects.create(workspace_id=workspace_of(ada), name="c")
    revision = cluster.revisions.create(digest="0" * 64)
    return (
        ada,
        Run.objects.create(
            workspace_id=cluster.workspace_id, cluster=cluster, revision=revision, status="finished"
        ),
    )


async def closing_code(run_id: str, *headers: tuple[bytes, bytes]) -> int:
    socket = WebsocketCommunicator(
        application, f"/ws/runs/{run_id}/", headers=[(b"host", b"testserver"), *headers]
    )
    await socket.connect(timeout=10)
    code = None
    while code is None:
        message = await socket.receive_output(timeout=10)
        code = message.get("code") if message["type"] == "websocket.close" else None
    return int(code)


@pytest.mark.django_db(transaction=True)
async def test_a_socket_needs_what_the_api_needs(shared_run: tuple[Any, Run]) -> None:
    ada, run = shared_run
    assert await closing_code(run.id) == 4401
    assert await closing_code(run.id, (b"authorization", b"Bearer spp_x_y")) == 4401
    text = await database_sync_to_async(AccessToken.issue)(run.workspace_id, "t", ["read"], None, ada)
    assert await closing_code(run.id, (b"authorization", f"Bearer {text[1]}".encode())) == 1000
    client = Client()
    await database_sync_to_async(client.force_login)(ada)
    cookie = f"sessionid={client.cookies['sessionid'].value}".encode()
    assert await closing_code(run.id, (b"cookie", cookie)) == 1000
