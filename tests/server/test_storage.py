"""Logs in the database: each appended entry is there exactly once, even when others fail.

The same in SQLite and in PostgreSQL.
"""

import asyncio
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from psycopg import AsyncConnection
from psycopg.errors import DeadlockDetected
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError
from support.clients import TIMEOUT

from kingdomino.cli import main
from kingdomino.server.cluster.jobs import Jobs
from kingdomino.server.cluster.messages import Choose
from kingdomino.server.storage import Conflict, Entry, StorageError, Store, TableRow, conninfo
from kingdomino.server.storage.database import Database
from kingdomino.server.storage.news import Sender
from tools.postgresql import PostgreSQL

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.services)]

With = Callable[[Callable[[Store], Awaitable[None]]], None]


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'data' / 'kingdomino.db'}"
    url: str = request.getfixturevalue("new_database")
    return url


@pytest.fixture
def with_store(url: str) -> With:
    """Return ``with_store(scenario)``, which opens the store, runs the scenario with it, and closes it."""

    def with_store(scenario: Callable[[Store], Awaitable[None]]) -> None:
        async def run() -> None:
            store = await Store.open(url)
            try:
                await scenario(store)
            finally:
                await store.close()

        asyncio.run(run())

    return with_store


def entry(number: int, ply: int | None = None, secret: str | None = None) -> Entry:
    return Entry(number, ply, 1795000000000 + number, "claimed", f'{{"number": {number}}}', secret)


def row(table: str, updated: int = 1, state: str = "playing", **more: object) -> TableRow:
    given = TableRow(table, state, False, updated, updated, '{"round": 1}', None, ((0, "ida"),))
    return replace(given, **more)  # type: ignore[arg-type]


def test_a_log_is_read_as_it_was_appended(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        await store.append([entry(1), entry(2, ply=0)], row("a"))
        await store.append([entry(3, ply=1)], row("a"))
        await store.append([entry(1)], row("b"))
        assert await store.entries("a") == [entry(1), entry(2, 0), entry(3, 1)]
        assert await store.entries("a", after=1) == [entry(2, 0), entry(3, 1)]
        assert await store.entries("a", after=1, limit=1) == [entry(2, 0)]
        assert await store.entries("b") == [entry(1)]
        assert await store.entries("nowhere") == []

    with_store(scenario)


def test_secrets_are_given_only_on_request_and_shown_in_no_repr(with_store: With) -> None:
    secret = entry(1, secret='{"deck": [17, 4]}')

    async def scenario(store: Store) -> None:
        await store.append([secret], row("a", code="amber otter gate"))
        (public,) = await store.entries("a")
        (whole,) = await store.entries("a", secrets=True)
        assert (public.secret, whole.secret) == (None, secret.secret)

    with_store(scenario)
    assert "deck" not in repr(secret)
    assert "ida" not in repr(row("a"))


def test_everything_outlives_the_store(url: str) -> None:
    async def first() -> bytes:
        store = await Store.open(url)
        await store.append([entry(1, 0)], row("a"))
        await store.name_user("ida", "Ida")
        key = await store.table_key()
        await store.close()
        return key

    async def second() -> tuple[object, ...]:
        store = await Store.open(url)
        found = (
            await store.table_key(),
            await store.user("ida"),
            await store.entries("a"),
            await store.table("a"),
        )
        await store.close()
        return found

    key = asyncio.run(first())
    assert len(key) == 32
    assert asyncio.run(second()) == (key, "Ida", [entry(1, 0)], row("a"))


def test_a_number_is_taken_once(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        await store.append([entry(1)], row("a"))
        with pytest.raises(Conflict):
            await store.append([entry(2), entry(1)], row("a", 2))
        assert await store.entries("a") == [entry(1)]
        assert await store.table("a") == row("a")

    with_store(scenario)


def test_a_ply_is_taken_once(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        await store.append([entry(1, ply=7)], row("a"))
        with pytest.raises(Conflict):
            await store.append([entry(2, ply=7)], row("a"))
        await store.append([entry(1, ply=7)], row("b"))
        assert await store.entries("a") == [entry(1, 7)]

    with_store(scenario)


def test_two_submissions_of_one_ply_at_the_same_time_store_one(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        await store.append([entry(1)], row("a"))
        results = await asyncio.gather(
            *(store.append([entry(2, ply=0)], row("a")) for _ in range(20)), return_exceptions=True
        )
        assert results.count(None) == 1
        assert sum(isinstance(result, Conflict) for result in results) == 19
        assert await store.entries("a") == [entry(1), entry(2, 0)]

    with_store(scenario)


def test_only_the_guilty_one_of_a_batch_fails(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        await store.append([entry(1, 0)], row("guilty"))
        tables = [f"table {number}" for number in range(50)]
        tables[25] = "guilty"
        results = await asyncio.gather(
            *(store.append([entry(1, 0)], row(table)) for table in tables), return_exceptions=True
        )
        assert [table for table, result in zip(tables, results, strict=True) if result] == ["guilty"]
        assert len(await store.due(1, 100)) == 50

    with_store(scenario)


def test_an_append_that_the_database_rejects_fails_alone(with_store: With) -> None:
    wrong = replace(entry(1), body='"\ud800"')

    async def scenario(store: Store) -> None:
        results = await asyncio.gather(
            store.append([entry(1)], row("a")),
            store.append([wrong], row("b")),
            store.append([entry(1)], row("c")),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [type(None), StorageError, type(None)]
        assert await store.table("b") is None

    with_store(scenario)


def test_a_transaction_ended_by_a_deadlock_is_retried(
    with_store: With, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed, begun = Database.writing, list[int]()

    @asynccontextmanager
    async def writing(database: Database) -> AsyncIterator[object]:
        begun.append(len(begun))
        async with committed(database) as connection:
            yield connection
            if len(begun) % 2:
                raise OperationalError("", {}, DeadlockDetected())

    async def scenario(store: Store) -> None:
        monkeypatch.setattr(Database, "writing", writing)
        await asyncio.gather(*(store.append([entry(1)], row(table)) for table in "abc"))
        await store.name_user("ida", "Ida")
        monkeypatch.undo()
        assert [await store.entries(table) for table in "abc"] == [[entry(1)]] * 3
        assert await store.user("ida") == "Ida"
        assert len(begun) == 4

    with_store(scenario)


def test_a_cancelled_append_is_still_written_whole(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        waiting = [
            asyncio.create_task(store.append([entry(1), entry(2, 0)], row(f"{number:03}", number)))
            for number in range(100)
        ]
        await asyncio.sleep(0)
        for task in waiting[::2]:
            task.cancel()
        for task in waiting:
            with suppress(asyncio.CancelledError):
                await task
        await store.append([entry(1)], row("last"))
        for number in range(100):
            assert await store.entries(f"{number:03}") == [entry(1), entry(2, 0)]

    with_store(scenario)


def test_a_cancelled_write_is_over_when_the_store_closes(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.db'}"

    async def cancelled() -> None:
        store = await Store.open(address)
        writing = asyncio.create_task(store.name_user("ida", "Ida"))
        await asyncio.sleep(0)
        writing.cancel()
        await store.close()

    async def name() -> str | None:
        store = await Store.open(address)
        try:
            return await store.user("ida")
        finally:
            await store.close()

    asyncio.run(cancelled())
    assert asyncio.run(name()) == "Ida"


def test_the_queue_is_written_before_the_store_closes(url: str) -> None:
    async def run() -> None:
        store = await Store.open(url)
        appends = [asyncio.create_task(store.append([entry(1)], row(str(n)))) for n in range(600)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*appends)
        with pytest.raises(StorageError):
            await store.append([entry(2)], row("0"))
        again = await Store.open(url)
        assert len(await again.due(1, 1000)) == 600
        await again.close()

    asyncio.run(run())


def test_tables_are_found_by_state_by_user_and_by_code(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        tables = [
            row("waits", 5, "waiting", public=True, code="amber otter gate"),
            row("goes on", 9, public=True, users=((0, "ida"), (2, "oskar"))),
            row("private", 7, "between", users=((1, "oskar"),)),
            row("done", 8, "over", public=True, users=((0, "oskar"), (1, "oskar")), due=None),
            row("away", 6, "closed", users=(), due=None),
        ]
        for table in tables:
            await store.append([entry(1)], table)
        waits, goes_on, private, done, away = tables
        assert await store.due(8, 10) == ["waits", "private"]
        assert await store.due(9, 2) == ["waits", "private"]
        assert await store.due(9, 10) == ["waits", "private", "goes on"]
        assert await store.public(["playing", "over"], 0, 10) == [goes_on, done]
        assert await store.public(["playing", "over", "waiting"], 0, 2) == [goes_on, done]
        assert await store.public(["playing", "over", "waiting"], 9, 2) == [goes_on]
        assert await store.of_user("oskar", 10) == [goes_on, done, private]
        assert await store.of_user("oskar", 1) == [goes_on]
        assert await store.of_user("nobody", 10) == []
        assert await store.by_code("amber otter gate") == waits
        assert await store.by_code("amber otter goat") is None
        assert await store.table("away") == away
        assert await store.table("nowhere") is None

    with_store(scenario)


def test_a_table_row_comes_from_the_last_append(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        before = row("a", 1, "waiting", code="amber otter gate", users=((0, "ida"), (1, "oskar")))
        after = row("a", 2, users=((1, "ida"), (3, "emil")))
        await store.append([entry(1)], before)
        await store.append([entry(2)], after)
        assert await store.table("a") == after
        assert await store.by_code("amber otter gate") is None
        assert await store.of_user("oskar", 9) == []
        empty = row("a", 3, users=())
        await asyncio.gather(store.append([entry(3)], after), store.append([entry(4)], empty))
        assert await store.table("a") == empty

    with_store(scenario)


def test_the_due_time_is_not_set_after_newer_entries(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        await store.append([entry(1)], row("a", due=100))
        assert await store.set_due("a", 200, number=1)
        assert await store.table("a") == row("a", due=200)
        await store.append([entry(2)], row("a", due=50))
        assert not await store.set_due("a", 300, number=1)
        assert await store.table("a") == row("a", due=50)

    with_store(scenario)


def test_a_name_can_be_changed(with_store: With) -> None:
    async def scenario(store: Store) -> None:
        assert await store.user("ida") is None
        await store.name_user("ida", "Ida")
        await store.name_user("ida", "<b>İda</b> 🏰")
        assert await store.user("ida") == "<b>İda</b> 🏰"

    with_store(scenario)


# What fails.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kingdomino.db"


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)


def test_writing_continues_after_a_full_disk(file: Path) -> None:
    long = replace(entry(1), body="x" * 100_000)

    async def run() -> None:
        store = await Store.open(f"sqlite:///{file}")
        await store.append([entry(1)], row("before"))
        with full_disk(150_000):
            results = await asyncio.gather(
                *(store.append([long], row(f"lost {number}")) for number in range(4)),
                return_exceptions=True,
            )
            assert [type(result) for result in results] == [StorageError] * 4
        await store.append([long], row("after", 2))
        assert await store.due(2, 10) == ["before", "after"]
        await store.close()

    asyncio.run(run())


def test_a_file_that_stays_locked_is_reported(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingdomino.server.storage.database.LOCK_WAIT", 0.05)

    async def run() -> None:
        store = await Store.open(f"sqlite:///{file}")
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="locked"):
            await store.append([entry(1)], row("a"))
        with pytest.raises(StorageError, match="locked"):
            await store.name_user("ida", "Ida")
        assert await store.entries("a") == []
        other.close()
        await store.append([entry(1)], row("a"))
        await store.close()

    asyncio.run(run())


def test_acknowledged_entries_outlive_a_killed_process(file: Path) -> None:
    program = f"""
import asyncio
from kingdomino.server.storage import Entry, TableRow, Store

async def play(store, table):
    row = TableRow(table, "playing", False, 0, None, "", None, ())
    for number in range(1, 10**6):
        await store.append([Entry(number, number, 0, "claimed", "x")], row)
        print(table, number, flush=True)

async def main():
    store = await Store.open("sqlite:///{file}")
    await asyncio.gather(*(play(store, str(table)) for table in range(8)))

asyncio.run(main())
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    told = [process.stdout.readline() for _ in range(300)]
    process.kill()
    told += process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    process.wait()
    last = {table: int(number) for table, number in (line.split() for line in told if line.endswith("\n"))}
    assert sum(last.values()) >= 300

    async def run() -> None:
        store = await Store.open(f"sqlite:///{file}")
        for table, number in last.items():
            numbers = [stored.number for stored in await store.entries(table)]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) >= number
        await store.close()

    asyncio.run(run())


def test_a_new_file_is_its_owners_alone(file: Path) -> None:
    async def run() -> None:
        store = await Store.open(f"sqlite:///{file}")
        await store.append([entry(1)], row("a"))
        modes = [stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()]
        assert set(modes) == {0o600}
        await store.close()

    asyncio.run(run())


def test_an_older_file_and_its_log_become_their_owners_alone(file: Path) -> None:
    async def run() -> None:
        store = await Store.open(f"sqlite:///{file}")
        for path in file.parent.iterdir():  # as after a copy
            path.chmod(0o644)
        other = await Store.open(f"sqlite:///{file}")
        assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}
        await other.close()
        await store.close()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("games.db", "sqlite:///FILE or"),
        ("mysql://localhost/games", "mysql"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite:////dev/null/games.db", "/dev/null"),
        ("postgresql://nobody:hush@127.0.0.1:9/games", "127.0.0.1"),
    ],
)
def test_a_database_that_cannot_be_opened_is_refused_with_the_reason(url: str, said: str) -> None:
    with pytest.raises(StorageError, match=said) as refused:
        asyncio.run(Store.open(url))
    assert "hush" not in str(refused.value)


def test_a_folder_is_refused_and_unchanged(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir(mode=0o755)
    with pytest.raises(StorageError, match="games"):
        asyncio.run(Store.open(f"sqlite:///{folder}"))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_a_file_that_is_not_a_database_is_refused_and_unchanged(file: Path) -> None:
    file.write_bytes(b"a shopping list, and nothing else " * 40)
    with pytest.raises(StorageError, match="not a database"):
        asyncio.run(Store.open(f"sqlite:///{file}"))
    assert file.read_bytes().startswith(b"a shopping list")


def test_the_database_of_another_program_is_refused_and_unchanged(url: str) -> None:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    file = Path(engine.url.database or "")
    file.parent.mkdir(exist_ok=True)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE bookmarks (url text)")
    engine.dispose()
    before = file.read_bytes() if file.is_file() else None
    with pytest.raises(StorageError, match="a database of another program"):
        asyncio.run(Store.open(url))
    assert before is None or file.read_bytes() == before


def test_a_database_that_cannot_be_written_is_refused(
    url: str, with_store: With, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    async def nothing(_: Store) -> None: ...

    with_store(nothing)
    if url.startswith("sqlite"):
        with Path(url.removeprefix("sqlite:///")).open("r+b") as header:
            header.seek(18)
            header.write(b"\3")  # a future format, which SQLite only reads; permissions would not stop root
    else:
        cluster: PostgreSQL = request.getfixturevalue("cluster")
        name = url.rpartition("/")[2]
        cluster.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    assert main(["serve", "--database", url, "--port", "0"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert re.search(r"attempt to write a readonly database|in a read-only transaction", line)


def test_a_disk_that_is_full_at_the_start_is_reported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with full_disk(20_000):
        assert main(["serve", "--database", f"sqlite:///{file}", "--port", "0"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"kingdomino: sqlite:///{file}: ")
    assert re.search("disk", line)


@pytest.mark.services
async def test_a_database_that_refuses_us_is_not_waited_for(
    cluster: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("kingdomino.server.storage.store.asyncio.sleep", sleep)
    with pytest.raises(StorageError, match='database "nowhere" does not exist'):
        await Store.open(cluster.url_of("nowhere"), waits=True)
    assert len(waited) == 1  # the database might have been starting


@pytest.mark.services
async def test_a_database_that_is_away_is_waited_for(
    cluster: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def come_back(seconds: float) -> None:
        waited.append(seconds)
        cluster.start()

    cluster.stop()
    with pytest.raises(StorageError, match="refused"):
        await Store.open(cluster.url_of())
    monkeypatch.setattr("kingdomino.server.storage.store.asyncio.sleep", come_back)
    store = await Store.open(cluster.url_of(), waits=True)
    monkeypatch.undo()
    await store.close()
    assert len(waited) == 1


@pytest.mark.services
async def test_a_process_that_is_cut_off_holds_no_locks_for_long(shared_database: str) -> None:
    limits = "('tcp_user_timeout', 'tcp_keepalives_idle', 'idle_in_transaction_session_timeout')"
    query = f"SELECT setting::int FROM pg_settings WHERE name IN {limits}"
    url = f"{shared_database}?options=-c%20application_name%3Dmine"
    async with await AsyncConnection.connect(conninfo(url)) as connection:
        settings = await (await connection.execute(query.encode())).fetchall()
        name = await (await connection.execute("SHOW application_name")).fetchone()
    assert len(settings) == 3
    assert all(0 < setting <= 10_000 for (setting,) in settings)
    assert name == ("mine",)


@contextmanager
def slow_disk(cluster: PostgreSQL) -> Iterator[None]:
    """Make durable commits hang, as on a stuck disk: they wait for a standby that never confirms."""
    cluster.execute("ALTER SYSTEM SET synchronous_standby_names = 'nowhere'")
    cluster.execute("SELECT pg_reload_conf()")
    try:
        yield
    finally:
        cluster.execute("ALTER SYSTEM RESET synchronous_standby_names")
        cluster.execute("SELECT pg_reload_conf()")


@asynccontextmanager
async def committing(url: str, *statements: str) -> AsyncIterator[None]:
    """Run statements in a transaction whose commit waits for the disk. Retries until it waits."""
    async with await AsyncConnection.connect(conninfo(url), autocommit=True) as connection:
        pid, commit = connection.info.backend_pid, None
        while commit is None or commit.done():
            await connection.execute(
                "BEGIN; CREATE TEMPORARY TABLE IF NOT EXISTS written (); SELECT txid_current()"
            )
            for statement in statements:
                await connection.execute(statement.encode())
            commit = asyncio.create_task(connection.execute("COMMIT"))
            async with await AsyncConnection.connect(conninfo(url), autocommit=True) as other:
                waits = False
                while not (waits or commit.done()):
                    query = "SELECT wait_event = 'SyncRep' FROM pg_stat_activity WHERE pid = %s"
                    row = await (await other.execute(query, (pid,))).fetchone()
                    waits = row is not None and row[0] is True
        try:
            yield
        finally:
            await connection.cancel_safe()
            await commit


@pytest.mark.services
async def test_writes_do_not_wait_for_others_notices(cluster: PostgreSQL, shared_database: str) -> None:
    name = shared_database.rpartition("/")[2]
    cluster.execute(f"ALTER DATABASE {name} SET synchronous_commit = local")  # the store's disk is quick
    store = await Store.open(shared_database)
    try:
        with slow_disk(cluster):
            async with committing(shared_database, "SET LOCAL synchronous_commit = on", "NOTIFY others"):
                async with asyncio.timeout(TIMEOUT):
                    await store.append([entry(1)], row("a"), message="news")
        assert await store.entries("a") == [entry(1)]
    finally:
        await store.close()


@pytest.mark.services
async def test_a_notice_does_not_wait_for_the_disk(cluster: PostgreSQL, shared_database: str) -> None:
    store, jobs = await Store.open(shared_database), await Jobs.open(shared_database)
    try:
        with slow_disk(cluster):
            async with committing(shared_database):
                appending = asyncio.create_task(store.append([entry(1)], row("a"), message="news"))
                async with asyncio.timeout(TIMEOUT):
                    await store.tell(["other news"])
                    await jobs.ask(Choose(request="a", bot="greedy", seed=1, position="", share=("", "", "")))
                assert not appending.done()
        await appending
    finally:
        await jobs.close()
        await store.close()


@pytest.mark.services
async def test_unsent_news_is_retried_until_it_is_sent(
    shared_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    notify, failures = Sender._notify, 2  # noqa: SLF001

    async def fail_twice(sender: Sender, messages: list[str]) -> None:
        nonlocal failures
        if messages and failures:
            failures -= 1
            raise ConnectionError("cut off")
        await notify(sender, messages)

    monkeypatch.setattr("kingdomino.server.storage.news._RETRY", 0)
    monkeypatch.setattr(Sender, "_notify", fail_twice)
    store = await Store.open(shared_database)
    try:
        await store.listen(heard.put_nowait, lambda: None)
        with pytest.raises(StorageError, match="cut off"):
            await store.tell(["lost"])
        await store.append([entry(1)], row("a"), message="stored")
        async with asyncio.timeout(TIMEOUT):
            assert await heard.get() == "stored"
    finally:
        await store.close()
