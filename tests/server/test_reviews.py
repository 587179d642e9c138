"""Reviews of finished games: computed once, stored, shared, taken up again, and never of a game that goes on."""

import asyncio
import sqlite3
from contextlib import aclosing
from pathlib import Path
from threading import Event

import pytest
from support.clients import Client, Clock, Json, Server, Socket, changed, opened

import kingdomino as kd
from kingdomino.bots import Limit
from kingdomino.server.settings import Settings, Study
from kingdomino.server.storage.reviews import GameKey
from kingdomino.server.study.reviews import Reviewing, Reviews
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.history.records import Imported

BOT: Json = {"kind": "bot", "bot": "greedy"}
FEW = 60
STEPS = 1 + 2 * 48
"""Of a game of two players: the start, and 48 decisions twice."""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Give the settings of a server that reviews a game with few playouts."""
    return changed(settings, study=Study(threads=1, playouts=FEW))


def record(seed: int = 3) -> kd.Record:
    """Play a game."""
    game, greedy = kd.Game(seed=seed), kd.bots.make("greedy")
    while not game.is_over:
        game.play(greedy.choose(game.position))
    return kd.Record.from_game(game)


async def played(server: Server) -> tuple[Client, str]:
    ida = server.client()
    table = await ida.create("me", BOT)
    await ida.play(table)
    return ida, table


async def whole(socket: Socket) -> list[Json]:
    """Read a review to its end."""
    messages = [await socket.message()]
    while messages[-1]["steps_made"] < messages[-1]["steps"]:
        messages.append(await socket.message())
    return messages


def decisions(messages: list[Json]) -> list[Json]:
    """Put together what the messages say."""
    found = {one["ply"]: one for message in messages for one in message["decisions"]}
    return [found[ply] for ply in sorted(found)]


def stored(folder: Path) -> list[tuple[str, int, int]]:
    """List the reviews in the database: of which game, and how many steps."""
    connection = sqlite3.connect(folder / "tables.db")
    rows = connection.execute("SELECT game_id, number, steps FROM reviews").fetchall()
    connection.close()
    return rows


async def test_a_review_streams_is_stored_and_is_there_at_once_for_the_next_one(
    server: Server, tmp_path: Path
) -> None:
    ida, table = await played(server)
    async with ida.review(table) as socket:
        first = await whole(socket)
    assert [one["steps_made"] for one in first] == sorted(one["steps_made"] for one in first)
    assert len(first) > 20, "decision after decision"
    assert stored(tmp_path) == [(table, 1, STEPS)]
    async with server.client().review(table) as socket:
        again = await whole(socket)
    assert len(again) == 1
    assert decisions(again) == decisions(first)
    text = (await ida.send("GET", f"/api/tables/{table}/record")).text
    expected = kd.analysis.review(kd.Record.parse(text), Limit(playouts=FEW))
    assert [one["cost"] for one in decisions(again)] == [one.cost for one in expected.decisions]


async def test_two_who_ask_at_once_share_one_computation(server: Server) -> None:
    ida, table = await played(server)
    async with ida.review(table) as one, server.client().review(table) as other:
        await one.message()
        await other.message()
        assert len(server.app.state.queue) <= 1
        assert decisions(await whole(one)) == decisions(await whole(other))


async def test_when_the_first_one_goes_it_is_computed_for_the_next(server: Server) -> None:
    ida, table = await played(server)
    async with server.client().review(table) as other:
        async with ida.review(table) as one:
            await one.until(lambda message: message["steps_made"] > 2)
        messages = await whole(other)
    assert len(decisions(messages)) == 48


async def test_closing_the_page_frees_the_share(server: Server, tmp_path: Path) -> None:
    ida, table = await played(server)
    async with ida.review(table) as socket:
        await socket.until(lambda message: message["steps_made"] > 2)
        (task,) = (one for one in asyncio.all_tasks() if one.get_name() == f"review of {table}")
    await task
    assert len(server.app.state.queue) == 0
    ((_, _, steps),) = stored(tmp_path)
    assert 2 < steps < STEPS


async def test_a_server_that_was_stopped_in_the_middle_goes_on_where_it_was(
    settings: Settings, tmp_path: Path
) -> None:
    async with opened(settings, Clock()) as server:
        ida, table = await played(server)
        cookies = ida.cookies
        async with ida.review(table) as socket:
            await socket.until(lambda message: message["steps_made"] > 20)
            await server.app.state.reviews.stop()
    ((_, _, steps),) = stored(tmp_path)
    assert 20 < steps < STEPS
    async with opened(settings, Clock()) as server, server.client(cookies).review(table) as socket:
        first, *rest = await whole(socket)
        assert first["steps_made"] == steps
        assert len(rest) <= STEPS - steps
        assert len(decisions([first, *rest])) == 48


def test_a_step_of_a_review_is_made_in_pieces_between_which_others_can_think() -> None:
    pieces = Reviewing(record(), 12_000).pieces(Event())
    known = [next(pieces) is not None for _ in range(15)]
    assert known == [True, *[False] * 11, True, False, False], (
        "the start, and 12 pieces of the first decision"
    )


def test_a_review_that_is_put_aside_comes_out_the_same() -> None:
    game = record()
    reviewing = Reviewing(game, FEW)
    pieces = reviewing.pieces(Event())
    while reviewing.steps_made < 70:
        next(pieces)
    assert reviewing.review
    known = kd.analysis.Review.from_json(reviewing.review.to_json())
    reviewing = Reviewing(game, FEW, known, reviewing.steps_made)
    stopped = Event()
    stopped.set()
    assert not any(reviewing.pieces(stopped))
    for _ in reviewing.pieces(Event()):
        pass
    assert reviewing.steps_made == reviewing.steps
    whole = kd.analysis.review(game, Limit(playouts=FEW))
    assert reviewing.review is not None
    assert [(one.best, one.cost) for one in reviewing.review.decisions] == [
        (one.best, one.cost) for one in whole.decisions
    ]
    for one, other in zip(reviewing.review.seats, whole.seats, strict=True):
        assert one.luck == pytest.approx(other.luck)


async def test_a_game_that_goes_on_is_not_reviewed(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", BOT)
    async with ida.review(table) as socket:
        assert (await socket.message())["refusal"]["code"] == "not_over"
    path = f"/api/reviews/{table}"
    assert await ida.refused("GET", f"{path}/choices", ply=0) == (409, "not_over")
    assert await ida.refused("GET", f"{path}/cost", ply=0, action="claim 1") == (409, "not_over")
    half = kd.Record.from_game(kd.Game(seed=1))
    kept = await ida.post("/api/me/games", {"records": [{"text": half.to_text()}]})
    async with ida.review(kept["games"][0]) as socket:
        assert (await socket.message())["refusal"]["code"] == "not_over"


async def test_there_is_no_review_of_what_does_not_exist(server: Server) -> None:
    ida = server.client()
    for game, code in (("222222222222", "no_table"), ("a" * 24, "no_game"), ("x", "no_table")):
        async with ida.review(game) as socket:
            assert (await socket.message())["refusal"]["code"] == code


async def test_what_fails_in_a_review_is_logged_and_closes_its_socket_as_an_error(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a damaged log")

    ida, table = await played(server)
    monkeypatch.setattr(Reviews, "follow", fail)
    async with ida.review(table) as socket:
        assert await socket.until_closed() == 1011
    assert "a damaged log" in caplog.text


async def test_an_imported_game_is_reviewed_and_its_review_goes_with_it(
    server: Server, tmp_path: Path
) -> None:
    ida, oskar = server.client(), server.client()
    text = record().to_text()
    for client in (ida, oskar):
        await client.post("/api/me/games", {"records": [{"text": text}]})
    game = Imported.read(text).id
    async with ida.review(game) as socket:
        assert len(decisions(await whole(socket))) == 48
    await ida.send("DELETE", f"/api/me/games/{game}")
    assert stored(tmp_path) == [(game, 1, STEPS)], "it is still in a list"
    await oskar.send("DELETE", f"/api/me/games/{game}")
    assert stored(tmp_path) == []


async def test_a_damaged_review_is_made_again(server: Server, tmp_path: Path) -> None:
    ida, table = await played(server)
    connection = sqlite3.connect(tmp_path / "tables.db")
    connection.execute("INSERT INTO reviews VALUES (?, 1, ?, '{}')", (table, STEPS + 1))
    connection.commit()
    connection.close()
    async with ida.review(table) as socket:
        assert (await socket.message())["steps_made"] < 7
        assert len(decisions(await whole(socket))) == 48
    assert stored(tmp_path) == [(table, 1, STEPS)]


async def test_what_else_could_have_been_chosen_and_what_it_would_have_cost(server: Server) -> None:
    ida, table = await played(server)
    async with ida.review(table) as socket:
        judged = decisions(await whole(socket))
    one = next(each for each in judged if each["choices"] > 4)
    choices = await ida.get(f"/api/reviews/{table}/choices", ply=one["ply"])
    actions = [each["action"] for each in choices["placements"] + choices["claims"]]
    assert one["action"] in actions
    assert len(actions) >= one["choices"]
    path = f"/api/reviews/{table}/cost"
    played_again = await ida.get(path, ply=one["ply"], action=one["action"])
    assert played_again["win"] == pytest.approx(one["cost"])
    assert await ida.refused("GET", path, ply=one["ply"], action="place 9,9>9,8") == (422, "illegal_action")
    assert await ida.refused("GET", path, ply=48, action="discard") == (409, "stale_ply")


async def test_one_whose_share_is_used_up_is_refused_and_the_others_go_on(server: Server) -> None:
    ida, table = await played(server)
    text = (await ida.send("GET", f"/api/tables/{table}/record")).text
    reviews: Reviews = server.app.state.reviews
    queue = server.app.state.queue
    waiting = [queue.think("ida", "here", lambda stop: stop.wait(0)) for _ in range(4)]
    for each in waiting:
        await anext(each)
    following = reviews.follow(GameKey(table, 1), kd.Record.parse(text), "ida", "here")
    async with aclosing(following) as progress:
        assert (await anext(progress)).review is None
        with pytest.raises(Refusal, match="enough"):
            await anext(progress)
    for each in waiting:
        await each.aclose()


async def test_an_imported_record_has_one_game(server: Server) -> None:
    ida = server.client()
    text = record().to_text()
    await ida.post("/api/me/games", {"records": [{"text": text}]})
    async with ida.review(Imported.read(text).id, number=2) as socket:
        assert (await socket.message())["refusal"]["code"] == "no_game"
