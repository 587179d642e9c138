"""Features of all commands: help, version, errors; and ``kingdomino perft``."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kingdomino as kd
from kingdomino.cli.terminal.commands import HELP

Run = Callable[..., Any]
COMMANDS = [
    "play",
    "serve",
    "show",
    "score",
    "verify",
    "simulate",
    "puzzle",
    "perft",
    "engine",
    "engine-check",
    "examples",
    "arena",
    "puzzles",
]
PAGES = [*COMMANDS[:-2], "arena run", "arena report", "puzzles make", "puzzles rate"]


def test_help_names_every_command(run: Run) -> None:
    for arguments in ([], ["--help"], ["-h"]):
        result = run(*arguments)
        assert (result.status, result.err) == (0, "")
        for command in COMMANDS:
            assert command in result.out


@pytest.mark.parametrize("command", PAGES)
def test_every_command_has_help_with_examples(run: Run, command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.status == 0
    assert "Examples:" in result.out
    assert f"kingdomino {command} " in result.out
    assert "bool" not in result.out, "switches have no type"
    assert max(map(len, result.out.splitlines())) <= 80


def test_a_shell_can_complete_commands() -> None:
    words = "kingdomino play --mi"
    asked = {
        "_KINGDOMINO_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    command = [sys.executable, "-c", "from kingdomino.cli import main; main()"]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, check=False)
    assert "--mighty-duel" in done.stdout.split()


STOPPED_ON_IMPORT = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Stop(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGTERM)

sys.meta_path.insert(0, Stop())
from kingdomino.cli import main
sys.exit(main(sys.argv[2:]))
"""


AWAY = "postgresql://ida@127.0.0.1:9/games"


@pytest.mark.parametrize(
    ("module", "command"),
    [
        (module, command)
        for command, module in (
            (("play",), "kingdomino.cli.app"),
            (("serve", "--port", "0"), "kingdomino.server.run"),
            (("worker", "--database", AWAY), "kingdomino.server.worker"),
        )
    ],
)
def test_sigterm_ends_a_server_with_status_0_while_it_starts(
    module: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_ON_IMPORT, module, *command],
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path), "BROWSER": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "sign"), [(("serve", "--port", "0"), signal.SIGTERM), (("worker",), signal.SIGINT)]
)
def test_a_server_that_waits_for_its_database_ends_with_status_0(
    command: tuple[str, ...], sign: signal.Signals
) -> None:
    program = "import sys; from kingdomino.cli import main; sys.exit(main())"
    arguments = [sys.executable, "-c", program, *command, "--database", AWAY]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            assert any("waiting for it" in line for line in process.stderr)
            process.send_signal(sign)
            assert process.wait(60) == 0
            assert "Traceback" not in process.stderr.read()
        finally:
            process.kill()


@pytest.mark.parametrize("command", ["play", "simulate", "perft", "arena run"])
def test_every_command_that_deals_takes_the_rules(run: Run, command: str) -> None:
    shown = run(*command.split(), "--help").out
    for option in ("--edition", "--mighty-duel", "--harmony", "--middle-kingdom", "--opening", "--seed"):
        assert option in shown


def test_the_version_and_the_commit_are_said(run: Run) -> None:
    commit = r"[0-9a-f]{12}(-dirty)?"
    assert re.fullmatch(rf"kingdomino {re.escape(kd.__version__)}( \({commit}\))?\n", run("--version").out)


def test_an_unknown_command_is_refused_with_a_near_one(refuses: Run) -> None:
    refuses("plya", said=["plya", "play"])


def test_perft_agrees_with_the_engine(run: Run) -> None:
    result = run("perft", "--depth", 4, "--seed", 7)
    assert (result.status, result.err) == (0, "")
    rows = [line.split() for line in result.out.splitlines()[2:]]
    assert [(int(depth), int(count.replace(",", ""))) for depth, count, *_ in rows] == [
        (depth, kd.perft(kd.Game(seed=7), depth)) for depth in range(1, 5)
    ]


def test_perft_refuses_bad_options(refuses: Run) -> None:
    refuses("perft", "--depth", 0, said=["--depth"])
    refuses("perft", "--depth", "deep", said=["--depth"])
    refuses("perft", "--players", 3, "--mighty-duel", said=["Mighty Duel"])


def test_ctrl_c_while_counting_shows_the_counts_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def perft(_: kd.Game, depth: int) -> int:
        if depth == 3:
            raise KeyboardInterrupt
        return 4321

    monkeypatch.setattr(kd, "perft", perft)
    result = run("perft", "--depth", 5)
    assert result.status == 130
    assert [line.split()[:2] for line in result.out.splitlines()[-2:]] == [["1", "4,321"], ["2", "4,321"]]


@pytest.mark.parametrize(
    "arguments",
    [
        "play --seat greedy --seat greedy --mighty-duel --dynasty total",
        "--help",
    ],
)
def test_a_reader_that_goes_away_ends_the_command_as_sigpipe_does(arguments: str) -> None:
    command = "import sys; from kingdomino.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", command, *shlex.split(arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 128 + signal.SIGPIPE


def test_the_guide_names_every_command_option_and_input(run: Run) -> None:
    guide = (Path(__file__).parents[2] / "docs/guides/terminal.md").read_text(encoding="utf-8")
    for command in PAGES:
        assert f"## `kingdomino {command}" in guide
        options = set(re.findall(r"--[a-z-]+", run(*command.split(), "--help").out))
        assert options <= set(re.findall(r"--[a-z-]+", guide))
    for typed in HELP:
        assert f"`{typed}`" in guide
