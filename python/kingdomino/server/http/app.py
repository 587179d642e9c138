"""The web application. `create_app` is a factory: two applications have only their database in common."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import kingdomino as kd
from kingdomino.server.cluster import join
from kingdomino.server.http import middleware
from kingdomino.server.http.dependencies import answer_refusals
from kingdomino.server.http.hosts import PublicAddress
from kingdomino.server.http.identity import Identity, IdentityMiddleware
from kingdomino.server.http.limits import Usage, report_for_ever
from kingdomino.server.http.openapi import Application
from kingdomino.server.http.overload import LoadShedding, Pressure
from kingdomino.server.http.passkeys import Passkeys
from kingdomino.server.http.protocol import Connections
from kingdomino.server.http.routes import (
    devices,
    documents,
    games,
    health,
    pages,
    people,
    personal,
    records,
    reference,
    seats,
    socket,
    tables,
)
from kingdomino.server.http.routes.health import Readiness, observe_files
from kingdomino.server.http.sharing import Pictures
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.history.retention import retain
from kingdomino.server.tasks import end_tasks
from kingdomino.server.telemetry import Telemetry

_ABOUT = """The browser plays through these routes, and so can a program.

The first answer sets a cookie with the client's identity: keep it. A refusal has a `code` for programs and a `reason`
for people. docs/formats/table.md describes a table's events and the socket `/api/tables/ID/socket`, which sends them as
they happen.

This Python program plays a whole game against a bot:

```python
import time
import httpx

with httpx.Client(base_url="http://127.0.0.1:8000") as server:
    table = server.post("/api/tables", json={}).json()["table"]  # you against a bot
    path = f"/api/tables/{table['id']}"
    while table["state"] == "playing":
        ply = table["turn"]["ply"]
        if table["turn"]["seat"] == 0:
            choices = server.get(f"{path}/choices", params={"ply": ply}).json()
            possible = choices["placements"] + choices["claims"]
            best = max(possible, key=lambda choice: choice["points"], default={"action": "discard"})
            server.post(f"{path}/actions", json={"ply": ply, "actions": [best["action"]]})
        else:
            time.sleep(0.2)
        table = server.get(path).json()["table"]
print([score["total"] for score in table["finished"]["scores"]])
```
"""


def create_app(settings: Settings, clock: Clock | None = None, telemetry: Telemetry | None = None) -> FastAPI:
    """Build the application; its lifespan opens the database. ``clock`` is the system's by default."""
    clock, telemetry = clock or Clock(), telemetry or Telemetry()
    metrics = telemetry.metrics
    usage = Usage(settings.limits, clock.time)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = await Store.open(settings.url, waits=True, telemetry=telemetry)
        try:
            key = await store.table_key(settings.cookies.since_ms)
            cluster = await join(store, key, settings, clock, telemetry, usage.hear)
            registry = Registry(store, key, settings, clock, cluster, telemetry)
            identity = await Identity.open(store.sessions, settings.cookies, clock.now, settings.root_path)
            app.state.registry, app.state.identity = registry, identity
            app.state.root_path = settings.root_path
            app.state.public = PublicAddress(settings.hosts, settings.hsts > 0)
            app.state.passkeys, app.state.pictures = Passkeys(key, clock.now), Pictures()
            app.state.readiness = Readiness(lambda: store.try_writing(clock.now()), clock)
            pressure = app.state.pressure = Pressure(
                settings.overload, store.backlog, time.monotonic, metrics
            )
            await registry.start()
            observe_files(metrics, settings, clock)
            work = (
                app.state.readiness.watch(metrics),
                identity.keep_fresh(store.sessions, registry.disconnect),
                retain(registry, settings.retention),
                report_for_ever(usage, cluster.process, cluster.tell),
            )
            running = [asyncio.create_task(each) for each in work]
            try:
                async with pressure.measured():
                    yield
            finally:
                await end_tasks(running)  # they read the database
                for message in usage.reports(cluster.process):  # our sockets are closed by now
                    cluster.tell(message)
                await registry.stop()
        finally:
            await store.close()

    app = Application(
        title="Kingdomino",
        description=_ABOUT,
        version=kd.__version__,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        servers=[{"url": settings.root_path}] if settings.root_path else None,
        # The framework's traces contain queries, and clients choose their parent; log.RequestLog writes ours.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.metrics, app.state.usage, app.state.connections = metrics, usage, Connections(settings)
    answer_refusals(app)
    for part in (
        tables,
        seats,
        people,
        personal,
        devices,
        games,
        records,
        reference,
        health,
        socket,
    ):
        app.include_router(part.router)
    app.webhooks.include_router(socket.webhooks)
    pages.add(app)
    documents.add(app)
    app.add_middleware(LoadShedding, has_quotas=settings.limits.enforced)
    app.add_middleware(IdentityMiddleware)
    middleware.add(app, settings, usage, telemetry)
    return app
