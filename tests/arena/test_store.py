"""The store: it never loses a written game, and names damage."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from support.plans import RUN, here, plan_of, without_clocks

import kingdomino as kd
from kingdomino.arena import store
from kingdomino.arena.plan import Plan
from kingdomino.arena.play import Game, Void
from kingdomino.arena.schedule import schedule

PlayInto = Callable[..., dict[int, Game]]

PLAN = plan_of("greedy", "random")


@pytest.fixture
def path(play_into: PlayInto, tmp_path: Path) -> Path:
    """Return a store with all six games of the plan: one line for the plan, one for the run, one per game."""
    play_into("games.jsonl", PLAN)
    return tmp_path / "games.jsonl"


def go_on(path: Path, plan: Plan = PLAN) -> None:
    with store.open_to_write(path, plan, RUN) as writer:
        for game in here(plan, schedule(plan)):
            if game.fixture.number not in writer.games:
                writer.append(game)


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond this size, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_run_can_be_resumed_after_a_full_disk(path: Path, tmp_path: Path) -> None:
    whole, again = path.read_bytes().splitlines(keepends=True), tmp_path / "again.jsonl"
    with (
        full_at(len(b"".join(whole[:5])) + 100),
        pytest.raises(kd.ArenaError, match=rf"{again}: .*; 3 games are safe, and you can resume the run"),
    ):
        go_on(again)
    assert len(store.read(again).games) == 3
    go_on(again)
    assert without_clocks(store.read(again).games.values()) == without_clocks(store.read(path).games.values())


def test_a_store_gives_back_plan_run_and_games(path: Path) -> None:
    stored = store.read(path)
    assert stored.plan == PLAN
    assert stored.runs == (RUN,)
    assert without_clocks(stored.games.values()) == without_clocks(here(PLAN, schedule(PLAN)))


@pytest.mark.parametrize("cut", [1, 2, 50, -1])
def test_a_cut_off_last_line_costs_one_game_and_stays(path: Path, cut: int) -> None:
    *whole, last = path.read_bytes().splitlines(keepends=True)
    torn = b"".join(whole) + last[:cut]
    path.write_bytes(torn)
    lost = cut != -1  # if only the end of the line is missing, the game is complete
    assert len(store.read(path).games) == 6 - lost
    go_on(path)
    assert path.read_bytes().startswith(torn)
    assert len(store.read(path).games) == 6
    assert store.read(path).runs == (RUN,) * (1 + lost)


def test_a_run_may_be_killed_while_it_mends_half_a_line(path: Path) -> None:
    torn = path.read_bytes()[:-40]
    path.write_bytes(torn)
    with store.open_to_write(path, PLAN, RUN):
        pass
    mended = path.read_bytes()
    for size in range(len(torn), len(mended) + 1):
        path.write_bytes(mended[:size])
        assert len(list(kd.games.read(path))) == len(store.read(path).games) == 5
        go_on(path)
        assert path.read_bytes().startswith(mended[:size])
        assert len(list(kd.games.read(path))) == len(store.read(path).games) == 6


def test_an_unnamed_cut_off_line_is_refused(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    for number in (3, 4):
        halves = [line[:-9] + b"\n" for line in lines[2:number]]
        path.write_bytes(b"".join([*lines[:2], *halves, *lines[number:]]))
        with pytest.raises(kd.ArenaError, match=f"{path}, line 3: damaged"):
            store.read(path)


def test_the_error_for_a_store_cut_in_its_first_line_suggests_a_fix(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(kd.ArenaError, match="line 1 is cut off and there are no games: delete the file"):
        store.read(path)


def test_an_empty_file_is_a_new_store(path: Path) -> None:
    path.write_bytes(b"")
    go_on(path)
    assert len(store.read(path).games) == 6


@pytest.mark.parametrize("line", [1, 2, 3, 8])
def test_a_damaged_line_is_named(path: Path, line: int) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b"a", b"b", 1)
    path.write_bytes(b"".join(lines))
    with pytest.raises(kd.ArenaError, match=f"{path}, line {line}: damaged"):
        store.read(path)


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ({"game": 0}, "game 0 appears twice"),
        ({"game": 6}, "the plan has no game 6"),
        ({"game": "six"}, "not"),
        ({"sixth": 6}, "neither a run nor a game"),
        ({"run": {"date": "today"}}, "missing"),
    ],
)
def test_an_impossible_line_is_named_with_the_reason(
    path: Path, mapping: dict[str, object], said: str
) -> None:
    path.write_bytes(path.read_bytes() + store.to_line(mapping))
    with pytest.raises(kd.ArenaError, match=f"{path}, line 9: .*{said}"):
        store.read(path)


def test_a_game_of_other_players_is_refused(path: Path) -> None:
    *lines, _ = path.read_bytes().splitlines(keepends=True)
    game = {"game": 5, "block": 2, "rotation": 1, "seats": ["greedy", "random"], "void": ""}
    path.write_bytes(b"".join(lines) + store.to_line(game))
    with pytest.raises(kd.ArenaError, match="line 8: game 5 of the plan has other players"):
        store.read(path)


def test_a_file_of_something_else_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("a line\nand another\n", encoding="utf-8")
    with pytest.raises(kd.ArenaError, match="line 1: damaged, or not the store of an arena"):
        store.read(path)
    path.write_bytes(store.to_line({"format": "kingdomino-arena 9", "plan": {}}))
    with pytest.raises(kd.ArenaError, match="line 1: format 'kingdomino-arena 9'; this program reads"):
        store.read(path)


def test_the_error_for_another_plan_names_the_differences(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(kd.ArenaError, match=r"differs in blocks \(3, not 4\), seed \(7, not 8\)"):
        go_on(path, replace(PLAN, blocks=4, seed=8))
    assert path.read_bytes() == before


def resume(path: Path, info: store.RunInfo) -> None:
    with store.open_to_write(path, PLAN, info) as writer:
        writer.append(Void(list(schedule(PLAN))[len(writer.games)], "it died"))


@pytest.mark.parametrize(
    ("begun", "now", "said"),
    [
        (
            RUN,
            replace(RUN, version="0.2.0"),
            r"started with kingdomino 0\.1\.0, and this is 0\.2\.0: ",
        ),
        (
            replace(RUN, commit="3f2c1a9b8d7e"),
            replace(RUN, commit="e8da037"),
            r"0\.1\.0 \(3f2c1a9b8d7e\), and this is 0\.1\.0 \(e8da037\)",
        ),
        (replace(RUN, commit="3f2c1a9b8d7e"), RUN, r"0\.1\.0 \(3f2c1a9b8d7e\), and this is 0\.1\.0:"),
    ],
    ids=["versions", "commits", "a commit and none"],
)
def test_games_of_two_builds_do_not_mix(
    tmp_path: Path, begun: store.RunInfo, now: store.RunInfo, said: str
) -> None:
    path = tmp_path / "new.jsonl"
    resume(path, begun)
    with pytest.raises(kd.ArenaError, match=said):
        resume(path, now)


def test_a_store_that_does_not_say_its_commit_may_be_resumed_with_any(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    run = {name: value for name, value in asdict(RUN).items() if name != "commit"}  # in the earlier format
    path.write_bytes(lines[0] + store.to_line({"run": run}) + lines[2])
    now = replace(RUN, commit="3f2c1a9b8d7e")
    resume(path, now)
    assert store.read(path).runs == (RUN, now)


def test_two_runs_cannot_write_to_one_store(path: Path) -> None:
    with store.open_to_write(path, PLAN, RUN):
        with pytest.raises(kd.ArenaError, match="another run is writing to it"):
            go_on(path)
        assert len(store.read(path).games) == 6
    go_on(path)


def test_a_store_with_a_long_plan_can_be_read(tmp_path: Path) -> None:
    path, plan = tmp_path / "games.jsonl", replace(PLAN, blocks=10**18)
    for wanted in (0, 1):
        with store.open_to_write(path, plan, RUN) as writer:
            fixture = next(one for one in schedule(plan) if one.number not in writer.games)
            assert fixture.number == wanted
            writer.append(Void(fixture, "it died"))
    assert len(store.read(path).games) == 2


def test_a_void_game_is_kept(path: Path) -> None:
    fixture = next(schedule(PLAN))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    with store.open_to_write(path, PLAN, RUN) as writer:
        writer.append(Void(fixture, "it died"))
    assert store.read(path).games == {0: Void(fixture, "it died")}
