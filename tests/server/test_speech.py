"""Quick words: eight fixed ones, from players only, to everyone at the table, limited in number, and never stored."""

from support.clients import Server


async def test_a_word_of_a_player_reaches_everyone_at_the_table(server: Server) -> None:
    ida, oskar, watcher = server.client(), server.client(), server.client()
    table = await ida.create("me", "open", public=True)
    await oskar.post(f"/api/tables/{table}/seats", {"seat": 1})
    async with ida.follow(table) as first, watcher.follow(table) as second:
        for word in ("hello", "good_luck"):
            said = await oskar.post(f"/api/tables/{table}/say", {"word": word})
            assert said == {"type": "said", "seat": 1, "word": word}
            for socket in (first, second):
                assert await socket.until(lambda message: message["type"] == "said") == said


async def test_a_word_is_not_stored(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    before = await ida.events(table)
    await ida.post(f"/api/tables/{table}/say", {"word": "hello"})
    assert await ida.events(table) == before
    async with ida.follow(table) as socket:
        assert (await socket.message())["type"] == "snapshot"
        assert (await socket.message())["type"] == "presence"


async def test_of_two_seats_on_one_device_the_one_to_move_speaks(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    turn = (await ida.table(table))["turn"]
    assert (await ida.post(f"/api/tables/{table}/say", {"word": "oh_no"}))["seat"] == turn["seat"]


async def test_only_players_speak(server: Server) -> None:
    ida, watcher = server.client(), server.client()
    table = await ida.create("me", "me")
    path = f"/api/tables/{table}/say"
    assert await watcher.refused("POST", path, {"word": "hello"}) == (403, "not_yours")


async def test_a_seat_that_says_too_much_is_refused_with_a_time_to_try_again(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot")
    path = f"/api/tables/{table}/say"
    for _ in range(3):
        await ida.post(path, {"word": "thanks"})
    refused = await ida.send("POST", path, {"word": "thanks"})
    assert (refused.status_code, refused.json()["code"]) == (429, "too_often")
    assert 1 <= int(refused.headers["retry-after"]) <= 10
