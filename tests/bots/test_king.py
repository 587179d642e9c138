"""The strongest bot and its levels."""

import copy
import pickle
from threading import Event

import pytest

import kingdomino as kd
from kingdomino.bots import King, Limit


def game_after(plies: int, seed: int = 1) -> kd.Game:
    game = kd.Game(kd.Rules(), seed=seed)
    for _ in range(plies):
        game.play(kd.bots.choose(game.position, "tuned", 0))
    return game


@pytest.mark.parametrize(
    "spec",
    [
        "king",
        "king:time=0.25",
        "king:playouts=100",
        "king:time=1.0,playouts=9,threads=2,seed=4",
        "king:level=3",
    ],
)
def test_a_spec_makes_the_bot_that_it_names(spec: str) -> None:
    bot = kd.bots.make(spec)
    assert str(bot) == bot.spec == spec
    assert kd.bots.make(bot.spec) == bot


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("king:time=0", "time is a number of seconds above 0"),
        ("king:time=nan", "time is a number of seconds above 0"),
        ("king:playouts=0", "playouts are a whole number from 1"),
        ("king:threads=0", "threads are 1 to 1024"),
        ("king:level=9", "levels are 1 to 8"),
        ("king:level=2,time=1", "only level 8 takes a time"),
        ("king:seed=-1", "seed -1 is not between"),
    ],
)
def test_a_spec_that_cannot_be_is_refused(spec: str, said: str) -> None:
    with pytest.raises(kd.BotError, match=said):
        kd.bots.make(spec)


def test_other_searches_in_between_change_nothing() -> None:
    game = game_after(6)
    fresh, busy = King(playouts=300), King(playouts=300)
    busy.choose(game_after(11, seed=2).position)
    assert fresh.choose(game.position) == busy.choose(game.position)


def test_it_can_be_copied_and_sent_to_another_process() -> None:
    bot = King(playouts=50, seed=3)
    action = bot.choose(game_after(6).position)
    for other in (copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))):
        assert other == bot
        assert other.choose(game_after(6).position) == action


def test_a_limit_can_be_given_for_one_decision() -> None:
    position = game_after(6).position
    assert King().choose_within(position, Limit(playouts=200), Event()) == King(playouts=200).choose(position)
    stop = Event()
    stop.set()
    assert King().choose_within(position, Limit(time=1000), stop) in position.legal_actions()


def test_an_analysis_comes_again_and_again_while_it_thinks() -> None:
    position = game_after(6).position
    analyses = list(King().analyses(position, Limit(playouts=3000), every=0.001))
    playouts = [analysis.playouts for analysis in analyses]
    assert len(playouts) > 1
    assert playouts == sorted(playouts)
    assert playouts[-1] == 3000


def test_an_analysis_has_the_bots_own_limit() -> None:
    assert King(playouts=700).analyse(game_after(6).position).playouts == 700


def test_an_analysis_by_playouts_is_the_same_in_one_or_several_runs() -> None:
    position, limit = game_after(6).position, Limit(playouts=40_000)
    *_, last = King(threads=2).analyses(position, limit, every=0.01)
    assert last == King().analyse(position, limit)


def test_an_analysis_by_playouts_solves_an_ending() -> None:
    game = kd.Game(kd.Rules(mighty_duel=True), seed=1)
    while not King().analyse(game.position, Limit(playouts=1)).exact:
        game.play(kd.bots.choose(game.position, "tuned", 0))
    *_, last = King().analyses(game.position, Limit(playouts=3), every=1e-6)
    assert last.exact


def test_analyses_end_when_the_search_is_as_large_as_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def think(_: King, search: kd.Search, limit: Limit, stop: Event | None) -> None:
        search.run(time=limit.time, playouts=limit.playouts, nodes=200, stop=stop)

    monkeypatch.setattr(King, "_think", think)
    for limit in (Limit(time=1000.0), Limit(playouts=10**9)):
        *_, last = King().analyses(game_after(6).position, limit, every=500.0)
        assert 0 < last.playouts < 1000
