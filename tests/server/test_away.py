"""Players who are away: for how long, the others' options, and coming back."""

from support.clients import Client, Clock, Json, Server, Socket


async def friends(server: Server, *more: str, **wishes: object) -> tuple[Client, Client, str]:
    """Let two people sit down at a table."""
    ida, ann = server.client(), server.client()
    table = await ida.create("me", "open", *more, seconds=None, **wishes)
    await ann.post(f"/api/tables/{table}/seats", {"name": "Ann"})
    return ida, ann, table


async def presence(socket: Socket, state: str, seat: int = 1) -> Json:
    """Read messages until a seat has this state, and return the seat's presence."""

    def says_it(message: Json) -> bool:
        return bool(message["type"] == "presence" and message["seats"][seat]["state"] == state)

    found: Json = (await socket.until(says_it))["seats"][seat]
    return found


async def test_the_others_see_how_long_a_player_has_been_away(server: Server, clock: Clock) -> None:
    ida, ann, table = await friends(server, "bot")
    async with ida.follow(table) as socket:
        async with ann.follow(table):
            clock.pass_by(2)  # the server sends presence once a second
            assert await presence(socket, "here") == {"state": "here", "ms": 0}
        assert await presence(socket, "gone") == {"state": "gone", "ms": 0}
        clock.pass_by(29)
        clock.pass_by(1)
        assert await presence(socket, "away") == {"state": "away", "ms": 30_000}
        clock.pass_by(90)
        assert await presence(socket, "long_away") == {"state": "long_away", "ms": 120_000}
        assert socket.messages[-1]["seats"][0] == {"state": "here", "ms": 0}
        assert socket.messages[-1]["seats"][2] is None
        async with ann.follow(table):
            clock.pass_by(1)
            assert await presence(socket, "here") == {"state": "here", "ms": 0}


async def test_a_bot_plays_for_a_player_who_is_long_away_until_she_comes_back(
    server: Server, clock: Clock
) -> None:
    ida, ann, table = await friends(server)
    async with ida.follow(table, after=0) as socket:
        while (turn := await socket.until_turn(0, 1)) is not None and turn["seat"] == 0:
            await ida.turn(table, turn)
        clock.pass_by(119)
        stand_in = f"/api/tables/{table}/seats/1/stand-in"
        assert await ida.refused("POST", stand_in, {}) == (409, "not_away")
        clock.pass_by(1)
        shown = (await ida.post(stand_in))["table"]
        assert shown["seats"][1]["away"] == "absent"
        await ida.post(stand_in)
        left = await socket.until_event("left")
        assert (left["seat"], left["why"]) == (1, "absent")
        assert (await socket.until_event("claimed"))["by"] == "stand-in"
        async with ann.follow(table):
            assert (await socket.until_event("returned"))["seat"] == 1
        assert [event["kind"] for event in socket.events].count("left") == 1
        assert (await ida.table(table))["seats"][1]["away"] is None


async def test_players_who_are_here_are_not_replaced_and_visitors_replace_no_one(
    server: Server, clock: Clock
) -> None:
    ida, ann, table = await friends(server, "bot")
    async with ann.follow(table):
        clock.pass_by(600)
        for seat in (1, 2, 3, 7, -1):
            path = f"/api/tables/{table}/seats/{seat}/stand-in"
            assert await ida.refused("POST", path, {}) == (409, "not_away")
    visitor = server.client()
    path = f"/api/tables/{table}/seats/1/stand-in"
    assert await visitor.refused("POST", path, {}) == (403, "not_yours")


async def test_a_player_who_left_on_purpose_comes_back_only_on_purpose(server: Server) -> None:
    ida, ann, table = await friends(server)
    await ann.post(f"/api/tables/{table}/seats/1/leave")
    async with ann.follow(table) as socket:
        await socket.message()
    assert (await ida.table(table))["seats"][1]["away"] == "left"
    await ann.post(f"/api/tables/{table}/seats/1/return")
    assert (await ida.table(table))["seats"][1]["away"] is None


async def test_bots_among_themselves_play_only_while_a_client_follows_them(server: Server) -> None:
    ida = server.client()
    table = await ida.create("bot", "bot")
    before = (await ida.table(table))["number"]
    async with ida.follow(table) as socket:
        await socket.until_event("claimed")
    stopped = (await ida.table(table))["number"]
    assert before < stopped
    assert (await ida.table(table))["state"] == "playing"
    async with ida.follow(table) as socket:
        assert await socket.until_turn() is None
