"""Old tables: a compacted log reads as before, and a deleted table is gone.

The same in SQLite and in PostgreSQL.
"""

import asyncio
import io
import json
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy
from support.clients import TIMEOUT, Client, Clock, Server, changed, opened
from support.nonces import nonce_of, promised

import kingdomino as kd
from kingdomino.server.settings import Limits, Retention, Settings
from kingdomino.server.storage import Entry, Store, TableRow
from kingdomino.server.tables.core.deal import check
from kingdomino.server.tables.history import retention
from kingdomino.server.tables.people import rematches

BOT = {"kind": "bot", "bot": "greedy"}
DAY = 24 * 3600.0


async def whole(server: Server, table: str) -> list[Entry]:
    return await server.registry.store.entries(table, secrets=True)


async def with_everything(server: Server) -> tuple[Client, Client, str]:
    """Play a game with a clock, nonces, a player who leaves and returns, hints and wishes."""
    ida, oskar = server.client(), server.client()
    seats = ({"kind": "me", "name": "Ida"}, "open")
    table = await ida.create(*seats, seconds=60, public=True, harmony=True, digest=promised(1))
    await oskar.post(f"/api/tables/{table}/seats", {"name": "Oskar", "digest": promised(2)})
    await ida.post(f"/api/tables/{table}/nonce", {"game": 1, "nonce": nonce_of(1)})
    await oskar.post(f"/api/tables/{table}/nonce", {"game": 1, "nonce": nonce_of(2)})
    await oskar.post(f"/api/tables/{table}/seats/1/leave")
    await ida.play(table, until=lambda turn: turn["ply"] > 12)
    await oskar.post(f"/api/tables/{table}/seats/1/return")
    await asyncio.gather(ida.play(table), oskar.play(table))
    await ida.post(f"/api/tables/{table}/rematch", {"wish": True})
    return ida, oskar, table


async def test_a_compacted_game_of_four_needs_less_than_four_and_a_half_kilobytes(
    server: Server, tmp_path: Path
) -> None:
    ida = server.client()
    table = await ida.create(*[BOT] * 4)
    await ida.play(table)
    entries = await whole(server, table)
    assert await server.registry.store.archive.compact(table)
    assert await whole(server, table) == entries
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)
        ((size,),) = connection.execute("SELECT length(body) FROM archives")
    connection.close()
    assert size < 4500


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def either(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    """Return the settings of a server with either database."""
    if request.param == "sqlite":
        return settings
    shared: str = request.getfixturevalue("shared_database")
    return changed(settings, database=shared)


async def everything(client: Client, table: str) -> list[object]:
    """Return everything that a client can read about a table."""
    here = f"/api/tables/{table}"
    seen: list[object] = [await client.get(here), await client.events(table), await client.events(table, 40)]
    paths = (f"{here}/record", "/api/me/records", "/api/me/games")
    seen += [(await client.send("GET", path)).text for path in paths]
    for after in (None, 0, 50):
        async with client.follow(table, after) as socket:
            seen.append(await socket.message())
    return seen


async def test_a_compacted_table_is_the_same_for_every_client(either: Settings, clock: Clock) -> None:
    async with opened(either, clock) as server:
        ida, oskar, table = await with_everything(server)
        before = await everything(ida, table), await everything(server.client(), table)
        log = await whole(server, table)
        await retention.sweep(server.registry, Retention(compact_after=None))
        assert await server.registry.store.archive.compact(table)
        assert not await server.registry.store.archive.compact(table)
        assert await whole(server, table) == log
        assert await everything(ida, table) == before[0]
    async with opened(either, clock) as server:
        ida, stranger = server.client(ida.cookies), server.client()
        assert await everything(ida, table) == before[0]
        assert (await everything(stranger, table))[:4] == before[1][:4]
        record = kd.Record.parse((await ida.send("GET", f"/api/tables/{table}/record")).text)
        assert check(record).nonces == (0, 1)
        # The table continues where it was.
        await server.client(oskar.cookies).post(f"/api/tables/{table}/rematch", {"wish": True})
        events = await ida.events(table)
        assert [event["number"] for event in events] == list(range(1, len(events) + 1))
        assert events[-1]["kind"] == "rematch"
        assert await server.registry.store.archive.compact(table)
        assert await ida.events(table) == events


async def test_the_table_of_a_rematch_is_not_created_again_when_it_is_compacted(either: Settings) -> None:
    async with opened(either) as server:
        ida = server.client()
        table = await ida.create("me", BOT)
        await ida.play(table)
        path, wish = f"/api/tables/{table}/rematch", {"wish": True}
        await ida.post(path, wish)
        again: str = (await ida.table(table))["rematch"]
        events = await ida.play(again)
        assert await server.registry.store.archive.compact(again)
        state = (await server.registry.table(table)).state
        seats = (await server.registry.table(again)).state.seats
        same = await rematches.create(server.registry, state, seats, state.host or "", "")
        assert same.state.id == again
        assert await ida.events(again) == events


async def test_an_identity_is_also_deleted_from_compacted_logs(
    settings: Settings, clock: Clock, tmp_path: Path
) -> None:
    async with opened(settings, clock) as server:
        ida, oskar, table = await with_everything(server)
        await server.registry.store.archive.compact(table)
        events = await oskar.events(table)
        user = ida.cookies["kingdomino"].partition(".")[0]
        await ida.post("/api/me/forget")
        after = await oskar.events(table)
        added = ["seated", "wished"]  # Ida's wish not to play again
        assert [event["kind"] for event in after] == [*(event["kind"] for event in events), *added]
        assert "Ida" not in str(after)
        for entry in await whole(server, table):
            assert "Ida" not in entry.body
            assert user not in (entry.secret or "")
    connection = sqlite3.connect(tmp_path / "tables.db")
    assert connection.execute("SELECT count(*) FROM archives").fetchone() == (1,)
    assert "Ida" not in "\n".join(connection.iterdump())
    connection.close()


async def test_a_log_that_grows_while_it_is_compacted_loses_nothing(either: Settings) -> None:
    entries = [
        Entry(number, None, 1, "wished", json.dumps({"number": number, "at": 1, "kind": "wished"}))
        for number in range(1, 12)
    ]
    row = TableRow("a", "over", False, 1, None, "{}", None, ())
    one, other = await Store.open(either.url), await Store.open(either.url)
    for entry in entries:
        await asyncio.gather(one.archive.compact("a"), other.append([entry], row))
    assert await one.entries("a") == entries
    await one.close()
    await other.close()


async def test_old_tables_are_compacted_and_older_ones_deleted(either: Settings, clock: Clock) -> None:
    keep = Retention(compact_after=7, delete_after=30)
    async with opened(either, clock) as server:
        registry, ida = server.registry, server.client()
        old = await ida.create("me", BOT)
        await ida.play(old)
        clock.pass_by(28 * DAY)
        new, playing = await ida.create("me", BOT), await ida.create("me", BOT)
        await ida.play(new)
        await retention.sweep(registry, keep)
        assert await registry.store.archive.to_compact(clock.now() + 1, 10) == [new]
        clock.pass_by(3 * DAY)
        await retention.sweep(registry, keep)
        assert await ida.refused("GET", f"/api/tables/{old}") == (404, "no_table")
        assert [game["id"] for game in (await ida.get("/api/me/games"))["games"]] == [new]
        clock.pass_by(28 * DAY)
        await retention.sweep(registry, keep)
        assert (await ida.get("/api/me/games"))["games"] == []
        assert (await ida.table(playing))["state"] == "playing"


async def test_a_table_that_is_deleted_is_found_by_indexes(settings: Settings, tmp_path: Path) -> None:
    store, deletes = await Store.open(settings.url), list[str]()

    def note(_: object, __: object, statement: str, *___: object) -> None:
        deletes.extend([statement] * statement.startswith("DELETE"))

    sqlalchemy.event.listen(store._database._writer.sync_engine, "before_cursor_execute", note)  # noqa: SLF001
    await store.archive.delete("a")
    await store.close()
    assert "user_tables" in str(deletes)
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        for delete in deletes:
            values = ["a"] * delete.count("?")
            plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {delete}", values))
            assert "SEARCH" in plan, delete
            assert "SCAN" not in plan, delete
    connection.close()


async def test_a_sweep_goes_on_after_a_table_that_cannot_be_compacted_or_deleted(
    settings: Settings, clock: Clock, tmp_path: Path, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_AT_ONCE", 1)
    async with opened(settings, clock) as server:
        archive, ida = server.registry.store.archive, server.client()
        tables = [await ida.create("me", BOT) for _ in range(3)]
        for table in tables:
            await ida.play(table)
        damaged, *sound = sorted(tables)
        with sqlite3.connect(tmp_path / "tables.db") as connection:
            connection.execute("INSERT INTO archives VALUES (?, 1, x'00')", (damaged,))
        connection.close()
        clock.pass_by(8 * DAY)
        await retention.sweep(server.registry, Retention())
        assert await archive.to_compact(clock.now(), 10) == [damaged]
        assert f"table={damaged}" in written.getvalue()
        assert 'event="old tables" compacted=2' in written.getvalue()
        delete = archive.delete

        async def fail(table: str) -> None:
            if table == damaged:
                raise ValueError("damaged")
            await delete(table)

        monkeypatch.setattr(archive, "delete", fail)
        await retention.sweep(server.registry, Retention(compact_after=None, delete_after=7))
        assert await archive.ended(clock.now(), 10) == [damaged]
        assert "deleted=2" in written.getvalue()
        assert [await whole(server, table) for table in sound] == [[], []]


async def test_old_tables_are_swept_again_after_any_failure(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept, again = 0, asyncio.Event()

    async def sweep(*_: object) -> None:
        nonlocal swept
        swept += 1
        if swept == 1:
            raise ValueError("damaged")
        again.set()

    monkeypatch.setattr(retention, "sweep", sweep)
    monkeypatch.setattr(retention, "_SOON", 0)
    monkeypatch.setattr(retention, "_EVERY", 0)
    task = asyncio.create_task(retention.retain(server.registry, Retention()))
    async with asyncio.timeout(TIMEOUT):
        await again.wait()
    task.cancel()


async def test_a_table_that_another_server_has_deleted_does_not_come_back(
    either: Settings, clock: Clock
) -> None:
    async with opened(either, clock) as server:
        ida = server.client()
        table = await ida.create("me", BOT)
        await ida.play(table)
        clock.pass_by(2 * DAY)
        await server.registry.store.archive.delete(table)
        path = f"/api/tables/{table}/rematch"
        assert await ida.refused("POST", path, {"wish": False}) == (404, "no_table")
        assert await whole(server, table) == []


@pytest.mark.services
async def test_a_server_that_is_behind_does_not_write_into_a_compacted_log(
    shared_database: str, clock: Clock
) -> None:
    settings = Settings(database=shared_database, pause=0, limits=Limits(enforced=False))
    async with opened(settings, clock) as one, opened(settings, clock) as other:
        ida, oskar = one.client(), other.client()
        table = await ida.create("me", "open", seconds=None)
        await oskar.post(f"/api/tables/{table}/seats", {})
        behind = await other.registry.table(table)
        behind.hear = lambda _: None  # type: ignore[assignment]  # it is cut off from the news
        await ida.post(f"/api/tables/{table}/end", {"wish": True})
        events = await ida.events(table)
        clock.pass_by(DAY)
        assert await one.registry.store.archive.compact(table)
        await oskar.send("POST", f"/api/tables/{table}/end", {"wish": True})
        after = await ida.events(table)
        assert after[: len(events)] == events
        assert [event["number"] for event in after] == list(range(1, len(after) + 1))
