"""Which kind of job is done by what."""

from __future__ import annotations

from playground.jobs import imports
from playground.jobs.work import Handler

HANDLERS: dict[str, Handler] = {
    imports.KIND: Handler(imports.run, imports.clean),
}
