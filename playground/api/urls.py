"""The addresses below /api/v1. No trailing slashes."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from playground.api.answers import NodeAnswerRead, NodeStoryRead
from playground.api.check_runs import CheckRun
from playground.api.checks import CheckViewSet
from playground.api.cluster_objects import NamespacedObjectView, ObjectView
from playground.api.clusters import ClusterViewSet
from playground.api.describe import SchemaRead
from playground.api.edits import EditsRead
from playground.api.end_state import EndState
from playground.api.imports import ClusterImport
from playground.api.jobs import JobViewSet
from playground.api.manifests import ManifestRead, ManifestSchemaRead
from playground.api.object_pages import ObjectsView
from playground.api.objects import NodeList, PodList, ResourceList
from playground.api.plans import PlanCreate
from playground.api.pod_story import PodStoryRead
from playground.api.profile_forms import ProfileCatalogue, ProfileFormRead, ProfileFormWrite
from playground.api.profiles import ProfileViewSet
from playground.api.revisions import ClusterExport, RevisionList, RevisionRestore
from playground.api.run_compare import RunCompare
from playground.api.run_exports import ChromeTraceRead, EventsExport
from playground.api.run_forks import RunFork
from playground.api.run_inputs import RunConfigRead, RunScenarioRead
from playground.api.runs import RunViewSet
from playground.api.scenarios import ScenarioViewSet
from playground.api.sensitivity import SensitivityRead
from playground.api.tokens import TokenViewSet
from playground.api.trace import CycleList, CycleRead, EventList, PlacementRead

router = SimpleRouter(trailing_slash=False)
router.register("clusters", ClusterViewSet, basename="cluster")
router.register("runs", RunViewSet, basename="run")
router.register("checks", CheckViewSet, basename="check")
router.register("jobs", JobViewSet, basename="job")
router.register("profiles", ProfileViewSet, basename="profile")
router.register("scenarios", ScenarioViewSet, basename="scenario")
router.register("tokens", TokenViewSet, basename="token")

app_name = "api"
urlpatterns = [
    path("schema", SchemaRead.as_view(), name="schema"),
    path("clusters/import", ClusterImport.as_view(), name="cluster-import"),
    path("clusters/<str:cluster_id>/nodes", NodeList.as_view(), name="cluster-nodes"),
    path("clusters/<str:cluster_id>/pods", PodList.as_view(), name="cluster-pods"),
    path("clusters/<str:cluster_id>/resources", ResourceList.as_view(), name="cluster-resources"),
    path("clusters/<str:cluster_id>/revisions", RevisionList.as_view(), name="cluster-revisions"),
    path(
        "clusters/<str:cluster_id>/revisions/<str:revision>/restore",
        RevisionRestore.as_view(),
        name="cluster-restore",
    ),
    path("clusters/<str:cluster_id>/export", ClusterExport.as_view(), name="cluster-export"),
    path("clusters/<str:cluster_id>/objects", ObjectsView.as_view(), name="cluster-objects"),
    path("clusters/<str:cluster_id>/objects/<str:kind>/<str:name>", ObjectView.as_view()),
    path(
        "clusters/<str:cluster_id>/objects/<str:kind>/<str:namespace>/<str:name>",
        NamespacedObjectView.as_view(),
    ),
    path("runs/<str:run_id>/compare", RunCompare.as_view(), name="run-compare"),
    path("runs/<str:run_id>/fork", RunFork.as_view(), name="run-fork"),
    path("runs/<str:run_id>/events", EventList.as_view(), name="run-events"),
    path("runs/<str:run_id>/cycles", CycleList.as_view(), name="run-cycles"),
    path("runs/<str:run_id>/cycles/<int:cycle>", CycleRead.as_view(), name="run-cycle"),
    path("runs/<str:run_id>/cycles/<int:cycle>/sensitivity", SensitivityRead.as_view()),
    path("runs/<str:run_id>/cycles/<int:cycle>/nodes/<str:node>", NodeAnswerRead.as_view()),
    path("runs/<str:run_id>/nodes/<str:node>", NodeStoryRead.as_view()),
    path("runs/<str:run_id>/pods/<str:namespace>/<str:name>", PodStoryRead.as_view()),
    path("runs/<str:run_id>/config", RunConfigRead.as_view(), name="run-config"),
    path("runs/<str:run_id>/scenario", RunScenarioRead.as_view(), name="run-scenario"),
    path("runs/<str:run_id>/export", EventsExport.as_view(), name="run-export"),
    path("runs/<str:run_id>/chrome-trace", ChromeTraceRead.as_view(), name="run-chrome-trace"),
    path("runs/<str:run_id>/end-state", EndState.as_view(), name="run-end-state"),
    path("runs/<str:run_id>/placements", PlacementRead.as_view(), name="run-placements"),
    path("profiles/catalogue", ProfileCatalogue.as_view(), name="profile-catalogue"),
    path("profiles/form", ProfileFormRead.as_view(), name="profile-form"),
    path("profiles/text", ProfileFormWrite.as_view(), name="profile-text"),
    path("edits", EditsRead.as_view(), name="edits"),
    path("manifests/schema", ManifestSchemaRead.as_view(), name="manifests-schema"),
    path("checks/<str:check_id>/run", CheckRun.as_view(), name="check-run"),
    path("manifests", ManifestRead.as_view(), name="manifests"),
    path("plans", PlanCreate.as_view(), name="plans"),
    path("", include(router.urls)),
]
