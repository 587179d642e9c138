"""``kingdomino arena``."""

import importlib.util
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
from support.plans import here

from kingdomino.arena import workers
from kingdomino.arena.plan import Plan
from kingdomino.arena.play import Game
from kingdomino.arena.schedule import Fixture

Run = Callable[..., Any]

FILE = """
bots = ["greedy", "random"]
blocks = 3
seed = 7
"""


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in an empty folder, and play in this process; workers are tested elsewhere."""
    monkeypatch.chdir(tmp_path)

    def play_games(plan: Plan, fixtures: Iterable[Fixture], jobs: int) -> Generator[Game, None, None]:
        assert jobs >= 1
        return here(plan, fixtures)

    monkeypatch.setattr(workers, "play_local", play_games)


def games(folder: str) -> list[dict[str, Any]]:
    """Read the games of a store, without their durations."""
    lines = map(json.loads, Path(folder, "games.jsonl").read_text(encoding="utf-8").splitlines())
    return [line | {"clocks": None, "check": None} for line in lines if "game" in line]


def test_a_run_leaves_games_report_and_picture(run: Run) -> None:
    result = run("arena", "run", "--bots", "greedy,random", "--blocks", 4, "--seed", 7)
    assert (result.status, result.err) == (0, "")
    assert "8 games on 4 deals" in result.out
    assert "greedy – random" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    folder = Path("arena/greedy-random")
    assert {path.name for path in folder.iterdir()} >= {"games.jsonl", "report.md", "picture.svg"}
    assert "![" in (folder / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-program", "engine 'no-such-program' "),
        (
            f"{sys.executable} -c 'import nothing_like_it'",
            "does not answer hello: .*No module named 'nothing_like_it'",
        ),
    ],
)
def test_an_engine_that_does_not_start_is_known_before_the_first_game(
    run: Run, command: str, said: str
) -> None:
    result = run("arena", "run", "--bots", f"engine:command={command},greedy", "--blocks", 4)
    assert result.status == 2
    assert re.search(said, result.err)
    assert not Path("arena").exists()


def test_the_command_in_the_report_repeats_the_run(run: Run) -> None:
    options = ["--players", 3, "--format", "one-against", "--harmony", "--self-play", "--name", "a name"]
    assert run("arena", "run", "--bots", "greedy,random:seed=3", "--blocks", 2, *options).status == 0
    report = Path("arena/a-name/report.md").read_text(encoding="utf-8")
    (again,) = re.findall(r"`kingdomino (arena run .*)`", report)
    assert run(*shlex.split(again), "--out", "other").status == 0
    assert games("other") == games("arena/a-name")


def test_an_arena_file_is_played(run: Run) -> None:
    Path("match.toml").write_text(FILE, encoding="utf-8")
    assert run("arena", "run", "match.toml").status == 0
    assert len(games("arena/match")) == 6
    assert run("arena", "run", "match.toml", "--blocks", 1, "--seed", 8, "--out", "other").status == 0
    assert len(games("other")) == 2


def test_options_in_the_file_cannot_be_given_on_the_command_line_too(refuses: Run) -> None:
    Path("match.toml").write_text(FILE, encoding="utf-8")
    refuses("arena", "run", "match.toml", "--bots", "greedy,greedy", said=["--bots", "match.toml"])
    refuses("arena", "run", "match.toml", "--self-play", said=["--self-play"])
    refuses("arena", "run", "match.toml", "--format", "gauntlet", said=["--format"])


def test_ctrl_c_prints_the_command_to_continue(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["arena", "run", "--bots", "greedy,random", "--blocks", 4, "--seed", 7]
    assert run(*arguments, "--out", "whole").status == 0

    def interrupted(plan: Plan, fixtures: Iterable[Fixture], jobs: int) -> Generator[Game, None, None]:
        for game in here(plan, fixtures):
            if game.fixture.number == 3 * jobs:
                raise KeyboardInterrupt
            yield game

    with monkeypatch.context() as patch:
        patch.setattr(workers, "play_local", interrupted)
        result = run(*arguments, "--out", "broken", "--jobs", 1)
    assert (result.status, result.err) == (130, "")
    again = result.out.strip().removeprefix("stopped after 3 games; resume with: kingdomino ")
    assert again == "arena run broken"
    assert run(*again.split()).status == 0
    assert games("broken") == games("whole")


def test_an_unfinished_run_has_a_report(run: Run) -> None:
    assert run("arena", "run", "--bots", "greedy,random", "--blocks", 2, "--out", "x").status == 0
    store, report = Path("x/games.jsonl"), Path("x/report.md")
    before = report.read_text(encoding="utf-8")
    assert run("arena", "report", "x/games.jsonl").status == 0
    assert report.read_text(encoding="utf-8") == before
    store.write_bytes(store.read_bytes()[:-9])
    result = run("arena", "report", "x")
    assert result.status == 0
    assert "2 games on 1 deal of 2" in result.out


def test_a_sequential_test_prints_its_decision(run: Run) -> None:
    result = run("arena", "run", "--bots", "greedy,random", "--test", "win_rate=0.5,0.7", "--blocks", 100)
    assert result.status == 0
    assert "sequential test: accept after" in result.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], ["--bots"]),
        (["nowhere.toml"], ["nowhere.toml: No such file"]),
        (["--bots", "gredy,random"], ["no bot 'gredy' (did you mean 'greedy'?)"]),
        (["--bots", "greedy"], ["needs 2 bots"]),
        (["--bots", "greedy,random", "--players", "5"], ["rules"]),
        (["--bots", "greedy,random", "--test", "elo=zero"], ["--test 'elo=zero'"]),
        (["--bots", "greedy,random", "--test", "luck=0,1"], ["'test.luck' is not a known key"]),
        (["--bots", "greedy,random", "--format", "swiss"], ["--format"]),
        (["--bots", "greedy,random", "--blocks", "0"], ["--blocks"]),
    ],
)
def test_bad_options_are_refused(refuses: Run, arguments: list[str], said: list[str]) -> None:
    refuses("arena", "run", *arguments, said=said)


def test_a_wrong_sequential_test_gets_a_correction(refuses: Run) -> None:
    for test, near in (("elo=0", "as in elo=0,20"), ("win_rate=x", "as in win_rate=0.5,0.55 or elo")):
        refuses("arena", "run", "--bots", "greedy,random", "--test", test, said=[f"--test {test!r}", near])


def test_a_missing_package_names_the_extra(refuses: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "scipy" else name)
    monkeypatch.delitem(sys.modules, "kingdomino.arena")
    refuses("arena", "run", "--bots", "greedy,random", said=["scipy", "pip install 'kingdomino[arena]'"])
    refuses("arena", "report", "x", said=["'kingdomino[arena]'"])


@pytest.mark.parametrize("module", ["kingdomino.cli", "kingdomino.arena.workers"])
def test_heavy_packages_are_loaded_only_where_they_are_needed(module: str) -> None:
    """Check that the command line starts quickly, and so does a process that only plays."""
    heavy = "{'numpy', 'scipy', 'matplotlib', 'filelock'}"
    code = f"import sys, {module}; sys.exit(bool({heavy} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_a_plan_may_name_modules_in_the_folder_of_the_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bots_of_mine.py").write_text(
        "import kingdomino as kd\nkd.bots.register('mine', lambda seed=0: kd.bots.make('greedy'))\n"
    )
    plan = ('modules = ["bots_of_mine"]', 'bots = ["mine", "random"]', "blocks = 1", "seed = 1")
    (tmp_path / "match.toml").write_text("\n".join(plan))
    command = [str(Path(sys.executable).with_name("kingdomino")), "arena", "run", "match.toml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert run("arena", "run", "arena/match").status == 0
