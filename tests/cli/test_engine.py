"""``kingdomino engine`` and ``kingdomino engine-check``."""

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kingdomino as kd

Run = Callable[..., Any]
ROOT, EXAMPLES = Path(__file__).parents[2], Path(kd.__file__).parent / "examples"
OURS = [sys.executable, "-c", "import sys; from kingdomino.cli import main; sys.exit(main())", "engine"]
STUBBORN = """
import sys, threading, kingdomino as kd
from kingdomino.cli import main

class Stubborn(kd.bots.Bot):
    spec = "stubborn"

    def choose(self, position):
        print("I print", flush=True)
        threading.Event().wait()

kd.bots.register("stubborn", Stubborn)
sys.exit(main(["engine", "stubborn"]))
"""
PRINTS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"kind": "hello", "id": asked["id"], "version": 1, "name": "x"}), flush=True)
    print("and doubt", file=sys.stderr, flush=True)
    print("now I think", flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("example", ["engine.py", "engine.js"])
def test_an_example_passes_every_check(run: Run, example: str) -> None:
    program = {".py": [sys.executable, "-IS"], ".js": ["node"]}[Path(example).suffix]
    if shutil.which(program[0]) is None:
        pytest.skip(f"{program[0]} is not installed")
    result = run("engine-check", "--time", 10, *program, EXAMPLES / example)
    assert "✗" not in result.out
    assert "✓ answers hello  crowns first" in result.out
    assert result.out.count("✓ plays a whole game") == 5
    assert (result.status, result.err) == (0, "")


@pytest.mark.slow
def test_our_bots_pass_every_check(run: Run) -> None:
    result = run("engine-check", "--time", 10, shlex.join([*OURS, "greedy"]))
    assert "✗" not in result.out
    assert "✓ answers hello  greedy by Kingdomino" in result.out
    assert result.status == 0


def test_a_wrong_analysis_is_a_failed_check(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "analyst.py"
    text = (EXAMPLES / "engine.py").read_text(encoding="utf-8")
    wrong = 'print(json.dumps({"kind": "info", "id": asked["id"], "info": {"playouts": "many"}}), flush=True)'
    asks = '        elif asked["kind"] == "choose":\n'
    assert asks in text
    script.write_text(text.replace(asks, f"{asks}            {wrong}\n"), encoding="utf-8")
    result = run("engine-check", "--time", 10, sys.executable, "-IS", script)
    assert result.out.count("✗") == 1
    assert "✗ sends valid analyses, if any" in result.out
    assert "it sent an invalid info: 'playouts' must be a whole number" in result.out


def test_a_failed_check_is_shown_with_the_line_at_fault(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "prints.py"
    script.write_text(PRINTS, encoding="utf-8")
    result = run("engine-check", "--time", 10, sys.executable, "-IS", script)
    assert result.status == 3
    assert "✓ answers hello  x" in result.out
    assert "✗ obeys stop" in result.out
    assert "    it wrote something to stdout that is not a message: this line is not JSON" in result.out
    assert "    line: 'now I think'" in result.out
    assert "    stderr: and doubt" in result.out
    assert "checks failed" in result.out


def test_after_no_answer_to_hello_there_are_no_other_checks(run: Run) -> None:
    result = run("engine-check", sys.executable, "-c", "import sys; sys.exit('what?')")
    assert result.status == 3
    assert "✗ answers hello\n    it ended with status 1\n    stderr: what?\n" in result.out
    assert "1 of 1 checks failed" in result.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["engine"], "BOT"),
        (["engine", "gredy"], "did you mean 'greedy'?"),
        (["engine-check"], "CMD"),
        (["engine-check", ""], "an engine needs a command"),
        (["engine-check", "python3 'x"], "No closing quotation"),
        (["engine-check", "--time", "0", "x"], "--time"),
        (["engine-check", "no-such-program-anywhere"], "cannot be started"),
    ],
)
def test_bad_options_are_refused_in_one_line(refuses: Run, arguments: list[str], said: str) -> None:
    refuses(*arguments, said=[said])


def test_an_engine_ends_at_quit_during_a_search() -> None:
    position = kd.Game(seed=7).position.to_text()
    asked = {"kind": "choose", "id": 1, "position": position, "actions": [], "limit": {"time": 1}}
    typed = json.dumps(asked) + "\n" + '{"kind":"quit"}\n'
    program = [sys.executable, "-c", STUBBORN]
    result = subprocess.run(program, input=typed, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "I print\n")


def test_the_guide_shows_the_examples_as_they_are() -> None:
    guide = (ROOT / "docs/guides/engines.md").read_text(encoding="utf-8")
    for example in ("engine.py", "engine.js"):
        assert (EXAMPLES / example).read_text(encoding="utf-8") in guide


def test_the_examples_are_copied_from_the_package(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "kingdomino examples" in " ".join(run("engine-check", "--help").out.split())
    result = run("examples")
    names = sorted(path.name for path in EXAMPLES.iterdir() if path.is_file())
    assert result.out.splitlines() == [f"examples/{name}" for name in names]
    assert {"engine.py", "engine.js", "policy_gradient.py"} <= set(names)


def test_an_example_that_someone_has_changed_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    mine = tmp_path / "engine.py"
    mine.write_text("mine", encoding="utf-8")
    result = run("examples", tmp_path)
    assert (result.status, result.err) == (2, f"kingdomino: {mine}: this file already exists\n")
    assert [path.name for path in tmp_path.iterdir()] == ["engine.py"]
    assert mine.read_text(encoding="utf-8") == "mine"
