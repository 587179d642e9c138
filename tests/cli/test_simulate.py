"""``kingdomino simulate``."""

import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.outcomes import ended, outcome_of

import kingdomino as kd
from kingdomino.cli.files import read_records
from kingdomino.cli.series import Tally, play_games

Run = Callable[..., Any]


def test_results_come_as_a_table(run: Run) -> None:
    result = run("simulate", "--games", 20, "--bots", "greedy,random", "--seed", 7)
    assert (result.status, result.err) == (0, "")
    assert "20 games" in result.out
    greedy = next(line for line in result.out.splitlines() if line.startswith("greedy"))
    played = play_games(["greedy", "random"], kd.Rules(), 7, 20)
    assert int(greedy.split()[1]) == sum(
        ended(one.game).winners == (one.entrants.index(0),) for one in played
    )
    assert max(map(len, result.out.splitlines())) <= 80


def test_the_command_to_repeat_it_repeats_it(run: Run) -> None:
    options = ["--edition", "first", "--harmony", "--middle-kingdom", "--opening", "snake"]
    first = run("simulate", "--games", 4, "--bots", "greedy,random:seed=3", *options).out
    again = first.splitlines()[-1].removeprefix("again: kingdomino ")
    second = run(*shlex.split(again)).out
    assert first.splitlines()[1:] == second.splitlines()[1:]


def test_equal_bots_get_different_names(run: Run) -> None:
    out = run("simulate", "--games", 2, "--bots", "greedy,greedy,random,random").out
    for name in ("greedy 1", "greedy 2", "random 1", "random 2"):
        assert name in out


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_bot_sits_everywhere_equally_often(players: int) -> None:
    bots = ["random"] * players
    sitting = Counter(
        (seat, entrant)
        for played in play_games(bots, kd.Rules(players), 7, 2 * players)
        for seat, entrant in enumerate(played.entrants)
    )
    assert sitting == {(seat, entrant): 2 for seat in range(players) for entrant in range(players)}


def test_seeds_follow_from_seed_game_and_seat() -> None:
    played = list(play_games(["random", "random"], kd.Rules(), 7, 4))
    assert [game.specs for game in played] == [
        tuple(f"random:seed={kd.derive_seed(7, 'bot', 2 * number + seat)}" for seat in range(2))
        for number in range(4)
    ]
    assert [one.game.seed for one in played] == [kd.derive_seed(7, "game", number) for number in range(4)]
    assert len({kd.derive_seed(7, "game", number) for number in range(1000)}) == 1000
    assert [one.game for one in play_games(["random", "random"], kd.Rules(), 7, 2)] == [
        one.game for one in played[:2]
    ]


def test_bots_are_closed_after_each_game_even_one_in_which_a_bot_fails() -> None:
    closed = list[int]()

    class Closable(kd.bots.Bot):
        spec = "closable"

        def choose(self, position: kd.Position) -> kd.Action:
            if len(closed) == 2:
                raise kd.EngineError("the engine crashed")
            return position.legal_actions()[0]

        def close(self) -> None:
            closed.append(1)

    kd.bots.register("closable", Closable)
    counts = [
        (len(closed), played.failure is None)
        for played in play_games(["closable", "greedy", "closable"], kd.Rules(3), 7, 2)
    ]
    assert counts == [(2, True), (4, False)]


def test_a_shared_victory_counts_for_each_by_its_share() -> None:
    tally = Tally()
    tally.add(outcome_of((40, 40, 30), (0, 1, 2), (0, 1), "shared"), 1)
    tally.add(outcome_of((40, 40, 50), (2, 0, 1), (2,), "score"), 1)
    tally.add(outcome_of((10, 20, 10), (1, 0, 2), (1,), "score"), 1)
    assert (tally.wins, tally.shared, tally.victories) == (1, 1, [0.5, 0, 1])
    assert (tally.scores, tally.margins) == ([40, 40, 20], [0, -10, 10])


def test_one_game_has_no_standard_error(run: Run) -> None:
    out = run("simulate", "--games", 1, "--bots", "greedy,random").out
    assert out.startswith("1 game in")
    assert "nan" not in out
    assert "±" not in out


def test_a_bot_that_fails_in_some_games_leaves_the_results_of_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls = iter(range(10**6))

    def choose(bot: kd.bots.PolicyBot, position: kd.Position) -> kd.Action:
        if bot.policy == "random" and next(calls) == 30:
            raise kd.EngineError("the engine crashed")
        return position.legal_actions()[0]

    monkeypatch.setattr(kd.bots.PolicyBot, "choose", choose)
    result = run("simulate", "--games", 4, "--bots", "greedy,mine=random", "--records", tmp_path)
    assert result.status == 1
    assert result.out.startswith("3 games in")
    assert result.err == "mine failed in 1 game: the engine crashed\n"
    unfinished = [record for file in sorted(tmp_path.iterdir()) for record in read_records(file)]
    assert [record.outcome() is None for record in unfinished] == [False, True, False, False]


def test_a_name_stands_for_a_long_spec(run: Run, tmp_path: Path) -> None:
    bots = "mine=king:playouts=2,seed=123456789,Ann=greedy"
    out = run("simulate", "--games", 2, "--bots", bots, "--records", tmp_path, "--seed", 7).out
    assert out.splitlines()[2].startswith("mine ")
    assert "again: kingdomino simulate --games 2 --bots mine=king:playouts=2,seed=123456789,Ann=greedy" in out
    first, second = (record for file in sorted(tmp_path.iterdir()) for record in read_records(file))
    assert (first.players, second.players) == (("mine", "Ann"), ("Ann", "mine"))
    assert first.tags == {"bot-0": "king:playouts=2,seed=123456789", "bot-1": "greedy"}


def test_records_are_written_and_replay(run: Run, refuses: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "games"
    run("simulate", "--games", 3, "--bots", "greedy,random", "--records", folder, "--seed", 7)
    files = sorted(folder.iterdir())
    assert len(files) == 3
    for number, file in enumerate(files):
        (record,) = read_records(file)
        assert record.outcome() == record.replay().outcome()
        bots = [kd.bots.make(record.tags[f"bot-{seat}"]) for seat in range(2)]
        for position, action in zip(record.positions(), record.actions(), strict=False):
            assert position.to_move is not None
            assert bots[position.to_move].choose(position) == action
        assert record.players == (("greedy", "random"), ("random", "greedy"))[number % 2]
    refuses("simulate", "--games", 3, "--bots", "greedy,random", "--records", folder, said=["File exists"])


def test_ctrl_c_prints_the_finished_games(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    decisions = iter(range(200))

    def choose(bot: kd.bots.PolicyBot, position: kd.Position) -> kd.Action:
        if bot.policy == "random" and next(decisions, None) is None:
            raise KeyboardInterrupt
        return position.legal_actions()[0]

    monkeypatch.setattr(kd.bots.PolicyBot, "choose", choose)
    result = run("simulate", "--games", 100, "--bots", "greedy,random", "--seed", 7)
    assert result.status == 130
    # A game of two has 4 claims, five rounds of 8 plies and one of 4: half of these 48 are random's.
    assert "8 games in" in result.out
    assert "again: kingdomino simulate --games 100" in result.out
    assert "Traceback" not in result.out + result.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bots", "greedy,gredy"], ["no bot 'gredy'", "did you mean 'greedy'?"]),
        (["--bots", "greedy"], ["1"]),
        (["--bots", "greedy," * 4 + "greedy"], ["5"]),
        (["--bots", ""], ["not a bot"]),
        (["--bots", "greedy,random,greedy", "--mighty-duel"], ["Mighty Duel"]),
        (["--bots", "greedy,random", "--games", "0"], ["--games"]),
        (["--bots", "greedy,random", "--seed", "-1"], ["--seed"]),
        ([], ["Missing option '--bots'"]),
    ],
)
def test_bad_options_are_refused_in_one_line(refuses: Run, arguments: list[str], said: list[str]) -> None:
    refuses("simulate", *arguments, said=said)


def test_a_long_spec_keeps_the_table_in_its_lines(run: Run) -> None:
    shown = run("simulate", "--bots", "random:seed=1234567890123456,greedy", "--games", 2, "--seed", 1).out
    assert len(shown.splitlines()) == 5  # the games, the head, two bots, the command to repeat it
    assert "random:seed=12345" in shown
