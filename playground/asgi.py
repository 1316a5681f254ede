"""The ASGI application: HTTP to Django, sockets to Channels, behind two guards."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

import django

django.setup(set_prefix=False)

from asgiref.sync import sync_to_async  # noqa: E402
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.core.handlers.asgi import ASGIHandler  # noqa: E402
from django.http import HttpRequest, HttpResponseBase  # noqa: E402

from playground.guards import LimitBody, LoopbackOnly  # noqa: E402
from playground.routing import websocket_urlpatterns  # noqa: E402


class OneHopHandler(ASGIHandler):
    """Views and middleware are synchronous here: one change of thread a request, not one per middleware."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


application = LoopbackOnly(
    ProtocolTypeRouter(
        {
            "http": LimitBody(OneHopHandler()),
            "websocket": AuthMiddlewareStack(URLRouter(websocket_urlpatterns)),
        }
    )
)
