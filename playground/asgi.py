"""The ASGI application: HTTP to Django, sockets to Channels, behind two guards."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")

from django.core.asgi import get_asgi_application

django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from playground.guards import LimitBody, LoopbackOnly  # noqa: E402
from playground.routing import websocket_urlpatterns  # noqa: E402

application = LoopbackOnly(
    ProtocolTypeRouter({"http": LimitBody(django_application), "websocket": URLRouter(websocket_urlpatterns)})
)
