"""Which kind of job is done by what."""

from __future__ import annotations

from playground.jobs import checks, compare, end_state, imports, planning
from playground.jobs.work import Handler

HANDLERS: dict[str, Handler] = {
    checks.KIND: Handler(checks.run),
    compare.KIND: Handler(compare.run),
    end_state.KIND: Handler(end_state.run),
    imports.KIND: Handler(imports.run, imports.clean),
    planning.KIND: Handler(planning.run),
}
