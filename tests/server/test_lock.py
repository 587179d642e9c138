"""Only one server at a time can use an SQLite database, under any of its names."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kingdomino.server.storage.files import DatabaseLock, Locked


def lock(file: Path) -> DatabaseLock:
    return DatabaseLock(f"sqlite:///{file}")


def test_a_second_server_is_refused_and_the_error_locates_the_first_one(tmp_path: Path) -> None:
    with lock(tmp_path / "games.db") as first:
        first.write_address("http://127.0.0.1:8000/")
        with pytest.raises(
            Locked, match=r"games\.db is in use by another server at http://127\.0\.0\.1:8000/"
        ):
            lock(tmp_path / "games.db")
    with lock(tmp_path / "games.db"):
        pass


def by_a_symbolic_link(file: Path) -> Path:
    link = file.with_name("link.db")
    link.symlink_to(file)
    return link


def by_a_link_of_its_folder(file: Path) -> Path:
    folder = file.parent.with_name(f"{file.parent.name} link")
    folder.symlink_to(file.parent)
    return folder / file.name


def by_a_hard_link(file: Path) -> Path:
    link = file.with_name("link.db")
    link.hardlink_to(file)
    return link


def by_a_roundabout_path(file: Path) -> Path:
    return file.parent / ".." / file.parent.name / file.name


@pytest.mark.parametrize(
    "other", [by_a_symbolic_link, by_a_link_of_its_folder, by_a_hard_link, by_a_roundabout_path]
)
def test_another_name_of_the_file_is_refused_too(tmp_path: Path, other: Callable[[Path], Path]) -> None:
    if other is by_a_hard_link and sys.platform != "linux":
        pytest.skip("only Linux can lock a file that SQLite uses")
    folder = tmp_path / "games"
    folder.mkdir()
    file = folder / "games.db"
    with lock(file):
        name = other(file)
        with pytest.raises(Locked):
            lock(name)
        with pytest.raises(Locked):  # the first lock is still there
            lock(file)
    with lock(name), pytest.raises(Locked):
        lock(file)


def test_other_databases_are_not_locked() -> None:
    for url in ("sqlite://", "sqlite:///:memory:", "postgresql://localhost/games", "no url"):
        with DatabaseLock(url), DatabaseLock(url):
            pass
