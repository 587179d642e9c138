"""A server below a path of its site: all its addresses are under that path."""

import json
import re
from collections.abc import AsyncIterator

import pytest
from pydantic import ValidationError
from support.clients import HOST, Server, changed, opened, refusal

from kingdomino.server.http.identity import Identity
from kingdomino.server.settings import Settings

ROOT = "/games/club"


@pytest.fixture
async def club(settings: Settings) -> AsyncIterator[Server]:
    """Open a server with a root path."""
    async with opened(changed(settings, root_path=ROOT)) as server:
        yield server


async def test_all_addresses_of_the_pages_lead_below_the_root_path(club: Server) -> None:
    ida = club.client()
    found = set()
    for page in (
        "/",
        "/new",
        "/learn",
        "/rules",
        "/you",
        "/games",
        "/analysis",
        "/score",
        "/photo",
        "/puzzles",
        "/offline",
        "/nowhere",
    ):
        answer = await ida.send("GET", page)
        assert answer.status_code == (404 if page == "/nowhere" else 200)
        found |= set(re.findall(r'(?:href|src)="([^"#]+)', answer.text))
    for path in found:
        assert path.startswith(f"{ROOT}/")
        if path.startswith(f"{ROOT}/docs/"):
            continue  # perhaps nobody has built the documents
        answer = await ida.send("GET", f"http://{HOST}{path}")
        assert answer.is_success or answer.is_redirect, path


async def test_the_app_and_its_worker_stay_below_the_root_path(club: Server) -> None:
    ida = club.client()
    manifest = await ida.get("/manifest.webmanifest")
    assert {manifest[key] for key in ("id", "start_url", "scope")} == {f"{ROOT}/"}
    worker = (await ida.send("GET", "/sw.js")).text
    release = json.loads(re.search(r"const RELEASE = (\{.*\});", worker)[1])  # type: ignore[index]
    kept = [f"{ROOT}/{path}" for path in (*release["pages"], *release["files"])]  # beside the worker
    for path in (*(icon["src"] for icon in manifest["icons"]), *kept):
        assert (await ida.send("GET", f"http://{HOST}{path}")).status_code == 200, path


async def test_the_document_says_where_the_api_is(club: Server) -> None:
    assert (await club.client().get("/openapi.json"))["servers"] == [{"url": ROOT}]


async def test_links_that_people_give_to_others_have_the_root_path(club: Server) -> None:
    ida = club.client()
    link = await ida.post("/api/me/link")
    assert link["url"].startswith(f"http://{HOST}{ROOT}/you#link=")
    table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
    await ida.play(table)
    page = (await ida.send("GET", f"/t/{table}")).text
    tags = dict(re.findall(r'property="(og:\w+)" content="([^"]*)"', page))
    assert tags["og:url"] == f"http://{HOST}{ROOT}/t/{table}"
    assert tags["og:image"].startswith(f"http://{HOST}{ROOT}/api/tables/{table}/picture?")


async def test_outside_of_the_root_path_there_is_nothing(club: Server) -> None:
    ida = club.client()
    for path in ("/new", "/api/elsewhere", "/games/clubhouse", "/games", "/kingdomino/new"):
        assert refusal(await ida.send("GET", f"http://{HOST}{path}")) == (404, "no_route")
    for path in ("/", ROOT):
        answer = await ida.send("GET", f"http://{HOST}{path}")
        assert (answer.status_code, answer.headers["location"]) == (307, f"{ROOT}/")


@pytest.mark.parametrize(("path", "moved"), [("/new/?a=1", "/new?a=1"), ("/docs?a=1", "/docs/?a=1")])
async def test_redirections_stay_below_the_root_path(club: Server, path: str, moved: str) -> None:
    answer = await club.client().send("GET", path)
    assert (answer.status_code, answer.headers["location"]) == (307, ROOT + moved)


def test_servers_of_one_site_know_their_own_cookies() -> None:
    key = bytes(32)
    for secure in (False, True):
        one, other = Identity(key), Identity(key, root_path=ROOT)
        headers = [(b"cookie", one.issue("ida", secure=secure).split(";")[0].encode())]
        session = one.read(headers, secure=secure)
        assert session is not None
        assert session.user == "ida"
        assert other.read(headers, secure=secure) is None


@pytest.mark.parametrize("given", ["kingdomino", "/kingdomino", "/kingdomino/"])
def test_a_root_path_has_one_form(given: str) -> None:
    assert Settings(root_path=given).root_path == "/kingdomino"
    assert Settings(root_path="/").root_path == ""


@pytest.mark.parametrize("given", ["a//b", "../a", "/a/./b", "a b", "/a?b", "/é", "/a%20", 'a"b'])
def test_a_root_path_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(ValidationError, match="for example /kingdomino"):
        Settings(root_path=given)
