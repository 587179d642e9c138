"""``kingdomino analyse``."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import kingdomino as kd

Run = Callable[..., Any]
Refuses = Callable[..., None]


def played(plies: int, rules: kd.Rules | None = None) -> kd.Game:
    """Let greedy play this many decisions of a game."""
    game, bot = kd.Game(rules, seed=7), kd.bots.make("greedy")
    for _ in range(plies):
        game.play(bot.choose(game.position))
    return game


START = played(0).position
START_TEXT = START.to_text()
LAST = played(44)
OVER = kd.Record.from_game(played(48), players=["Ida", "Oskar"])


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    """Write a text to a file."""

    def file(text: str) -> Path:
        path = tmp_path / "given.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return file


def test_every_action_of_a_position_is_listed_the_best_first(run: Run) -> None:
    result = run("analyse", START_TEXT, "--playouts", 100)
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[1] == "Yellow claims 9, 14, 29 or 37."
    assert lines[2].split() == ["action", "wins", "costs", "score", "margin", "playouts", "then"]
    found = kd.bots.King().analyse(START, kd.bots.Limit(playouts=100))
    assert [" ".join(line.split()[:2]) for line in lines[3:7]] == [str(one.action) for one in found.actions]
    assert f"{found.actions[0].win_rates[1]:.1%}" in lines[3]
    assert lines[7] == "100 playouts"
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in result.out


def test_a_position_a_file_stdin_and_a_record_are_the_same_position(
    run: Run, file: Callable[[str], Path]
) -> None:
    game = played(10)
    options = ("--playouts", 50, "--threads", 1)
    out = run("analyse", game.position.to_text(), *options).out
    assert run("analyse", file(f"\n{game.position.to_text()}\n"), *options).out == out
    assert run("analyse", "-", *options, typed=f"{game.position.to_text()}\n").out == out
    for text in (kd.Record.from_game(game).to_text(), kd.Record.from_game(game).to_json()):
        assert run("analyse", file(text), *options).out == out
        assert run("analyse", "-", *options, typed=text).out == out


def test_a_record_at_a_ply_marks_the_played_action(run: Run, file: Callable[[str], Path]) -> None:
    path = file(OVER.to_text())
    result = run("analyse", path, "--ply", 12, "--playouts", 50)
    names = dict(enumerate(["Ida", "Oskar"]))
    seat = OVER.positions()[12].to_move
    assert seat is not None
    assert f"{names[seat]} " in result.out
    assert f"{OVER.actions()[12]} (played)" in result.out
    assert "…" not in result.out.splitlines()[2]
    assert result.out.count("(played)") == 1


def test_an_ending_is_worked_out(run: Run) -> None:
    result = run("analyse", LAST.position.to_text(), "--playouts", 50)
    assert "worked out to the end" in result.out
    assert "50 playouts" not in result.out


def test_the_result_as_json_is_read_back(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    out = run("analyse", START_TEXT, "--playouts", 100, "--json", path).out
    assert "100 playouts" in out
    whole = json.loads(path.read_text())
    assert whole["position"] == START_TEXT
    found = kd.Analysis.from_json(json.dumps(whole["analysis"]))
    assert found == kd.bots.King().analyse(START, kd.bots.Limit(playouts=100))
    alone = run("analyse", START_TEXT, "--playouts", 100, "--json", "-")
    assert json.loads(alone.out) == whole
    assert alone.err == ""


@pytest.mark.parametrize("known", [0, 2])
def test_ctrl_c_prints_the_results_so_far(run: Run, monkeypatch: pytest.MonkeyPatch, known: int) -> None:
    def interrupted(*_: object) -> Iterator[kd.Analysis]:
        for playouts in range(1, known + 1):
            search = kd.Search(START)
            search.run(playouts=50 * playouts)
            yield search.analysis()
        raise KeyboardInterrupt

    monkeypatch.setattr(kd.bots.King, "analyses", interrupted)
    result = run("analyse", START_TEXT)
    assert result.status == 0
    said = result.out.splitlines()[-1]
    assert said == ("100 playouts, stopped" if known else "stopped before the first result")


def test_the_table_deepens_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()

    def terminal(**_: object) -> Console:
        return Console(file=screen, force_terminal=True, width=80, height=10, highlight=False)

    monkeypatch.setattr("kingdomino.cli.analyse.Console", terminal)
    position = played(6).position
    actions = len(set(map(position.equivalent, position.legal_actions())))
    assert actions > 10
    assert run("analyse", position.to_text(), "--playouts", 50).status == 0
    assert screen.getvalue().count("place ") > actions  # the best actions, and then all


def test_faults_name_their_cause(refuses: Refuses, file: Callable[[str], Path], tmp_path: Path) -> None:
    refuses("analyse", tmp_path / "none.txt", said=["none.txt", "No such file"])
    refuses(
        "analyse",
        file("hello"),
        said=["given.txt: neither a position ('kd1 …'), a kingdom ('w1C/…') nor a record"],
    )
    refuses("analyse", file(""), said=["neither a position"])
    refuses("analyse", "kd1 nonsense", said=["position: "])
    refuses("analyse", file("kd1 nonsense"), said=["given.txt: "])
    refuses("analyse", START_TEXT, "--ply", 3, said=["--ply is for records"])
    over = file(OVER.to_text())
    refuses("analyse", over, said=["this game is over; choose a decision with --ply (0 to 47)"])
    refuses("analyse", over, "--ply", 48, said=["the game is over, so there is nothing to choose"])
    refuses("analyse", over, "--ply", 49, said=["there is no decision 49, only 0 to 48"])
    refuses("analyse", OVER.positions()[-1].to_text(), said=["position: the game is over"])
    refuses("analyse", file(OVER.to_text()[:-20]), said=["given.txt: "])
    refuses("analyse", START_TEXT, "--time", 0, said=["a limit's time is a number of seconds above 0"])
    refuses("analyse", START_TEXT, "--playouts", 0, said=["a number of playouts is a whole number from 1"])
    (tmp_path / "picture").write_bytes(b"\xff\xfe")
    refuses("analyse", tmp_path / "picture", said=["picture: not a text file"])
    refuses(
        "analyse",
        START_TEXT,
        "--playouts",
        9,
        "--json",
        tmp_path / "no" / "x.json",
        said=["no: no such folder"],
    )


def test_a_record_without_its_deck_may_end_without_a_choice(
    refuses: Refuses, file: Callable[[str], Path]
) -> None:
    game = kd.Game(kd.Rules(opening="snake"), seed=7)
    while game.position.round < 2:
        game.play(game.legal_actions()[0])
    game.undo()
    game.play(game.legal_actions()[0])
    record = kd.Record.from_game(game, hidden=False)
    lines = record.to_text().splitlines()
    while not lines[-1].startswith("line"):
        lines.pop()
    refuses(
        "analyse",
        file("\n".join(lines[:-1])),
        said=["the next line is to be revealed, so there is no choice to make"],
    )
