"""The pages, and the files that they are made of.

Every page of one kind is the same file, and asks the API for what it shows.
"""

from fastapi import APIRouter, Request, Response

from kingdomino.server.http import assets
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.secrets import is_table_id

router = APIRouter(include_in_schema=False)
_READ = ["GET", "HEAD"]


@router.api_route("/", methods=_READ)
async def home(request: Request) -> Response:
    """Show the home page."""
    return _page(request, "home")


@router.api_route("/new", methods=_READ)
async def new_table(request: Request) -> Response:
    """Create a table for friends."""
    return _page(request, "new")


@router.api_route("/learn", methods=_READ)
async def learn(request: Request) -> Response:
    """Learn the game."""
    return _page(request, "learn")


@router.api_route("/t/{table}", methods=_READ)
@router.api_route("/t/{table}/replay", methods=_READ)
async def table(request: Request, table: str) -> Response:
    """Show a table, or replay its game."""
    if not is_table_id(table):
        raise Refusal("no_table", "there is no such table")
    return _page(request, "table")


@router.api_route("/favicon.ico", methods=_READ)
async def favicon(request: Request) -> Response:
    """Send the icon."""
    return assets.answer(request, assets.STATIC / "icon.svg")


@router.api_route("/static/{name:path}", methods=_READ)
async def static(request: Request, name: str) -> Response:
    """Send a script, a style or a catalogue of words."""
    file = assets.find(assets.STATIC, name)
    if file is None:
        raise Refusal("no_route", "there is no such file")
    return assets.answer(request, file)


@router.api_route("/art/{name:path}", methods=_READ)
async def art(request: Request, name: str) -> Response:
    """Send the sheet of symbols or the tokens."""
    file = assets.find(assets.ART, name)
    if file is None:
        raise Refusal("no_route", "there is no such file")
    return assets.answer(request, file)


def _page(request: Request, name: str) -> Response:
    return assets.answer(request, assets.STATIC / f"{name}.html")
