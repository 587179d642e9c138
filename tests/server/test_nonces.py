"""Before a game the players' browsers send their nonces; a late one does not delay the game."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from support.clients import Client, Clock, Json, Server, opened
from support.node import reduced
from support.nonces import nonce_of, promised

import kingdomino as kd
from kingdomino.server.settings import Settings
from kingdomino.server.tables.core.deal import check

BOT = {"kind": "bot", "bot": "random"}


async def give(client: Client, table: str, source: int, game: int = 1) -> None:
    """Send a promised nonce."""
    body = {"game": game, "nonce": nonce_of(source, game)}
    await client.post(f"/api/tables/{table}/nonce", body)


async def refused(client: Client, table: str, nonce: object, game: int = 1) -> tuple[int, str]:
    """Send a nonce that the server must refuse."""
    return await client.refused("POST", f"/api/tables/{table}/nonce", {"game": game, "nonce": nonce})


async def together(server: Server, *digests: int | None, **wishes: object) -> tuple[list[Client], str]:
    """Seat people at a new table, each with a digest or without."""
    clients = [server.client() for _ in digests]
    promises = [{} if one is None else {"digest": promised(one)} for one in digests]
    table = await clients[0].create(
        "me", *["open"] * (len(digests) - 1), seconds=None, **promises[0], **wishes
    )
    for client, promise in zip(clients[1:], promises[1:], strict=True):
        await client.post(f"/api/tables/{table}/seats", promise)
    return clients, table


def kinds(events: Sequence[Json]) -> list[str]:
    return [event["kind"] for event in events]


async def test_a_game_against_bots_begins_with_the_nonce_of_its_only_player(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", BOT, digest=promised(1))
    before = await ida.table(table)
    assert (before["state"], before["turn"], before["line"], before["next_line"]) == ("drawing", None, [], [])
    assert before["digests"] == [promised(1), None]
    await give(ida, table, 1)
    now = await ida.table(table)
    assert now["state"] == "playing"
    assert now["commitment"] == before["commitment"]
    assert now["nonces"] == [nonce_of(1), None]
    events = await ida.play(table)
    assert kinds(events)[:6] == ["created", "committed", "drawing", "nonce", "dealt", "revealed"]
    record = kd.Record.parse((await ida.send("GET", f"/api/tables/{table}/record")).text)
    checked = check(record)
    assert (checked.nonces, checked.withheld) == ((0,), ())
    assert record.tags["commitment"] == before["commitment"]
    assert reduced(table, await ida.events(table)) == await ida.table(table)


async def test_a_game_begins_at_once_where_no_browser_promised_a_nonce(server: Server) -> None:
    ida = server.client()
    for seats in (["me", BOT], [BOT, BOT], ["me", "me"]):
        table = await ida.create(*seats)
        assert kinds(await ida.events(table))[:3] == ["created", "committed", "dealt"]
        assert (await ida.table(table))["state"] == "playing"


async def test_the_commitment_is_public_as_soon_as_the_table_is_created(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "open", BOT)
    waiting = await oskar.table(table)
    _, committed = await oskar.events(table)
    assert waiting["state"] == "waiting"
    assert waiting["commitment"] == committed["commitment"]
    assert (committed["game"], committed["seats"]) == (1, ["person", "open", "bot random"])
    await oskar.post(f"/api/tables/{table}/seats", {})
    assert (await oskar.table(table))["commitment"] == waiting["commitment"]
    await ida.post(f"/api/tables/{table}/seats/0/leave")
    await oskar.play(table)
    proof = (await oskar.table(table))["deal"]["proof"]
    text = f"kingdomino-deal 2\ntable {table}\ngame 1\nrules 3.second.random\n"
    text += f"seat 0 person\nseat 1 open\nseat 2 bot random\nsecret {proof['secret']}\n"
    assert hashlib.sha256(text.encode()).hexdigest() == waiting["commitment"]


async def test_no_nonce_is_sent_before_all_digests_are_fixed(server: Server) -> None:
    ida, ann = server.client(), server.client()
    table = await ida.create("me", "open", digest=promised(1))
    assert await refused(ida, table, nonce_of(1)) == (409, "not_drawing")
    await ann.post(f"/api/tables/{table}/seats", {"digest": promised(2)})
    drawing = (await ann.events(table))[-1]
    assert (drawing["kind"], drawing["digests"]) == ("drawing", [promised(1), promised(2)])
    await give(ann, table, 2)
    assert (await ida.table(table))["state"] == "drawing"
    await give(ida, table, 1)
    now = await ida.table(table)
    assert (now["state"], now["nonces"]) == ("playing", [nonce_of(1), nonce_of(2)])


async def test_a_missing_or_late_nonce_does_not_stop_the_game(server: Server, clock: Clock) -> None:
    (ida, ann), table = await together(server, 1, 2)
    await give(ida, table, 1)
    async with ida.follow(table, after=0) as socket:
        clock.pass_by(2.9)
        assert (await ida.table(table))["state"] == "drawing"
        clock.pass_by(0.1)
        dealt = await socket.until_event("dealt")
    assert dealt["nonces"] == [nonce_of(1), None]
    assert await refused(ann, table, nonce_of(2)) == (409, "not_drawing")
    for client in (ida, ann):
        await client.post(f"/api/tables/{table}/seats/{0 if client is ida else 1}/leave")
    async with ida.follow(table, after=0) as socket:
        await socket.until_event("deck_revealed")
    record = kd.Record.parse((await ida.send("GET", f"/api/tables/{table}/record")).text)
    assert record.tags["digests"] == f"{promised(1)} {promised(2)}"
    assert record.tags["nonces"] == f"{nonce_of(1)} none"
    assert check(record)[2:] == ((0,), (1,))


async def test_a_nonce_that_was_not_promised_is_refused(server: Server) -> None:
    (ida, ann), table = await together(server, 1, 2)
    stranger, late = server.client(), server.client()
    assert await refused(ida, table, nonce_of(2)) == (422, "bad_nonce")
    assert await refused(ann, table, nonce_of(1)) == (422, "bad_nonce")
    assert await refused(ida, table, nonce_of(1, 2), game=2) == (409, "not_drawing")
    assert await refused(ida, table, nonce_of(1, 2)) == (422, "bad_nonce")
    assert await refused(stranger, table, nonce_of(1)) == (403, "not_yours")
    for wrong in (
        "",
        "ab",
        "ab" * 31,
        "ab" * 33,
        "xy" * 32,
        nonce_of(1).upper(),
        nonce_of(1) + "\n",
        7,
        None,
    ):
        assert await refused(ida, table, wrong) == (422, "bad_field")
    assert await refused(late, "q3v7n2kd8wjm", nonce_of(1)) == (404, "no_table")
    await give(ida, table, 1)
    assert await refused(ida, table, nonce_of(1)) == (409, "not_drawing")
    await give(ann, table, 2)
    assert await refused(ann, table, nonce_of(2)) == (409, "not_drawing")


async def test_one_digest_for_several_seats_needs_one_nonce(server: Server) -> None:
    ann, ida = server.client(), server.client()
    table = await ann.create("open", "open", "bot", public=True)
    for _ in range(2):
        await ida.post(f"/api/tables/{table}/seats", {"digest": promised(1)})
    assert (await ida.table(table))["digests"] == [promised(1), None, None]
    await give(ida, table, 1)
    assert (await ida.table(table))["state"] == "playing"


async def test_a_new_player_replaces_the_seats_digest(
    server: Server,
) -> None:
    ida, ann, mara = server.client(), server.client(), server.client()
    table = await ida.create("me", "open", "open", public=True, digest=promised(1))
    await ann.post(f"/api/tables/{table}/seats", {"seat": 1, "digest": promised(2)})
    await ann.post(f"/api/tables/{table}/seats/1/leave")
    await mara.post(f"/api/tables/{table}/seats", {"seat": 1, "digest": promised(3)})
    await ida.post(f"/api/tables/{table}/start")
    assert (await ida.table(table))["digests"] == [promised(1), promised(3), None]


async def test_collecting_nonces_blocks_leaving_and_starting(server: Server) -> None:
    (ida, ann), table = await together(server, 1, 2)
    assert await ida.refused("POST", f"/api/tables/{table}/start") == (409, "not_waiting")
    assert await ida.refused("POST", f"/api/tables/{table}/close") == (409, "not_waiting")
    assert (await ida.get("/api/me"))["tables"][0]["state"] == "drawing"
    await ann.post(f"/api/tables/{table}/seats/1/leave")
    await give(ida, table, 1)
    assert (await ida.table(table))["seats"][1]["away"] == "left"
    await give(ann, table, 2)
    assert (await ida.table(table))["state"] == "playing"


async def test_every_game_of_a_dynasty_has_its_commitment_and_nonce(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", BOT, dynasty="total", digest=promised(1))
    commitments = [(await ida.table(table))["commitment"]]
    for game in (1, 2, 3):
        assert (await ida.table(table))["state"] == "drawing"
        assert await refused(ida, table, nonce_of(1, game), game=game % 3 + 1) == (409, "not_drawing")
        await give(ida, table, 1, game)
        await ida.play(table)
        commitments.append((await ida.table(table))["commitment"])
        record = kd.Record.parse((await ida.send("GET", f"/api/tables/{table}/record?game={game}")).text)
        assert check(record).nonces == (0,)
        assert record.tags["commitment"] == commitments[game - 1]
        if game < 3:
            await ida.post(f"/api/tables/{table}/next")
    assert len(set(commitments)) == 3
    told = await ida.events(table)
    for game, commitment in enumerate(commitments[:3], 1):
        committed, dealt = (
            next(event for event in told if event["kind"] == kind and event["game"] == game)
            for kind in ("committed", "dealt")
        )
        assert committed["commitment"] == dealt["commitment"] == commitment
        assert committed["number"] < dealt["number"]


async def test_a_rematch_has_the_digests_that_came_with_the_wishes(server: Server) -> None:
    (ida, ann), table = await together(server, None, None)
    for seat, client in enumerate((ida, ann)):
        await client.post(f"/api/tables/{table}/seats/{seat}/leave")
    async with ida.follow(table, after=0) as socket:
        await socket.until_event("deck_revealed")
    for client, source in ((ida, 1), (ann, 2)):
        body = {"wish": True, "digest": promised(source)}
        async with ida.follow(table), ann.follow(table):
            shown = (await client.post(f"/api/tables/{table}/rematch", body))["table"]
    new = await ida.table(shown["rematch"])
    assert (new["state"], new["digests"]) == ("drawing", [promised(1), promised(2)])
    await give(ann, new["id"], 2)
    await give(ida, new["id"], 1)
    assert (await ida.table(new["id"]))["nonces"] == [nonce_of(1), nonce_of(2)]


async def test_nonces_are_collected_on_after_a_restart(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as server:
        (ida, ann), table = await together(server, 1, 2)
        await give(ida, table, 1)
        before = await ida.events(table)
    async with opened(settings, clock) as server:
        ida, ann = server.client(ida.cookies), server.client(ann.cookies)
        assert await ida.events(table) == before
        assert (await ida.table(table))["state"] == "drawing"
        await give(ann, table, 2)
        assert (await ida.table(table))["nonces"] == [nonce_of(1), nonce_of(2)]


async def test_a_game_begins_after_a_restart_without_missing_nonces(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as server:
        (ida, _), table = await together(server, 1, 2)
    clock.pass_by(60)
    async with opened(settings, clock) as server:
        ida = server.client(ida.cookies)
        async with ida.follow(table, after=0) as socket:
            clock.pass_by(0)
            assert (await socket.until_event("dealt"))["nonces"] == [None, None]


async def test_a_server_begins_a_game_that_no_client_follows(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as server:
        (ida, _), table = await together(server, 1, 2)
    async with opened(settings, clock) as server:
        clock.pass_by(4)
        await server.registry.sweep()
        clock.pass_by(0)
        assert (await server.client(ida.cookies).table(table))["state"] in ("drawing", "playing")
        async with server.client().follow(table, after=0) as socket:
            await socket.until_event("dealt")


async def test_the_secret_stays_hidden_until_the_end(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", BOT, digest=promised(1))
    entries = await server.registry.store.entries(table, secrets=True)
    secret = json.loads(next(entry.secret or "" for entry in entries if entry.kind == "committed"))["secret"]
    told: list[Any] = [await ida.table(table), await ida.events(table), await ida.you(table)]
    await give(ida, table, 1)
    told += [await ida.table(table), await ida.events(table)]
    events = await ida.play(table)
    assert secret not in json.dumps([told, events[:-1]])
    assert events[-1]["proof"]["secret"] == secret


# The bots.


async def test_the_revealed_secret_reproduces_the_bots_choices(
    server: Server,
) -> None:
    specs = ["random", "mce:playouts=64", "king:level=2"]
    ida = server.client()
    table = await ida.create("me", *({"kind": "bot", "bot": spec} for spec in specs), digest=promised(1))
    await give(ida, table, 1)
    await ida.play(table)
    record = kd.Record.parse((await ida.send("GET", f"/api/tables/{table}/record")).text)
    deal = check(record).deal
    seeds = {seat: deal.bot_seed(seat) for seat in (1, 2, 3)}
    verified = await ida.post("/api/verify", {"record": record.to_text()})
    assert verified["bots"] == {str(seat): str(seed) for seat, seed in seeds.items()}
    assert chosen_again(record, specs, seeds)
    digest = hashlib.sha256(table.encode()).digest()  # as older servers did
    public = kd.derive_seed(int.from_bytes(digest[:8], "big"), "bot", 1)
    assert not chosen_again(record, specs, {1: public})


def chosen_again(record: kd.Record, specs: Sequence[str], seeds: dict[int, int]) -> bool:
    """Return whether bots with these seeds choose the recorded actions of their seats."""
    game = kd.Game(record.rules, deck=record.replay().deck, opening=record.replay().opening)
    mover, bot = None, None
    for action in record.actions():
        position = game.position
        seat = position.to_move
        if seat is not None and seat in seeds:
            if seat != mover or position.phase == "place" or bot is None or not position.round:
                bot = kd.bots.make(specs[seat - 1], seed=seeds[seat])
            if bot.choose(position) != action:
                return False
        mover = seat if position.phase == "place" else None
        game.play(action)
    return True
