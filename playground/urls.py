"""All addresses."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from playground.api import urls as api_urls
from playground.views.account import Login, revoke_token_form, tokens_page
from playground.views.checks import check_page, check_run_form, checks_page, delete_check_form
from playground.views.cluster import cluster_page, run_form, what_if_page
from playground.views.compare import compare_form, compare_page
from playground.views.gallery import load_example_form, run_example_form
from playground.views.job import cancel_job_form, end_state_file, job_page
from playground.views.new_check import new_check_page
from playground.views.profiles import (
    compare_profiles_form,
    delete_profile_form,
    new_profile_page,
    profile_file_form,
    profile_page,
    profiles_page,
)
from playground.views.reference import reference_page
from playground.views.run import run_again_form, run_page
from playground.views.run_report import run_report
from playground.views.start import delete_cluster_form, import_form, start

pages = [
    path("", start, name="start"),
    path("import/", import_form, name="cluster-import"),
    path("examples/<slug:slug>/load/", load_example_form, name="example-load"),
    path("examples/<slug:slug>/run/", run_example_form, name="example-run"),
    path("clusters/<str:cluster_id>/", cluster_page, name="cluster"),
    path("clusters/<str:cluster_id>/run/", run_form, name="run-create"),
    path("clusters/<str:cluster_id>/what-if/", what_if_page, name="what-if"),
    path("clusters/<str:cluster_id>/delete/", delete_cluster_form, name="cluster-delete"),
    path("runs/<str:run_id>/", run_page, name="run"),
    path("runs/<str:run_id>/again/", run_again_form, name="run-again"),
    path("compare/", compare_form, name="compare"),
    path("runs/<str:run_id>/compare/<str:other_id>/", compare_page, name="run-compare"),
    path("runs/<str:run_id>/report/", run_report, name="run-report"),
    path("runs/<str:run_id>/end.<str:format_>", end_state_file, name="run-end-state"),
    path("checks/", checks_page, name="checks"),
    path("checks/new/", new_check_page, name="check-new"),
    path("checks/<str:check_id>/", check_page, name="check"),
    path("checks/<str:check_id>/run/", check_run_form, name="check-run"),
    path("checks/<str:check_id>/delete/", delete_check_form, name="check-delete"),
    path("jobs/<str:job_id>/", job_page, name="job"),
    path("jobs/<str:job_id>/cancel/", cancel_job_form, name="job-cancel"),
    path("profiles/", profiles_page, name="profiles"),
    path("profiles/new/", new_profile_page, name="profile-new"),
    path("profiles/file/", profile_file_form, name="profile-file"),
    path("profiles/<str:profile_id>/", profile_page, name="profile"),
    path("profiles/<str:profile_id>/delete/", delete_profile_form, name="profile-delete"),
    path("profiles/<str:profile_id>/compare/", compare_profiles_form, name="profile-compare"),
    path("login/", Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("tokens/", tokens_page, name="tokens"),
    path("tokens/<str:token_id>/revoke/", revoke_token_form, name="token-revoke"),
]
urlpatterns = [
    path("", include((pages, "playground"))),
    path("api/v1/docs", reference_page, name="api-docs"),
    path("api/v1/", include(api_urls)),
    path("admin/", admin.site.urls),
]

handler400 = "playground.api.errors.handler400"
handler403 = "playground.api.errors.handler403"
handler404 = "playground.api.errors.handler404"
handler500 = "playground.api.errors.handler500"
