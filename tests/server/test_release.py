"""The files of the browser client: permanent addresses, small sizes, and one release at a time."""

import json
import re

import pytest
from support.clients import Server
from support.engine import needs_engine

from kingdomino.server.http import release
from kingdomino.server.http.routes.pages import _PAGES

SCRIPT = f"/static/{release.VERSION}/js/pages/home.js"


def assert_is_script(sent: bytes) -> None:
    """Check that this is the module, line by line, without full-line comments."""
    written = (release.STATIC / "js/pages/home.js").read_text(encoding="utf-8").splitlines()
    lines = sent.decode().splitlines()
    assert len(lines) == len(written)
    left_out = [line for line, there in zip(written, lines, strict=True) if line != there]
    assert len(left_out) > 20
    assert "".join(left_out).startswith("/**")
    assert not any(line.lstrip().startswith("/**") for line in lines if line.endswith("*/"))


async def test_a_file_at_the_address_of_its_release_may_be_kept_for_good(server: Server) -> None:
    answer = await server.client().send("GET", SCRIPT)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert_is_script(answer.content)


async def test_a_file_without_a_version_is_asked_for_again(server: Server) -> None:
    answer = await server.client().send("GET", "/static/js/pages/home.js")
    assert answer.headers["cache-control"] == "no-cache"


async def test_a_file_of_another_release_is_missing(server: Server) -> None:
    address = SCRIPT.replace(release.VERSION, "0123456789ab")
    assert await server.client().refused("GET", address) == (404, "no_route")


@pytest.mark.parametrize("page", [path.replace("{table}", "q3v7n2kd8wjm") for path in _PAGES])
async def test_every_file_of_a_page_has_the_address_of_the_release(server: Server, page: str) -> None:
    ida = server.client()
    text = (await ida.send("GET", page)).text
    addresses = re.findall(r'"(/static/[^"]+)"', text)
    assert f"/static/{release.VERSION}/art/tokens.css" in addresses
    for address in addresses:
        assert address.startswith(f"/static/{release.VERSION}/")
        assert (await ida.send("GET", address)).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip;q=0.5", "gzip"), ("", None)],
)
async def test_a_file_is_sent_in_the_smallest_form_that_the_client_reads(
    server: Server, accepted: str, coding: str | None
) -> None:
    answer = await server.client().send("GET", SCRIPT, headers={"accept-encoding": accepted})
    assert answer.headers.get("content-encoding") == coding
    assert_is_script(answer.content)  # decoded


async def test_the_manifest_names_icons_that_are_there(server: Server) -> None:
    ida = server.client()
    answer = await ida.send("GET", "/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        assert (await ida.send("GET", icon["src"])).headers["content-type"] == icon["type"]


async def test_a_tab_has_an_icon_in_browsers_that_draw_no_svg(server: Server) -> None:
    ida = server.client()
    page = (await ida.send("GET", "/")).text
    linked = re.findall(r'<link rel="(?:apple-touch-)?icon" href="([^"]+)"', page)
    types = [(await ida.send("GET", each)).headers["content-type"] for each in (*linked, "/favicon.ico")]
    assert types == ["image/png", "image/svg+xml", "image/png", "image/png"]


async def test_the_service_worker_lists_one_whole_release(server: Server) -> None:
    ida = server.client()
    answer = await ida.send("GET", "/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    kept = json.loads(answer.text.partition("const RELEASE = ")[2].partition(";\n")[0])
    assert kept["version"] == release.VERSION
    assert {"", "play", "review", "offline"} <= set(kept["pages"])
    assert not [page for page in kept["pages"] if page.startswith(("api", "t/", "g/"))]
    assert {name.removeprefix(f"static/{release.VERSION}/") for name in kept["files"]} >= {
        *(path.relative_to(release.STATIC).as_posix() for path in release.STATIC.rglob("*.js")),
        *("art/symbols.svg", "bots.json", "dominoes.json", "fonts/book-bold.woff2", "words/fr.json"),
    } - {"worker.js"}
    for address in (*kept["pages"], *kept["files"]):
        assert (await ida.send("GET", f"/{address}")).status_code == 200, address


@needs_engine
async def test_the_engine_is_compressed_cached_and_allowed(server: Server) -> None:
    answer = await server.client().send("GET", f"/static/{release.VERSION}/engine/kingdomino.wasm")
    assert answer.content.startswith(b"\0asm")
    assert answer.headers["content-type"] == "application/wasm"
    assert answer.headers["content-encoding"] == "br"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    worker = await server.client().send("GET", f"/static/{release.VERSION}/js/engine/worker.js")
    assert "script-src 'self' 'wasm-unsafe-eval';" in worker.headers["content-security-policy"]
