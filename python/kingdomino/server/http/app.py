"""The web application. `create_app` is a factory: two applications share nothing but their database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import kingdomino as kd
from kingdomino.server.http import docs_page, middleware
from kingdomino.server.http.dependencies import answer_refusals
from kingdomino.server.http.identity import Identified, Identity
from kingdomino.server.http.routes import pages, people, records, reference, seats, socket, tables
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store
from kingdomino.server.tables.registry import Registry

_ABOUT = """Play Kingdomino at a table: everything that the browser does goes through here.

Events, the table as it stands and the socket at `/api/tables/ID/socket` are described in
docs/formats/table.md.
"""


def create_app(settings: Settings) -> FastAPI:
    """Build the application; its lifespan opens the database and loads the tables that go on."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = await Store.open(settings.url)
        try:
            key = await store.signing_key()
            registry = Registry(store, key, settings)
            app.state.registry, app.state.identity = registry, Identity(key)
            await registry.start()
            try:
                yield
            finally:
                await registry.stop()
        finally:
            await store.close()

    app = FastAPI(
        title="Kingdomino",
        description=_ABOUT,
        version=kd.__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    answer_refusals(app)
    for part in (tables, seats, people, records, reference, socket, pages):
        app.include_router(part.router)
    app.webhooks.include_router(socket.webhooks)
    docs_page.add(app)
    app.add_middleware(Identified)
    middleware.add(app, settings)
    return app
