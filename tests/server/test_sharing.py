"""A shared link of a finished game has a preview with a sentence and a picture; other links have no preview."""

import asyncio
import re
import struct
from html import unescape
from typing import get_args

import pytest
from support.clients import Client, Clock, Server

from kingdomino.server.http import sharing
from kingdomino.server.http.words import language_of
from kingdomino.server.pools import Quota
from kingdomino.server.settings import Settings
from kingdomino.server.tables.core.events import DecidedBy, Finished, MatchResult
from kingdomino.server.tables.people.codes import Language

BOT = {"kind": "bot", "bot": "greedy", "name": "Oskar"}


async def finished(client: Client, name: str = "Ida", **wishes: object) -> str:
    """Play a game to its end."""
    table = await client.create({"kind": "me", "name": name}, BOT, **wishes)
    await client.play(table)
    return table


def tags(page: str) -> dict[str, str]:
    """Read the title and the tags of a page."""
    found = re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', page)
    title = re.search(r"<title>(.*)</title>", page)
    assert title
    return {name: unescape(content) for name, content in (*found, ("title", title[1]))}


def size(png: bytes) -> tuple[int, int]:
    """Read the width and the height of a PNG picture."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


async def test_a_finished_game_has_a_picture(server: Server) -> None:
    ida = server.client()
    table = await finished(ida)
    answer = await ida.send("GET", f"/api/tables/{table}/picture")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "max-age" in answer.headers["cache-control"]
    assert size(answer.content) == (1200, 630)
    assert len(answer.content) < 400_000
    french = await ida.send("GET", f"/api/tables/{table}/picture", params={"language": "fr"})
    assert french.content != answer.content
    assert await ida.refused("GET", f"/api/tables/{table}/picture", language="xx") == (422, "bad_field")


async def test_a_game_that_goes_on_has_none(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", BOT)
    assert await ida.refused("GET", f"/api/tables/{table}/picture") == (409, "not_over")
    assert await ida.refused("GET", "/api/tables/q3v7n2kd8wjm/picture") == (404, "no_table")


async def test_every_game_of_a_dynasty_has_its_picture(server: Server) -> None:
    ida = server.client()
    table = await finished(ida, dynasty="total")
    await ida.post(f"/api/tables/{table}/next")
    first = await ida.send("GET", f"/api/tables/{table}/picture", params={"game": 1})
    assert size(first.content) == (1200, 630)
    assert await ida.refused("GET", f"/api/tables/{table}/picture", game=2) == (409, "not_over")


async def rasterize(_: str) -> bytes:
    """Return a fake picture at once."""
    return b"a picture"


async def test_a_picture_is_drawn_once_for_all_who_want_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida = server.client()
    table = await finished(ida)
    drawn = []

    async def noted(_: str) -> bytes:
        drawn.append(1)
        return await rasterize(_)

    monkeypatch.setattr(sharing, "_rasterize", noted)
    path = f"/api/tables/{table}/picture"
    answers = await asyncio.gather(*(server.client().send("GET", path) for _ in range(20)))
    assert {answer.content for answer in answers} == {b"a picture"}
    await ida.send("GET", path)
    assert len(drawn) == 1


async def test_waiting_requests_and_cached_pictures_are_limited(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "PICTURES", Quota(2, None, None))
    monkeypatch.setattr(sharing, "_KEPT", 1)
    monkeypatch.setattr(sharing, "_rasterize", rasterize)
    table = await finished(server.client())
    paths = [f"/api/tables/{table}/picture?language={language}" for language in ("en", "fr", "es")]
    answers = await asyncio.gather(*(server.client().send("GET", path) for path in paths))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 503]
    assert len(server.app.state.pictures._kept) == 1  # noqa: SLF001
    assert (await server.client().send("GET", paths[2])).status_code == 200


async def test_a_picture_that_takes_too_long_is_given_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "_LONGEST", 0.0)
    ida = server.client()
    path = f"/api/tables/{await finished(ida)}/picture"
    assert await ida.refused("GET", path) == (503, "busy")
    monkeypatch.undo()
    assert (await ida.send("GET", path)).is_success


async def test_names_in_any_script_are_drawn(server: Server) -> None:
    ida = server.client()
    table = await finished(ida, name="雅<&>Ωμ 🦦")
    assert size((await ida.send("GET", f"/api/tables/{table}/picture")).content) == (1200, 630)


async def test_the_page_of_a_finished_game_says_who_has_won(server: Server) -> None:
    ida = server.client()
    table = await finished(ida, name='I"<b>da')
    finish = (await ida.table(table))["finished"]
    page = (await server.client().send("GET", f"/t/{table}")).text
    said = tags(page)
    scores = sorted((score["total"] for score in finish["scores"]), reverse=True)
    if finish["decided_by"] == "score":
        winner = ('I"<b>da', "Oskar")[finish["winners"][0]]
        assert said["og:title"] == f"{winner} wins, {scores[0]} to {scores[1]}."
    assert said["title"].startswith(said["og:title"])
    assert said["og:url"] == f"http://server.localhost/t/{table}"
    assert said["og:image"] == f"http://server.localhost/api/tables/{table}/picture?game=1&language=en"
    assert said["og:description"] == said["description"]
    assert "<b>da" not in page
    image = await server.client().send("GET", said["og:image"])
    assert size(image.content) == (int(said["og:image:width"]), int(said["og:image:height"]))
    french = tags((await ida.send("GET", f"/t/{table}", headers={"accept-language": "fr-CH, en;q=0.8"})).text)
    assert french["og:description"] != said["og:description"]
    assert french["og:image"].endswith("language=fr")


@pytest.mark.parametrize("is_compacted", [False, True])
async def test_the_page_of_a_finished_game_does_not_load_its_table(
    server: Server, settings: Settings, clock: Clock, *, is_compacted: bool
) -> None:
    ida = server.client()
    table = await finished(ida, dynasty="total")
    await ida.post(f"/api/tables/{table}/next")
    await ida.play(table)
    before = tags((await ida.send("GET", f"/t/{table}")).text)
    assert before["og:image"].endswith("picture?game=2&language=en")
    if is_compacted:
        assert await server.registry.store.archive.compact(table)
    clock.pass_by(settings.idle + 1)
    await server.registry.sweep()
    assert len(server.registry) == 0
    assert tags((await ida.send("GET", f"/t/{table}")).text) == before
    assert len(server.registry) == 0


async def test_a_page_that_few_ask_for_is_compressed_quickly(server: Server) -> None:
    ida = server.client()
    table = await finished(ida)
    for accepted, coding in (("gzip, br", "gzip"), ("", None)):
        page = await ida.send("GET", f"/t/{table}", headers={"accept-encoding": accepted})
        assert page.headers.get("content-encoding") == coding
        assert "og:title" in page.text


async def test_any_other_table_gives_nothing_away(server: Server) -> None:
    ida = server.client()
    waiting = await ida.create({"kind": "me", "name": "Ida"}, "invited")
    playing = await ida.create({"kind": "me", "name": "Ida"}, BOT)
    closed = await ida.create({"kind": "me", "name": "Ida"}, "invited")
    await ida.post(f"/api/tables/{closed}/close")
    pages = [(await server.client().send("GET", f"/t/{table}")).text for table in (waiting, playing, closed)]
    assert len(set(pages)) == 1
    said = {name: text for name, text in tags(pages[0]).items() if name.startswith(("og:", "title", "desc"))}
    about = "A table of Kingdomino."
    assert said == {
        "title": "Kingdomino",
        "description": about,
        "og:title": "Kingdomino",
        "og:description": about,
    }


async def test_a_forgotten_name_is_gone_from_the_page_and_the_picture(server: Server) -> None:
    ida = server.client()
    table = await finished(ida, name="Zenobia")
    before = await ida.send("GET", f"/api/tables/{table}/picture")
    await ida.post("/api/me/forget")
    after = await ida.send("GET", f"/api/tables/{table}/picture")
    assert after.content != before.content
    assert "Zenobia" not in (await ida.send("GET", f"/t/{table}")).text


def test_the_language_is_the_first_that_we_speak() -> None:
    assert [language_of(text) for text in ("", "de", "es-MX", "de, FR;q=0.5, en;q=0.1", "*")] == [
        "en",
        "en",
        "es",
        "fr",
        "en",
    ]


@pytest.mark.parametrize(
    ("last", "who"),
    [
        ("Ida", "Ana e Ida"),
        ("íñigo", "Ana e íñigo"),
        ("Hilda", "Ana e Hilda"),
        ("Hielo", "Ana y Hielo"),
        ("Hiato", "Ana y Hiato"),
        ("Hugo", "Ana y Hugo"),
    ],
)
def test_in_spanish_and_is_another_word_before_the_same_sound(last: str, who: str) -> None:
    game = Finished.model_construct(ranking=(0, 1), winners=(0, 1), decided_by="shared")
    assert sharing.sentence(game, [44, 44], ["Ana", last], "es").startswith(f"{who} ")
    assert who.split()[1] in "ey"
    assert " y " in sharing.sentence(game, [44, 44], ["Ana", "Oskar"], "es")
    assert f"and {last}" in sharing.sentence(game, [44, 44], ["Ana", last], "en")


@pytest.mark.parametrize("language", get_args(Language))
def test_every_way_to_win_has_a_sentence(language: Language) -> None:
    said = set()
    for players in (2, 3, 4):
        names = ["Ida", "Oskar", "Mara", "Ann"][:players]
        points = [50, 44, 40, 31][:players]
        for reason in get_args(DecidedBy):
            winners = tuple(range(players)) if reason == "shared" else (0,)
            ended = {"ranking": tuple(range(players)), "winners": winners, "decided_by": reason}
            game = Finished.model_construct(**ended)
            match = MatchResult.model_construct(scores=tuple(points), **ended)
            said |= {sharing.sentence(each, points, names, language) for each in (game, match)}
    assert all(text.startswith("Ida") and text.endswith(".") and "{" not in text for text in said)
    assert len(said) == 11
