"""Every command and every block of code in the documents runs, as a reader would run it.

Examples with ``>>>`` run in test_documents.py. Commands run in a folder like a clone's, page by page, in their order on
the page. A command that cannot run in a test is listed below with what runs in its place, and why.
"""

import doctest
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import kingdomino as kd
from kingdomino.arena.plan import read_plan
from kingdomino.cli import main
from kingdomino.server.settings import load

ROOT = Path(__file__).parent.parent
GUIDES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/guides/*.md"))]
PAGES = [*GUIDES, *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/formats/*.md"))]
"""All pages with code except docs/evidence, whose commands take minutes or hours."""
COMMAND = re.compile(r"(?:\.venv/bin/\w+|kingdomino|make|pip|cargo|python3?|sqlite3|umask) ")

SAMPLES = {
    "RECORD": "docs/pictures/game.txt",
    "POSITION": "position.txt",
    "KINGDOM": "w1fw/.Cl1/ff.",
    "FOLDER": "arena/greedy-random",
    "FILE": "noted.txt",
    "DIR": "copied",
    "BOT": "greedy",
    "CMD…": "python3 examples/engine.py",
    "N": "24",
}
"""A reader's values for these placeholders."""

SHORTER = {
    "arena run --bots greedy,random --blocks 200 --seed 1": "--blocks 2 --jobs 1",
    "arena run --bots greedy,random,random:seed=3": "--blocks 1 --jobs 1",
    "arena run --bots greedy,random,random:seed=3 --format gauntlet": "--blocks 1 --jobs 1 --out gauntlet",
    "arena run --players 4 --format one-against --bots greedy,random": "--blocks 1 --jobs 1 --out four",
    "arena run --players 4 --format each-against --self-play --bots random,greedy": "--blocks 1 --jobs 1 --out each",
    "arena run FOLDER": "--jobs 1",
    "review FOLDER --player greedy": "--playouts 20",
    "arena run FILE": None,  # as `arena run match.toml`
    "arena run match.toml": "--blocks 1 --jobs 1",
    "arena run match.toml --on ray": None,  # Ray is too large for the tests; tests/arena/test_run.py has one
    "engine-check python3 examples/engine.py": "",
    "engine-check CMD…": None,  # as `engine-check python3 examples/engine.py`
    "engine-check node engine.mjs": None,  # tests/web/test_npm.py
    "engine-check --time 1 node my_bot.js": None,  # the reader's own program
    "simulate --games 20 --bots engine:command=python3 examples/engine.py,time=0.1,random": "--games 1",
    "simulate --bots greedy,random:seed=3": "--games 2",
    "simulate": "--bots greedy,random --games 2",
    "arena run": None,
    "review RECORD": "--playouts 20",
    "review --ply N": "docs/pictures/game.txt",
    "review --annotated FILE": "docs/pictures/game.txt --playouts 20",
    "review docs/pictures/game.txt --playouts 2000 --html review.html": "--playouts 20",
    "review": None,
    "analyse": None,
    "analyse POSITION": "--playouts 200",
    "puzzles make --number 500 --seed 1 --out puzzles.txt": "--number 1",
    "puzzles make": "--number 1 --seed 1",
    "puzzles rate FILE": None,  # as `puzzles rate puzzles.txt`
    "play --record FILE": None,  # a person plays; .ci/run does it
    "verify RECORD": None,  # a table's record, which tests/server/test_deal.py verifies
    "score PHOTO": None,  # tests/cli/test_score.py has a photograph
    "perft": "--depth 2",
    "backup": None,  # into the folder that the settings name; tests/server/test_backup.py does it
    "engine BOT": None,  # as `engine greedy`
    "--install-completion": None,  # it would change the shell; tests/cli tests completion
}
"""Options that end a command of kingdomino soon; None: the tests skip it, for the reason beside it."""

DAMAGED = re.compile(r"rescued|repaired|kingdomino-\d+T")
"""Words in commands that need a damaged database; tests/server/test_backup.py has one."""

SERVERS = {"play", "serve"}
PROGRAM = "import sys; from kingdomino.cli import main; sys.exit(main())"


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def command_lines(page: Path) -> Iterator[str]:
    """Find the commands of a page, in blocks and in the text, each once."""
    text, found = page.read_text(encoding="utf-8"), dict[str, None]()
    for part in re.split(r"(^ *```.*?^ *```)", text, flags=re.MULTILINE | re.DOTALL):
        if part.lstrip().startswith("```"):
            lines = part.strip().splitlines()[1:-1]
            typed = [line.strip()[2:] for line in lines if line.strip().startswith("$ ")]
            typed = typed or [line.strip() for line in lines if COMMAND.match(line.strip())]
            # The text after two spaces explains the command.
            found |= dict.fromkeys(re.split(r"  +", line)[0] for line in typed)
        else:
            inline = (" ".join(words.split()) for words in re.findall(r"`([^`]+)`", part))
            found |= dict.fromkeys(words for words in inline if COMMAND.match(words))
    yield from found


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder in which the commands of a page run."""
    for name in ("docs", "Makefile", "pyproject.toml", "crates", "tests", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(Path(kd.__file__).parent / "examples", tmp_path / "examples", dirs_exist_ok=True)
    game = kd.Game(seed=7)
    (tmp_path / "position.txt").write_text(game.position.to_text(), encoding="utf-8")
    match = re.search(r"```toml\n(.*?)```", (ROOT / "docs/guides/arena.md").read_text("utf-8"), re.DOTALL)
    assert match
    quick = match[1].replace("king:time=0.1", "king:level=1")
    (tmp_path / "match.toml").write_text(quick, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("BROWSER", "true")
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", GUIDES, ids=name_of)
def test_every_command_of_a_page_runs(
    page: Path, clone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in command_lines(page):
        program, *arguments = shlex.split(line)
        name = program.rpartition("/")[2]
        if name == "kingdomino":
            with Path(os.devnull).open(encoding="utf-8") as nothing:
                monkeypatch.setattr("sys.stdin", nothing)
                status = 2 if "sokets" in line else 0  # the page shows this error
                assert run_kingdomino(arguments, clone) == status, f"{line}\n{capsys.readouterr().err}"
        elif line == "pip install":
            continue  # a sentence about it
        elif name == "pip":
            assert_installs(arguments)
        elif name == "sqlite3":
            continue  # repairs a database; tests/server/test_backup.py has a damaged one
        elif name == "make":
            planned = subprocess.run(["make", "-n", *arguments], cwd=ROOT, capture_output=True, check=False)
            assert planned.returncode == 0, planned.stderr
        else:
            assert_names_files(arguments)


def run_kingdomino(arguments: list[str], clone: Path) -> int:
    """Run a command in this process, as briefly as possible; return its status."""
    written = " ".join(arguments)
    if "postgresql" in written:
        return 0  # it waits for a database that does not exist here; tests/server/test_peers.py has one
    added = SHORTER.get(written, "")
    if added is None or DAMAGED.search(written):
        return 0
    if arguments[0] in SERVERS and "--terminal" not in arguments and "--seat" not in arguments:
        return (
            main(arguments)
            if "--help" in arguments or "sokets" in written
            else serve(*without_port(arguments))
        )
    # Earlier commands make the content of a sample file.
    if "FOLDER" in arguments and not (clone / SAMPLES["FOLDER"]).exists():
        main(shlex.split("arena run --bots greedy,random --blocks 1 --seed 1 --jobs 1"))
    given = [word for words in arguments for word in shlex.split(SAMPLES.get(words, shlex.quote(words)))]
    if written == "examples":
        shutil.rmtree(clone / "examples")
    if given[0] == "engine":  # it talks over the real stdin and stdout
        command = [sys.executable, "-c", PROGRAM, *given]
        return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
    return main([*given, *shlex.split(added)])


def without_port(arguments: list[str]) -> list[str]:
    """Leave out the port, so that each server starts once."""
    if "--port" not in arguments:
        return arguments
    at = arguments.index("--port")
    return arguments[:at] + arguments[at + 2 :]


@cache
def serve(*arguments: str) -> int:
    """Start a server as on the page, but on free ports; visit it, play with the guide's program, end it."""
    free = ["--port", "0", "--set", "metrics.port=0", "--pause", "0"]
    port = [] if arguments == ("play",) else free
    server = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments, *port],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        address = server.stdout.readline().split()[-1].replace("0.0.0.0", "127.0.0.1")
        with urlopen(f"{address}health", timeout=60) as answer:
            assert answer.status == 200
        if "--host" in arguments:
            assert len(program_of_the_guide()(address.rstrip("/"))) == 2
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=60)
    return server.returncode


def program_of_the_guide() -> Callable[[str], list[int]]:
    """Return the function of the program in the table's guide."""
    [code] = re.findall(
        r"```python\n(import json.*?)```", (ROOT / "docs/guides/table.md").read_text("utf-8"), re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(code, names)
    play: Callable[[str], list[int]] = names["play"]
    return play


def assert_installs(arguments: list[str]) -> None:
    """Check that the extras exist. Installing them would take a network and minutes."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    command, named = arguments
    assert command == "install"
    assert set(re.search(r"^kingdomino\[([\w,]+)\]$", named)[1].split(",")) <= set(extras)  # type: ignore[index]


def assert_names_files(arguments: list[str]) -> None:
    """Check that a command's files exist. Training takes hours; other tests compare the tools' output."""
    if "-m" in arguments:
        assert find_spec(arguments[arguments.index("-m") + 1])
    for word in arguments:
        if word.endswith(".py") or word.startswith("crates/"):
            assert Path(word).exists(), word
    if "--example" in arguments:
        assert Path("crates/search/examples", f"{arguments[arguments.index('--example') + 1]}.rs").exists()


PROGRAMS = {
    '"""A whole engine': "tests/cli/test_engine.py compares it with the example, and plays with that",
    "// The engine of": "likewise",
    "def squares(kingdom)": "test_the_function_of_the_guide_to_engines_reads_a_kingdom",
    "import json\n\nimport httpx": "serve, above, plays with it",
}
"""The beginnings of programs that are not examples with ``>>>``, and what runs each."""
CHECKED = {
    "console": ("guides",),  # commands, which run above
    "js": ("guides/javascript.md",),  # tests/web/test_npm.py and test_engine.py
    "json": ("formats/table.md",),  # tests/server/test_openapi.py
    "toml": (
        "guides/hosting.md",
        "guides/arena.md",
        "formats/arena.md",
    ),  # below, and tests/arena/test_plan.py
}
"""Pages that may have blocks of other languages, because a test reads their blocks."""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_test_runs_every_block_of_code(page: Path) -> None:
    for language, block in blocks(page):
        if language in ("javascript", "python"):
            assert ">>> " in block or block.startswith(tuple(PROGRAMS)), block
        elif language:
            assert str(page.relative_to(ROOT / "docs")).startswith(CHECKED.get(language, ())), block


def blocks(page: Path) -> list[tuple[str, str]]:
    """List the blocks of code of a page, each after its language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^ *```(\w*)\n(.*?)^ *```", text, flags=re.MULTILINE | re.DOTALL)


def test_the_files_of_settings_in_the_guide_to_hosting_are_read(tmp_path: Path) -> None:
    files = [block for language, block in blocks(ROOT / "docs/guides/hosting.md") if language == "toml"]
    assert files
    for text in files:
        file = tmp_path / "server.toml"
        file.write_text(text, encoding="utf-8")
        load({}, file)


def test_the_position_of_its_page_is_one() -> None:
    [(_, text), *_] = blocks(ROOT / "docs/formats/position.md")
    assert kd.Position.parse(text.strip()).to_text() == text.strip()


def test_the_arena_file_of_the_guide_is_a_plan(clone: Path) -> None:
    plan = read_plan(clone / "match.toml")
    assert [entrant.name for entrant in plan.bots] == ["king:level=1", "greedy"]


def test_the_function_of_the_guide_to_engines_reads_a_kingdom() -> None:
    guide = (ROOT / "docs/guides/engines.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(def squares.*?)```", guide, re.DOTALL)
    names: dict[str, Any] = {"re": re}
    exec(code, names)
    squares = names["squares"]("w1ff/.C.")
    kingdom = kd.Kingdom.parse("w1ff/.C.")
    letters = {at: f"{square.terrain[0]}{square.crowns or ''}" for at, square in kingdom.squares.items()}
    assert {at: text for at, text in squares.items() if text not in ".C"} == {
        at: text for at, text in letters.items() if at != (0, 0)
    }


def test_every_expression_of_the_guide_to_pictures_gives_a_picture(clone: Path) -> None:
    page = clone / "docs/guides/pictures.md"
    names: dict[str, Any] = {}
    for part in re.split(
        r"(^ *```.*?^ *```)", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    ):
        if ">>> " in part:
            code = re.sub(r"^ *```.*$", "", part, flags=re.MULTILINE)
            examples = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), 0)
            doctest.DocTestRunner(verbose=False).run(examples, clear_globs=False)
            names |= examples.globs
            continue
        for expression in re.findall(r"`(kd\.svg\.\w+\([^`]+\))`", part):
            assert eval(expression, names).endswith("</svg>"), expression
