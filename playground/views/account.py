"""Login, and the page of tokens."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from playground.api.quotas import count
from playground.api.tokens import NewTokenSerializer, issue
from playground.clusters.examples import load_examples_once
from playground.models import AccessToken, Scope, Workspace, workspace_of

LIFETIMES = [("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("", "until it is revoked")]


class Login(LoginView):
    """Django's login, with a limit on guesses and the examples for who comes first."""

    template_name = "playground/login.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        standing = count(request.META.get("REMOTE_ADDR", ""), "login")
        if standing is not None and standing.is_over:
            form = AuthenticationForm(request)
            context = self.get_context_data(form=form, wait=standing.reset)
            answer = render(request, self.template_name, context, status=429)
            answer["Retry-After"] = str(standing.reset)
            return answer
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_valid(form)
        load_examples_once(Workspace.objects.get(id=workspace_of(self.request.user)))
        return answer


@require_http_methods(["GET", "HEAD", "POST"])
def tokens_page(request: HttpRequest) -> HttpResponse:
    """Lists the tokens and makes one, whose text is on this one answer only."""
    issued, errors, status = "", [], 200
    if request.method == "POST":
        days = request.POST.get("days", "90")
        asked = NewTokenSerializer(
            data={
                "name": request.POST.get("name", ""),
                "scopes": [request.POST.get("scope", "")],
                "expires_in_days": int(days) if re.fullmatch(r"[0-9]{1,6}", days) else days or None,
            }
        )
        if asked.is_valid():
            wanted = asked.validated_data
            issued = issue(request.user, wanted["name"], wanted["scopes"], wanted["expires_in_days"])[1]
        else:
            errors = [f"{field}: {words[0]}" for field, words in asked.errors.items()]
            status = 422
    context = {
        "tokens": AccessToken.objects.of(workspace_of(request.user)),
        "issued": issued,
        "errors": errors,
        "scopes": Scope.choices,
        "lifetimes": LIFETIMES,
        "name": "" if issued else request.POST.get("name", ""),
    }
    answer = render(request, "playground/tokens.html", context, status=status)
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
def revoke_token_form(request: HttpRequest, token_id: str) -> HttpResponse:
    """Revokes a token."""
    get_object_or_404(AccessToken.objects.of(workspace_of(request.user)), id=token_id).delete()
    return redirect("playground:tokens")
