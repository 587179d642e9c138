"""The search: results, stopping, and reproducibility."""

from pathlib import Path
from subprocess import run
from sys import executable
from threading import Event, Thread

import pytest
from support.outcomes import ended, totals

import kingdomino as kd

GAME = Path(__file__).parents[1] / "docs" / "pictures" / "game.txt"

ENDED = kd.Game(kd.Rules(), seed=1)
while not ENDED.is_over:
    ENDED.play(ENDED.legal_actions()[0])


def position_after(plies: int, rules: kd.Rules | None = None, seed: int = 1) -> kd.Position:
    game = kd.Game(rules or kd.Rules(), seed=seed)
    for _ in range(plies):
        game.play(kd.bots.choose(game.position, "tuned", 0))
    return game.position


def ending(seed: int = 1) -> kd.Position:
    """Return a position with the last line on the table and a claim to make."""
    game = kd.Game(kd.Rules(), seed=seed)
    while (game.position.unseen and len(game.position.unseen) > 24) or not game.position.next_line:
        game.play(kd.bots.choose(game.position, "tuned", 0))
    return game.position


def test_the_answer_is_the_same_on_any_number_of_threads() -> None:
    position = position_after(9)
    analyses = []
    for threads in (1, 2, 5):
        search = kd.Search(position, seed=3)
        assert search.run(playouts=40_000, threads=threads) is kd.Stop.LIMIT
        analyses.append(search.analysis())
    assert analyses[0] == analyses[1] == analyses[2]
    assert analyses[0].playouts == 40_000


def test_the_answer_follows_from_the_seed() -> None:
    def answer(seed: int) -> kd.Analysis:
        search = kd.Search(position_after(9), seed)
        search.run(playouts=2000)
        return search.analysis()

    assert answer(1) == answer(1)
    assert answer(1) != answer(2)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_hidden_deck_has_no_part_in_the_answer(players: int) -> None:
    """Search the same position in games whose decks continue differently."""
    rules = kd.Rules(players=players)
    game = kd.Game(rules, seed=5)
    for _ in range(7):
        game.play(kd.bots.choose(game.position, "tuned", 0))
    answers = set()
    for seed in range(4):
        other = kd.Game.from_position(game.position, seed)
        search = kd.Search(other.position, seed=9)
        search.run(playouts=3000)
        answers.add(search.analysis())
    assert len(answers) == 1


@pytest.mark.parametrize(
    "rules",
    [
        kd.Rules(),
        kd.Rules(players=3, harmony=True),
        kd.Rules(players=4, middle_kingdom=True),
        kd.Rules(mighty_duel=True),
    ],
    ids=str,
)
@pytest.mark.parametrize("plies", [0, 1, 14, 15])
def test_an_analysis_has_every_legal_action_that_differs_once(rules: kd.Rules, plies: int) -> None:
    position = position_after(plies, rules)
    search = kd.Search(position)
    search.run(playouts=4000)
    analysis = search.analysis()
    distinct = set(map(position.equivalent, position.legal_actions()))
    assert sorted(each.action for each in analysis.actions) == sorted(distinct)
    assert sum(each.playouts for each in analysis.actions) == analysis.playouts == search.playouts
    assert analysis.actions[0].action == search.best()
    for each in analysis.actions:
        assert each.line[0] == each.action
        if each.playouts:
            assert sum(each.win_rates) == pytest.approx(1)
            assert len(each.mean_scores) == len(each.mean_margin) == rules.players


def test_compared_actions_get_equal_playouts() -> None:
    position = position_after(9)
    actions = position.legal_actions()
    search = kd.Search(position, actions=[actions[-1], str(actions[0]), actions[0]])
    search.run(playouts=1000)
    found = search.analysis()
    assert {one.action for one in found.actions} == {actions[0], actions[-1]}
    assert [one.playouts for one in found.actions] == [500, 500]
    seat = position.to_move
    assert seat is not None
    best, other = found.actions
    assert best.mean_margin[seat] >= other.mean_margin[seat]


def test_equivalent_actions_have_the_same_values() -> None:
    position = kd.Position.parse(
        "kd1 2.second.random 1 place:0 5@0,12@1,23@0,44@1 3,6,7,8 1-2,4,9-11,13-22,24-43,45-48 C;C"
    )
    found = []
    for action in ("place 1,0>2,0", "place 0,1>0,2"):
        search = kd.Search(position, actions=[action, "place 0,1>1,1"])
        search.run(playouts=400)
        found += [one for one in search.analysis().actions if str(one.action) == action]
    one, other = found
    assert one[1:-1] == other[1:-1]
    assert one.line != other.line


def test_only_legal_actions_are_compared() -> None:
    position = position_after(9)
    with pytest.raises(kd.IllegalActionError):
        kd.Search(position, actions=["claim 48", position.legal_actions()[0]])
    with pytest.raises(kd.KingdominoError, match="no actions to compare"):
        kd.Search(position, actions=[])


def test_the_line_of_play_can_be_played() -> None:
    position = position_after(14)
    search = kd.Search(position)
    search.run(playouts=20_000)
    game = kd.Game.from_position(position, seed=1)
    line = search.analysis().actions[0].line
    assert len(line) > 1
    for action in line:
        game.play(action)


def solved(position: kd.Position) -> kd.Analysis:
    search = kd.Search(position)
    assert search.run() is kd.Stop.SOLVED  # without any limit
    return search.analysis()


def test_the_actions_of_an_ending_are_listed_by_their_results() -> None:
    record = kd.Record.parse(GAME.read_text(encoding="utf-8"))
    for ply in range(36, 48):
        position = record.positions()[ply]
        seat = position.to_move
        assert seat is not None
        worth = [(one.win_rates[seat], one.mean_margin[seat]) for one in solved(position).actions]
        assert worth == sorted(worth, reverse=True)


def test_an_ending_is_solved_and_play_gives_that_result() -> None:
    position = ending()
    analysis = solved(position)
    assert analysis.exact
    assert analysis.playouts == 0
    game = kd.Game.from_position(position, seed=1)
    while not game.is_over:
        game.play(solved(game.position).actions[0].action)
    assert totals(ended(game)) == analysis.actions[0].mean_scores


def test_the_tree_is_kept_for_the_next_decision() -> None:
    position = position_after(6)
    assert position.phase == "place"
    search = kd.Search(position)
    search.run(playouts=5000)
    best = search.best()
    search.advance(best)
    assert search.position.phase == "claim"
    assert search.best().kind == "claim"  # without another run
    assert search.playouts == 0
    search.run(playouts=100)
    assert search.playouts == 100


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    search = kd.Search(position_after(6))
    search.run(playouts=500)
    with pytest.raises(kd.IllegalActionError):
        search.advance("claim 1")
    assert search.playouts == 500


def test_an_event_stops_a_search() -> None:
    stop = Event()
    stop.set()
    search = kd.Search(position_after(3))
    assert search.run(stop=stop) is kd.Stop.STOPPED  # without any limit
    assert search.best() in position_after(3).legal_actions()


def test_a_search_without_time_still_has_an_answer() -> None:
    for position in position_after(3), ending():
        search = kd.Search(position)
        assert search.run(time=0) in {kd.Stop.LIMIT, kd.Stop.SOLVED}
        assert search.best() in position.legal_actions()


def test_a_search_releases_the_interpreter() -> None:
    stop = Event()
    search = kd.Search(position_after(3))
    finished: list[kd.Stop] = []
    thinking = Thread(target=lambda: finished.append(search.run(stop=stop)))
    thinking.start()
    try:
        while True:
            try:
                search.best()
            except kd.KingdominoError as error:
                if "another thread" in str(error):
                    break
    finally:
        stop.set()
        thinking.join()
    assert finished == [kd.Stop.STOPPED]


def test_a_started_search_runs_on_its_own_to_the_result_of_a_run() -> None:
    search, other = (kd.Search(position_after(9), seed=1) for _ in range(2))
    running = search.start(playouts=2000)
    assert running.wait() is kd.Stop.LIMIT
    assert running.wait(timeout=0) is kd.Stop.LIMIT  # it keeps the answer
    other.run(playouts=2000)
    assert search.analysis() == other.analysis()


def test_a_started_search_says_why_it_ended_as_a_run_does() -> None:
    assert kd.Search(ending()).start().wait() is kd.Stop.SOLVED
    assert kd.Search(position_after(3)).start(nodes=2000).wait() is kd.Stop.FULL


def test_a_started_search_goes_on_until_it_is_stopped() -> None:
    search = kd.Search(position_after(3))
    running = search.start()
    assert running.wait(timeout=0) is None
    running.stop()
    assert running.wait() is kd.Stop.STOPPED
    running.stop()  # again: nothing happens
    assert search.best() in position_after(3).legal_actions()


def test_a_started_search_cannot_be_used_until_it_has_ended() -> None:
    position = position_after(3)
    search = kd.Search(position)
    with search.start():
        for use in (
            search.start,
            search.run,
            search.best,
            search.analysis,
            lambda: search.advance(position.legal_actions()[0]),
            lambda: search.playouts,
        ):
            with pytest.raises(kd.KingdominoError, match="running in another thread"):
                use()
    assert search.start(playouts=10).wait() is kd.Stop.LIMIT


def test_a_with_statement_stops_its_search() -> None:
    search = kd.Search(position_after(3))
    with pytest.raises(KeyError), search.start() as running:
        raise KeyError
    assert running.wait(timeout=0) is kd.Stop.STOPPED
    assert search.playouts > 0


def test_ctrl_c_ends_the_wait_for_a_search_and_not_the_search() -> None:
    """Run it in its own process, whose main thread gets the signal."""
    code = """
import signal, threading, kingdomino as kd
signal.signal(signal.SIGINT, signal.default_int_handler)
with kd.Search(kd.Game(seed=1).position).start() as running:
    threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()
    try:
        running.wait()
    except KeyboardInterrupt:
        print(running.wait(timeout=0))
print(running.wait())
"""
    done = run([executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["None", "stopped"]


def test_the_tree_grows_no_larger_than_it_may() -> None:
    search = kd.Search(position_after(3))
    assert search.run(nodes=2000) is kd.Stop.FULL
    assert search.playouts < 10_000


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"time": -1.0}, "not a time"),
        ({"time": float("nan")}, "not a time"),
        ({"playouts": 0}, "not a number of playouts"),
        ({"nodes": 0}, "not a number of nodes"),
        ({"threads": 0}, "not a number of threads"),
    ],
)
def test_an_impossible_limit_is_refused(given: dict[str, float], said: str) -> None:
    search = kd.Search(position_after(3))
    for call in search.run, search.start:
        with pytest.raises(kd.KingdominoError, match=said):
            call(**given)  # type: ignore[arg-type]


def test_a_finished_game_cannot_be_searched() -> None:
    with pytest.raises(kd.KingdominoError, match="no seat is to move"):
        kd.Search(ENDED.position)


def test_a_search_that_moved_on_to_chance_or_to_the_end_cannot_run() -> None:
    last = kd.Game(kd.Rules(), seed=1)
    for action in ENDED.history[:-1]:
        last.play(action)
    for position, phase in (position_after(0), "chance"), (last.position, "over"):
        search = kd.Search(position)
        search.run(playouts=100)
        search.advance(search.best())
        assert search.position.phase == phase
        for use in (search.run, search.start, search.best):
            with pytest.raises(kd.KingdominoError, match="no seat is to move"):
                use()
        assert search.analysis().actions == ()


def test_a_search_has_no_best_action_before_it_runs() -> None:
    with pytest.raises(kd.KingdominoError, match="the search has not run yet"):
        kd.Search(position_after(3)).best()


def test_only_the_tuned_policy_can_have_noise() -> None:
    position = position_after(3)
    assert kd.bots.choose(position, "tuned", 1, noise=5.0) in position.legal_actions()
    assert kd.bots.choose(position, "tuned", 1, noise=0.0) == kd.bots.choose(position, "tuned", 2)
    with pytest.raises(kd.KingdominoError, match="only the policy"):
        kd.bots.choose(position, "greedy", 1, noise=5.0)
    with pytest.raises(kd.KingdominoError, match="not a noise"):
        kd.bots.choose(position, "tuned", 1, noise=-5.0)
