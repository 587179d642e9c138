"""The web application: routes, guards, and the house behind them.

`create_app` is a factory: two applications share nothing but their database. Imports every other module
of the server but `run`.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import kingdomino as kd
from kingdomino.server import docs_page, guard
from kingdomino.server.door import answer_refusals
from kingdomino.server.house import House
from kingdomino.server.identity import Identified, Identity
from kingdomino.server.routes import pages, people, records, reference, seats, socket, tables
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store

_ABOUT = """Play Kingdomino at a table: everything that the browser does goes through here.

Events, the table as it stands and the socket at `/api/tables/ID/socket` are described in
docs/formats/table.md.
"""


def create_app(settings: Settings) -> FastAPI:
    """Build the application; its lifespan opens the database and picks every table up where it was."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = await Store.open(settings.url)
        try:
            key = await store.signing_key()
            house = House(store, key, settings)
            app.state.house, app.state.identity = house, Identity(key)
            await house.open()
            try:
                yield
            finally:
                await house.close()
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
    docs_page.add(app)
    app.add_middleware(Identified)
    guard.add(app, settings)
    return app
