"""Backups: they contain the whole database, SQLite or PostgreSQL, and only ever whole files appear."""

import asyncio
import gzip
import math
import os
import re
import shlex
import shutil
import stat
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import create_engine, text
from support.clients import changed, opened

from kingdomino.cli import main
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Passkey, Store, backup, migrate
from kingdomino.server.storage.connecting import StorageError
from kingdomino.server.storage.files import DatabaseLock
from kingdomino.server.storage.generations import to_keep
from tools.settings_table import GUIDE

BOT = {"kind": "bot", "bot": "greedy"}


@pytest.fixture(
    params=[
        "sqlite to sqlite",
        pytest.param("sqlite to postgresql", marks=pytest.mark.services),
        pytest.param("postgresql to sqlite", marks=pytest.mark.services),
    ]
)
def pair(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path) -> tuple[Settings, str]:
    """Return the settings of a server, and the URL of an empty database."""
    first, _, second = request.param.split()
    new = f"sqlite:///{tmp_path / 'new.db'}"
    if second == "postgresql":
        new = request.getfixturevalue("new_database")
    if first == "postgresql":
        settings = changed(settings, database=request.getfixturevalue("shared_database"))
    return settings, new


async def used(settings: Settings, file: Path) -> tuple[dict[str, str], str, list[object]]:
    """Save the database of a running server; return the player's cookies, a table, and some answers."""
    async with opened(settings) as server:
        ida, store = server.client(), server.registry.store
        await ida.send("PUT", "/api/me", {"name": "Ída ♛"})
        over, playing = await ida.create("me", BOT), await ida.create("me", BOT, public=True)
        await ida.play(over)
        await store.archive.compact(over)
        await ida.play(playing, until=lambda turn: turn["ply"] > 8)
        user = ida.cookies["kingdomino"].partition(".")[0]
        await store.identities.add_passkey(Passkey("a", user, b"\x00\xff\n", 3))
        await store.identities.add_link("a digest", user, 2, 1)
        await store.set_settings(user, '{"sound": true}')
        await store.sessions.revoke("oskar", 1)
        await store.history.keep([], {"a record": "kingdomino-record 1"})
        await asyncio.to_thread(backup.save, settings.url, file)
        seen: list[object] = [
            await ida.events(over),
            await ida.events(playing),
            (await ida.get("/api/me/games"))["games"],
            await ida.get("/api/me/identity"),
            await store.identities.passkey("a"),
        ]
        return ida.cookies, playing, seen


async def test_a_database_is_the_same_after_a_backup_and_a_restore(
    pair: tuple[Settings, str], tmp_path: Path
) -> None:
    settings, new = pair
    cookies, playing, seen = await used(settings, tmp_path / "file")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    found = await asyncio.to_thread(backup.restore, new, tmp_path / "file")
    assert found == backup.check(tmp_path / "file")
    assert found.rows["tables"] == 2
    assert 0 not in found.rows.values(), "this test fills every table"
    async with opened(changed(settings, database=new)) as server:
        ida, (over, *_) = server.client(cookies), [seen[2][0]["id"]]  # type: ignore[index]
        assert seen == [
            await ida.events(over),
            await ida.events(playing),
            (await ida.get("/api/me/games"))["games"],
            await ida.get("/api/me/identity"),
            await server.registry.store.identities.passkey("a"),
        ]
        events = await ida.play(playing)
        assert events[-1]["kind"] == "deck_revealed"


async def test_a_backup_of_a_backup_is_the_same(pair: tuple[Settings, str], tmp_path: Path) -> None:
    settings, new = pair
    await used(settings, tmp_path / "one")
    await asyncio.to_thread(backup.restore, new, tmp_path / "one")
    await asyncio.to_thread(backup.save, new, tmp_path / "two")
    one, two = (gzip.decompress((tmp_path / name).read_bytes()).splitlines() for name in ("one", "two"))
    assert sorted(one[1:-1]) == sorted(two[1:-1])


@pytest.fixture
def saved(settings: Settings, tmp_path: Path) -> Path:
    """Save a database with one name in it."""

    async def fill() -> None:
        store = await Store.open(settings.url)
        await store.name_user("ida", "Ida")
        await store.close()

    asyncio.run(fill())
    backup.save(settings.url, tmp_path / "file")
    return tmp_path / "file"


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Run a command; return its status and the single line that it prints."""
    status = main(list(map(str, arguments)))
    said = "".join(capsys.readouterr())
    assert said.count("\n") == 1, said
    return status, said


def test_nothing_is_overwritten_without_force(
    settings: Settings, saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = ("--database", settings.url)
    before = saved.read_bytes()
    assert run(capsys, "backup", saved, *database) == (
        2,
        f"kingdomino: {saved} exists; --force overwrites it\n",
    )
    assert saved.read_bytes() == before
    assert run(capsys, "backup", saved, *database, "--force")[0] == 0
    status, said = run(capsys, "restore", saved, *database)
    assert (status, "is not empty; --replace deletes what is in it" in said) == (2, True)
    assert run(capsys, "restore", saved, *database, "--replace")[0] == 0
    assert sorted(os.listdir(tmp_path)) == ["file", "tables.db", "tables.db.lock"]  # noqa: PTH208


def overwritten(file: Path) -> None:
    """Write other bytes over a database."""
    file.write_bytes(b"a shopping list " * 512)


def damaged_inside(file: Path) -> None:
    """Damage a page in the middle, as a bad disk does; the header and the schema stay readable."""
    whole = file.read_bytes()
    middle = len(whole) // 2 // 4096 * 4096
    file.write_bytes(whole[:middle] + b"\xff" * 4096 + whole[middle + 4096 :])


@pytest.mark.parametrize("damage", [overwritten, damaged_inside])
def test_a_corrupt_database_is_replaced_and_kept_under_a_name_that_is_printed(
    damage: Callable[[Path], None], settings: Settings, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved.with_name("tables.db")
    damage(file)
    corrupt = file.read_bytes()
    assert main(["restore", str(saved), "--database", settings.url]) == 2
    assert file.read_bytes() == corrupt
    capsys.readouterr()
    assert main(["restore", str(saved), "--database", settings.url, "--replace"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert Path(first.removeprefix("the corrupt database is now ")).read_bytes() == corrupt
    assert second.startswith("restored ")
    assert user(settings.url) == "Ida"


def test_a_corrupt_database_is_back_if_the_restore_fails(
    settings: Settings, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved.with_name("tables.db")
    overwritten(file)
    corrupt = file.read_bytes()

    def fail(*_: object) -> NoReturn:
        raise OSError("the disk is full")

    monkeypatch.setattr(migrate, "upgrade", fail)
    with pytest.raises(OSError, match="full"):
        backup.restore(settings.url, saved, replace=True)
    assert file.read_bytes() == corrupt
    assert not list(file.parent.glob("*corrupt*"))


def user(url: str) -> str | None:
    async def read() -> str | None:
        store = await Store.open(url)
        try:
            return await store.user("ida")
        finally:
            await store.close()

    return asyncio.run(read())


def test_the_guides_commands_save_the_readable_part_of_a_corrupt_database(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which("sqlite3") is None:
        pytest.skip("sqlite3 is not installed; get it with: apt-get install sqlite3")
    asyncio.run(used(settings, tmp_path / "file"))
    repair = tmp_path / "repair"
    repair.mkdir()
    for file in tmp_path.glob("tables.db*"):
        file.rename(repair / file.name.replace("tables", "kingdomino"))
    damaged_inside(repair / "kingdomino.db")
    guide = GUIDE.read_text("utf-8").partition("**A corrupt SQLite file.**")[2]
    _, first, delete, *_ = re.findall(r"^```\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(repair)

    def run(commands: str) -> str:
        for line in commands.splitlines():
            if line.startswith("kingdomino "):
                main([*shlex.split(line)[1:], *(["--force"] if " backup " in line else [])])
            elif not line.startswith("mkdir "):
                subprocess.run(["bash", "-c", line], check=False, stdout=subprocess.DEVNULL)
        return "".join(capsys.readouterr())

    said = run(first)
    while gap := re.search("the log of the table (.*) is not whole", said):
        run(delete.replace("q3v7n2kd8wjm", gap[1]))
        said = run("\n".join(line for line in first.splitlines() if line.startswith("kingdomino ")))
    assert "repaired.backup: whole" in said
    backup.restore(f"sqlite:///{tmp_path / 'new.db'}", repair / "repaired.backup")


def test_a_file_that_is_not_a_whole_backup_is_refused_and_changes_nothing(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = gzip.decompress(saved.read_bytes())
    cases = {
        b"a shopping list": "not a backup",
        gzip.compress(b'{"games": 3}\n'): "not a backup",
        gzip.compress(b""): "not a backup",
        saved.read_bytes()[:-40]: "missing",
        gzip.compress(whole[: whole.rindex(b"\n{") + 1]): "missing",
        gzip.compress(whole.replace(b"Ida", b"Eva")): "damaged",
        gzip.compress(whole + b"[]\n"): "damaged",
        gzip.compress(whole.replace(b'"version":1', b'"version":2')): "newer version",
        gzip.compress(whole.replace(b'"revision":"', b'"revision":"2')): "newer version",
    }
    new = f"sqlite:///{tmp_path / 'new.db'}"
    for number, (content, said) in enumerate(cases.items()):
        file = tmp_path / f"bad {number}"
        file.write_bytes(content)
        for more in (("--check",), ("--database", new)):
            status, line = run(capsys, "restore", file, *more)
            assert (status, said in line) == (2, True), line
    assert not (tmp_path / "new.db").exists()
    assert run(capsys, "restore", tmp_path / "nowhere", "--check") == (
        2,
        f"kingdomino: {tmp_path / 'nowhere'}: No such file or directory\n",
    )
    assert run(capsys, "backup", tmp_path / "b", "--database", new)[1].endswith("there is no such database\n")


def test_a_log_with_a_gap_is_not_restored(settings: Settings, tmp_path: Path) -> None:
    engine = create_engine(settings.url)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO tables VALUES ('a', 'over', false, 1, NULL, '{}', NULL)"))
        for number in (1, 3):
            connection.execute(
                text(f"INSERT INTO events VALUES ('a', {number}, NULL, 1, 'created', '{{}}', NULL)")
            )
    engine.dispose()
    backup.save(settings.url, tmp_path / "file")
    with pytest.raises(StorageError, match="the log of the table a is not whole"):
        backup.check(tmp_path / "file")
    with pytest.raises(StorageError, match="the log of the table a is not whole"):
        backup.restore(f"sqlite:///{tmp_path / 'new.db'}", tmp_path / "file")


def test_a_log_without_a_table_is_not_restored(settings: Settings, tmp_path: Path) -> None:
    engine = create_engine(settings.url)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO events VALUES ('a', 1, NULL, 1, 'created', '{}', NULL)"))
    engine.dispose()
    backup.save(settings.url, tmp_path / "file")
    with pytest.raises(StorageError):
        backup.restore(f"sqlite:///{tmp_path / 'new.db'}", tmp_path / "file")
    backup.restore(f"sqlite:///{tmp_path / 'new.db'}", empty_backup(tmp_path))  # nothing was left


def empty_backup(folder: Path) -> Path:
    url = f"sqlite:///{folder / 'empty.db'}"
    asyncio.run(closed(url))
    backup.save(url, folder / "empty")
    return folder / "empty"


async def closed(url: str) -> None:
    await (await Store.open(url)).close()


def test_a_database_that_a_server_uses_is_not_restored(settings: Settings, saved: Path) -> None:
    with DatabaseLock(settings.url), pytest.raises(OSError, match="in use by another server"):
        backup.restore(settings.url, saved, replace=True)


@pytest.mark.services
def test_a_shared_database_that_a_server_uses_is_not_restored(shared_database: str, saved: Path) -> None:
    async def serve() -> None:
        store = await Store.open(shared_database)
        await store.heartbeat(time.time_ns() // 1_000_000)
        await store.close()

    asyncio.run(serve())
    with pytest.raises(StorageError, match="a server runs on this database"):
        backup.restore(shared_database, saved, replace=True)


def test_the_newest_backup_of_each_of_the_last_days_and_weeks_stays() -> None:
    first = datetime(2026, 1, 1, 4, 30, tzinfo=UTC)  # a Thursday
    there: set[datetime] = set()
    for day in range(60):
        there = to_keep({*there, first + timedelta(days=day), first + timedelta(days=day, hours=3)})
    days = [(moment.date() - first.date()).days for moment in sorted(there)]
    assert days == [38, 45, *range(52, 60)]
    assert all(moment.hour == 7 for moment in there)


@given(st.sets(st.datetimes(timezones=st.just(UTC)), min_size=1))
def test_the_newest_backup_stays_and_a_second_pruning_removes_nothing(made: set[datetime]) -> None:
    stays = to_keep(made)
    assert max(made) in stays
    assert len(stays) <= 11
    assert to_keep(stays) == stays


async def test_a_backup_replaces_older_ones_only_when_it_is_whole_and_the_metrics_know(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "backups"
    configured = changed(settings, backups=str(folder))
    command = ["backup", "--database", settings.url]
    monkeypatch.setenv("KINGDOMINO_BACKUPS", str(folder))
    async with opened(configured) as server:

        def metric(name: str, **labels: str) -> float:
            value = server.app.state.metrics.registry.get_sample_value(f"kingdomino_{name}", labels)
            assert value is not None
            return float(value)

        assert metric("backup_age_seconds") == math.inf
        folder.mkdir()
        for name in ("20200101", "20200201", *(f"202101{day:02}" for day in range(1, 8))):
            (folder / f"kingdomino-{name}T043000Z.backup").write_bytes(b"")
        (folder / "notes").write_text("mine")
        before = set(folder.iterdir())
        with monkeypatch.context() as patch:
            patch.setattr(
                "kingdomino.server.storage.generations.check", lambda _: None
            )  # as if the check read another file
            assert await asyncio.to_thread(main, command) == 2
        assert set(folder.iterdir()) == before | {folder / "failed"}
        assert metric("backup_failed") == 1
        assert await asyncio.to_thread(main, command) == 0
        deleted = {file.name[11:19] for file in before - set(folder.iterdir())}
        assert deleted == {"20200101", "20210101"}
        assert metric("backup_failed") == 0
        assert 0 <= metric("backup_age_seconds") < 3600
        for of in ("database", "backups"):
            assert 0 < metric("disk_free_bytes", of=of) <= metric("disk_size_bytes", of=of)


def test_a_backup_without_a_name_needs_a_folder(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "--database", settings.url]) == 2
    assert "name a FILE, or a folder in the setting 'backups'" in capsys.readouterr().err
