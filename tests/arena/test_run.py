"""Runs: the same games however the arena plays them, interrupted or not."""

import importlib.util
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest
from support.plans import here, plan_of, without_clocks

import kingdomino as kd
from kingdomino.arena import results, workers
from kingdomino.arena.plan import Plan, SequentialTest
from kingdomino.arena.play import Game, Void
from kingdomino.arena.run import StoppingRule
from kingdomino.arena.schedule import Fixture, schedule

PlayInto = Callable[..., dict[int, Game]]


def in_processes(jobs: int) -> Callable[[Plan, Iterable[Fixture]], Generator[Game, None, None]]:
    return partial(workers.play_local, jobs=jobs)


def backwards(plan: Plan, fixtures: Iterable[Fixture]) -> Generator[Game, None, None]:
    yield from here(plan, list(fixtures)[::-1])


def breaking_off(games: int) -> Callable[[Plan, Iterable[Fixture]], Generator[Game, None, None]]:
    def player(plan: Plan, fixtures: Iterable[Fixture]) -> Generator[Game, None, None]:
        for number, game in enumerate(here(plan, fixtures)):
            if number == games:
                raise KeyboardInterrupt
            yield game

    return player


def test_the_number_of_workers_changes_nothing(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", "random:seed=3", blocks=2)
    alone = play_into("alone.jsonl", plan)
    assert play_into("one.jsonl", plan, in_processes(1)) == alone
    assert play_into("two.jsonl", plan, in_processes(2)) == alone


def test_the_order_in_which_games_end_changes_no_figure(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random")
    forwards, other = play_into("a.jsonl", plan), play_into("b.jsonl", plan, backwards)
    assert list(forwards) != list(other)
    assert results.collect(plan, forwards.values()) == results.collect(plan, other.values())


@pytest.mark.parametrize("games", [0, 1, 5])
def test_a_resumed_run_equals_an_uninterrupted_one(play_into: PlayInto, games: int) -> None:
    plan = plan_of("greedy", "random", blocks=4)
    with pytest.raises(KeyboardInterrupt):
        play_into("games.jsonl", plan, breaking_off(games))
    asked: list[int] = []

    def rest(plan: Plan, fixtures: Iterable[Fixture]) -> Generator[Game, None, None]:
        for fixture in fixtures:
            asked.append(fixture.number)
            yield from here(plan, [fixture])

    whole = play_into("games.jsonl", plan, rest)
    assert asked == list(range(games, 8))
    assert whole == play_into("other.jsonl", plan)


def test_a_run_that_is_given_up_leaves_no_process_behind() -> None:
    plan = plan_of("greedy", "random", blocks=1000)
    games = workers.play_local(plan, schedule(plan), 2)
    next(games)
    assert len(active_children()) == 2
    games.close()
    assert not active_children()


def test_no_worker_outlives_a_run_that_is_killed() -> None:
    program = (
        "from support.plans import plan_of\n"
        "from kingdomino.arena import schedule, workers\n"
        'plan = plan_of("greedy", "orphaned", modules=("support.bad_bots_registered",))\n'
        "list(workers.play_local(plan, schedule.schedule(plan), 1))\n"
    )
    # The worker shares stdout, so this waits for its end, too.
    killed = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL


def test_a_worker_that_dies_costs_no_game(play_into: PlayInto, tmp_path: Path) -> None:
    marker = tmp_path / "died"
    plan = plan_of("greedy", f"deadly:unless={marker}", modules=("support.bad_bots_registered",), blocks=1)
    games = play_into("games.jsonl", plan, in_processes(2))
    assert marker.exists()
    assert len(games) == 2
    assert not [game for game in games.values() if isinstance(game, Void)]


def test_a_game_whose_worker_dies_twice_is_void_and_the_run_goes_on(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", "deadly", modules=("support.bad_bots_registered",), blocks=2)
    games = play_into("games.jsonl", plan, in_processes(2))
    voids = {number for number, game in games.items() if isinstance(game, Void)}
    assert voids == {2, 3, 4, 5, 8, 9, 10, 11}
    assert all("SIGKILL" in game.reason for game in games.values() if isinstance(game, Void))
    counted = results.collect(plan, games.values())
    assert counted.is_complete
    assert [len(blocks) for blocks in counted.blocks.values()] == [2, 0, 0]


def test_a_game_that_does_not_end_is_void_and_the_run_goes_on(
    play_into: PlayInto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_SPARE", 0.1)
    plan = plan_of("greedy", "endless", modules=("support.bad_bots_registered",), blocks=1)
    games = play_into("games.jsonl", plan, in_processes(2))
    said = "the process that played it ended, 2 times: it was stopped after 0 s"
    assert [game.reason for game in games.values() if isinstance(game, Void)] == [said, said]
    assert results.collect(plan, games.values()).is_complete
    assert not active_children()


@pytest.mark.parametrize(
    ("bot", "seconds"),
    [
        ("greedy", 3600),
        ("king:time=30", 3600 + 96 * 30),
        ("engine:command=x --time=9,time=2.5", 3600 + 96 * 2.5),
        ("king:time=inf", 3600),
        ("king:time=soon", 3600),
        ("no bot", 3600),
    ],
)
def test_a_game_may_take_an_hour_longer_than_its_bots_may_think(bot: str, seconds: float) -> None:
    assert workers.time_limit(next(schedule(plan_of("random", bot)))) == seconds


def test_a_bot_that_raises_does_not_stop_a_run(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "raising", modules=("support.bad_bots_registered",), blocks=2)
    games = play_into("games.jsonl", plan, in_processes(1))
    counted = results.collect(plan, games.values())
    assert len(counted.forfeits) == 4
    assert [block.games[0].shares for blocks in counted.blocks.values() for block in blocks] == [(1, 0)] * 2


def test_a_fault_of_the_arena_itself_is_not_hidden() -> None:
    plan = plan_of("greedy", "random", modules=("no_such_module",))
    with pytest.raises(kd.ArenaError, match="no_such_module"):
        next(workers.play_local(plan, schedule(plan), 1))


DECIDED = SequentialTest("win_rate", 0.5, 0.7)


def test_the_sequential_test_ends_a_run(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", blocks=200, test=DECIDED)
    counted = results.collect(plan, play_into("games.jsonl", plan).values())
    assert counted.test is not None
    assert counted.test.decision == "accept"
    assert counted.deals == counted.test.blocks < 50
    assert counted.is_complete


def test_the_sequential_test_looks_at_deals_in_their_order(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", blocks=30, test=DECIDED)
    rule, games = StoppingRule(plan, ()), play_into("games.jsonl", plan)
    last = max(games)
    for number in range(last, 0, -1):
        rule.add(games[number])
        assert not rule.is_decided  # the first deal is still open
    rule.add(games[0])
    assert rule.is_decided


def test_games_after_the_decision_do_not_count(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", blocks=40, test=DECIDED)
    decided = results.collect(plan, play_into("games.jsonl", plan).values())
    every = here(plan, schedule(plan))
    late = results.collect(plan, without_clocks(every).values())
    assert late == decided


def test_a_decided_run_plays_nothing_more(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", blocks=200, test=DECIDED)

    def unused(plan: Plan, fixtures: Iterable[Fixture]) -> Generator[Game, None, None]:
        raise AssertionError(plan, fixtures)
        yield

    before = play_into("games.jsonl", plan)
    assert play_into("games.jsonl", plan, unused) == before


def test_deals_with_a_void_game_are_passed_over_by_the_test() -> None:
    plan = plan_of("greedy", "random", blocks=40, test=DECIDED)
    games = {game.fixture.number: game for game in here(plan, schedule(plan))}
    games[0] = Void(games[0].fixture, "it died")
    counted = results.collect(plan, games.values())
    assert counted.test is not None
    assert counted.test.decision == "accept"
    assert counted.deals == counted.test.blocks + 1


def test_an_unfinished_deal_does_not_count(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", self_play=True)
    games = play_into("games.jsonl", plan)
    del games[5]
    counted = results.collect(plan, games.values())
    assert (counted.deals, counted.games, counted.is_complete) == (2, 8, False)


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_the_extra_is_named() -> None:
    plan = plan_of("greedy", "random")
    with pytest.raises(kd.ArenaError, match=r"pip install 'kingdomino\[ray\]'"):
        next(workers.play_on_ray(plan, schedule(plan), 1))


@pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="needs Ray: pip install 'kingdomino[ray]' (80 MB)"
)
@pytest.mark.filterwarnings("default")  # Ray's own
def test_on_ray_the_games_are_the_same(play_into: PlayInto) -> None:
    plan = plan_of("greedy", "random", blocks=2)
    assert play_into("ray.jsonl", plan, partial(workers.play_on_ray, jobs=2)) == play_into("here.jsonl", plan)
