"""``kingdomino play`` in a terminal, run from a shell; test_serve has the browser."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

import pytest

import kingdomino as kd
from kingdomino.cli.files import read_records
from kingdomino.cli.terminal import seats

Run = Callable[..., Any]


@pytest.fixture
def unfinished(run: Run, tmp_path: Path) -> Path:
    """Write the record of a game that two people left after the opening."""
    file = tmp_path / "game.txt"
    line = kd.Game(seed=7).position.line
    claims = "".join(f"{slot.domino.number}\n" for slot in line)
    run("play", "--seed", 7, "--record", file, "--seat", "me", "--seat", "me", typed=claims)
    return file


def test_by_default_you_play_against_greedy(run: Run) -> None:
    result = run("play", "--terminal", "--seed", 7)
    assert (result.status, result.err) == (0, "")
    assert "You and greedy: 2 players, second edition, seed 7" in result.out
    assert "You > " in result.out


def test_without_a_seed_every_game_is_another(run: Run) -> None:
    first, second = (run("play", "--terminal").out.splitlines()[0] for _ in range(2))
    assert ", seed " in first
    assert first != second


def test_rules_and_seats_are_options(run: Run) -> None:
    result = run(
        "play", "--players", 3, "--seat", "greedy", "--seat", "me:Ida", "--edition", "first", "--harmony"
    )
    assert "greedy 1, Ida and greedy 2: 3 players, first edition, Harmony" in result.out
    duel = run("play", "--mighty-duel", "--middle-kingdom", "--opening", "snake", "--dynasty", "best")
    assert "2 players, second edition, Mighty Duel, Middle Kingdom, snake opening" in duel.out.replace(
        "\n", ""
    )
    assert "Game 1 of 3" in duel.out


def test_a_record_is_written_and_gone_on_with(run: Run, unfinished: Path) -> None:
    assert len(read_records(unfinished)[0].actions()) == 4
    result = run("play", "--resume", unfinished, "--record", unfinished, typed="1\n")
    assert result.status == 0
    assert f"kingdomino play --resume {unfinished}" in result.out.replace("\n", "")
    assert len(read_records(unfinished)[0].actions()) == 5


@pytest.mark.parametrize("typed", ["quit\n", "9\nsave other.txt\nquit\n", "9\nsave record.txt\nquit\n"])
def test_the_record_is_written_even_after_saving(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.chdir(tmp_path)
    two = ("--seat", "me", "--seat", "me")
    assert run("play", "--seed", 7, *two, "--record", "record.txt", typed=typed).status == 0
    assert len(read_records(Path("record.txt"))[0].actions()) == typed.count("9")
    assert run("play", "--resume", "record.txt", "--record", "copy.txt", typed="quit\n").status == 0
    assert Path("copy.txt").read_text() == Path("record.txt").read_text()


def test_other_seats_can_take_over(run: Run, unfinished: Path) -> None:
    result = run("play", "--resume", unfinished, "--seat", "greedy", "--seat", "random")
    assert "greedy and random" in result.out
    assert "The end" in result.out


def test_a_finished_game_is_not_gone_on_with(run: Run, refuses: Run, unfinished: Path) -> None:
    run("play", "--resume", unfinished, "--seat", "greedy", "--seat", "random", "--record", unfinished)
    assert read_records(unfinished)[0].outcome()
    refuses("play", "--resume", unfinished, said=["this game is over", f"kingdomino show {unfinished}"])


def test_a_json_record_is_gone_on_with(run: Run, unfinished: Path) -> None:
    (record,) = read_records(unfinished)
    unfinished.write_text(record.to_json())
    assert "Player 2 > " in run("play", "--resume", unfinished).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "gredy"], ["no bot 'gredy'", "did you mean 'greedy'?"]),
        (["--seat", "random:seed=x"], ["'seed' must be a whole number"]),
        (["--seat", "me:" + "x" * 21], ["not a name for a player"]),
        (["--seat", "me"] * 1 + ["--players", "5"], ["5"]),
        (["--seat", "me"] * 5, ["5"]),
        (["--seat", "me"] * 3 + ["--players", "2"], ["3 seats for 2 players"]),
        (["--players", "1"], ["1"]),
        (["--players", "two"], ["--players", "kingdomino play --help"]),
        (["--players", "3", "--mighty-duel"], ["Mighty Duel"]),
        (["--players", "3", "--opening", "snake"], ["snake"]),
        (["--edition", "third"], ["--edition", "first", "second"]),
        (["--dynasty", "worst"], ["--dynasty", "total", "best"]),
        (["--seed", "-1"], ["--seed", "-1 is not a number from 0"]),
        (["--seed", "18446744073709551616"], ["--seed", "is not a number from 0"]),
        (["--sead", "1"], ["--sead", "--seed"]),
        (["extra"], ["extra"]),
        (["--resume", "nowhere.txt"], ["nowhere.txt: No such file or directory"]),
        (["--resume", "."], ["Is a directory"]),
    ],
)
def test_bad_options_are_refused_in_one_line(refuses: Run, arguments: list[str], said: list[str]) -> None:
    refuses("play", *arguments, said=said)


def test_a_record_that_exists_is_not_overwritten(refuses: Run, unfinished: Path) -> None:
    before = unfinished.read_text()
    refuses("play", "--record", unfinished, said=["already exists"])
    assert unfinished.read_text() == before


def test_a_record_that_cannot_be_written_is_refused_before_the_game(refuses: Run, tmp_path: Path) -> None:
    refuses("play", "--record", tmp_path / "no" / "game.txt", said=["its folder does not exist"])


def test_tags_and_comments_stay_in_a_record(run: Run, unfinished: Path) -> None:
    (record,) = read_records(unfinished)
    tags, comments = {"event": "Sunday"}, {0: "hello", 2: "a fine claim"}
    written = kd.Record.from_game(record.replay(), record.players, tags, comments)
    unfinished.write_text(written.to_text())
    run("play", "--resume", unfinished, "--record", unfinished, typed="1\n")
    (record,) = read_records(unfinished)
    assert (record.tags, record.comments, len(record.actions())) == (tags, comments, 5)


@pytest.mark.parametrize(
    "option", [["--players", "3"], ["--harmony"], ["--seed", "1"], ["--dynasty", "total"]]
)
def test_a_resumed_game_keeps_its_rules(refuses: Run, unfinished: Path, option: list[str]) -> None:
    refuses("play", "--resume", unfinished, *option, said=[option[0], "--resume"])


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe\x00", b"kingdomino-record 1\n"])
def test_a_file_that_is_no_record_is_refused(refuses: Run, unfinished: Path, content: bytes) -> None:
    unfinished.write_bytes(content)
    refuses("play", "--resume", unfinished, said=[str(unfinished)])


def test_a_dynasty_with_a_wrong_seed_is_refused(run: Run, refuses: Run, tmp_path: Path) -> None:
    file = tmp_path / "dynasty.txt"
    first = kd.Match(seed=7).game.position.line[0].domino.number
    seats = ["--seat", "me", "--seat", "me"]
    run("play", "--dynasty", "total", "--seed", 7, *seats, "--record", file, typed=f"{first}\n")
    assert run("play", "--resume", file).status == 0
    text = file.read_text()
    for wrong in ("8", "x", "-1", "9" * 30):
        file.write_text(text.replace("match-seed 7", f"match-seed {wrong}"))
        refuses("play", "--resume", file, said=[str(file), "seed"])
    file.write_text(text.replace("dynasty total", "dynasty worst"))
    refuses("play", "--resume", file, said=['"worst"'])
    file.write_text(text * 2)
    refuses("play", "--resume", file, said=["game 2 cannot follow game 1"])


def test_a_player_in_a_record_who_is_not_a_bot_is_a_person() -> None:
    game = kd.Game(seed=7)
    record = kd.Record.from_game(game, players=["greedy", "random:seed=3"], tags={"bot-1": "random:seed=3"})
    assert seats.from_record(record) == (
        seats.Seat("greedy"),
        seats.Seat("random:seed=3", kd.bots.PolicyBot("random", 3)),
    )
    assert seats.from_record(kd.Record.from_game(game)) == seats.from_specs(["me"], 2)


def test_a_bots_name_survives_in_the_record(run: Run, refuses: Run, tmp_path: Path) -> None:
    file, own = tmp_path / "game.txt", ["--seat", "me:Ida", "--seat", "mine=random:seed=3"]
    run("play", "--seed", 7, *own, "--record", file, typed="1\n1\nquit\n")
    record = kd.Record.parse(file.read_text())
    assert (record.players, record.tags) == (("Ida", "mine"), {"bot-1": "random:seed=3"})
    named = seats.Seat("mine", kd.bots.PolicyBot("random", 3), named=True)
    assert seats.from_record(record)[1] == named
    assert "mine" in run("play", "--resume", file, typed="1\nquit\n").out
    assert kd.Record.parse(file.read_text()).tags == {"bot-1": "random:seed=3"}
    refuses("play", "--seat", "me", "--seat", "greedy,random", said=["names 2 bots"])
    refuses("play", "--seat", f"{'x' * 21}=greedy", said=["not a name for a bot"])


@pytest.mark.parametrize("name", ["mine", "engine:command=touch started"])
def test_a_record_starts_no_program(name: str) -> None:
    tags = {"bot-1": "engine:command=touch started"}
    record = kd.Record.from_game(kd.Game(seed=7), players=["Ida", name], tags=tags)
    with pytest.raises(kd.KingdominoError, match="a record cannot start an engine; use --seat"):
        seats.from_record(record)


def test_output_that_is_no_terminal_is_plain(run: Run) -> None:
    assert "\x1b" not in run("play", "--seed", 7, typed="?\nunseen\nmap\nscore\n").out


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_shows_colours_unless_no_color_is_set(
    tmp_path: Path, no_color: str, coloured: bool
) -> None:
    shown, status = _at_a_terminal("\x04", tmp_path, NO_COLOR=no_color)
    assert status == 0
    assert ("48;5;" in shown) is coloured


def test_ctrl_c_leaves_a_terminal_cleanly_and_offers_the_record(tmp_path: Path) -> None:
    number = kd.Game(seed=7).position.line[0].domino.number
    shown, status = _at_a_terminal(f"{number}\n\x03y\n", tmp_path)
    assert status == 130
    assert "Save this game in kingdomino-1.txt?" in shown
    assert "Traceback" not in shown
    assert read_records(tmp_path / "kingdomino-1.txt")[0].actions()[0] == kd.Action.claim(number)


def _at_a_terminal(typed: str, folder: Path, **environment: str) -> tuple[str, int]:
    """Return the text on a terminal while two people take turns typing this, and the exit status."""
    # The child takes the terminal as its own, so that Ctrl-C typed there is a signal. A shell's background
    # processes ignore that signal, and so do their children.
    command = """
import fcntl, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
from kingdomino.cli import main
sys.exit(main(["play", "--seat", "me", "--seat", "me", "--seed", "7"]))
"""
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", command],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        cwd=folder,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"} | environment,
    )
    os.close(terminal)
    shown, left, deadline = "", typed, monotonic() + 120
    with os.fdopen(keyboard, "rb+", buffering=0) as screen:
        while monotonic() < deadline:
            # A signal after the prompt, but before readline waits for a key, would be lost.
            if select([screen], [], [], 0.3)[0]:
                try:
                    shown += screen.read(65536).decode(errors="replace")
                except OSError:  # the terminal has been closed
                    break
            elif left and shown.endswith("> ") and _is_asleep(process.pid):
                end = 1 if left[0] < " " else left.index("\n") + 1
                screen.write(left[:end].encode())
                left = left[end:]
        else:
            process.kill()
    return shown, process.wait()


def _is_asleep(pid: int) -> bool:
    """Return whether a process waits for something; true if the system does not say."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
    except FileNotFoundError:
        return True
