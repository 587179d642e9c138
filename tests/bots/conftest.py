"""Small engines for tests. Each does one thing right, or wrong."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from kingdomino.bots.engine import process

BEGINNING = """
import json, os, sys

def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)

def say(asked, kind, **fields):
    print(json.dumps({"kind": kind, "id": asked["id"], **fields}), flush=True)

def begin():
    say(hear(), "hello", version=1, name="made for a test")
    say(hear(), "ready")

def choose(asked):
    say(asked, "action", action=asked["actions"][-1])

def report_until_stopped(asked):
    say(asked, "info", info={"line": [asked["actions"][0]], "win_rates": [1, 0]})
    assert hear()["kind"] == "stop"
    choose(asked)

def play():
    while (asked := hear())["kind"] != "quit":
        if asked["kind"] == "game":
            say(asked, "ready")
        elif asked["kind"] == "choose":
            choose(asked)

def hang():
    import threading
    threading.Event().wait()
"""


@pytest.fixture
def command(tmp_path: Path) -> Callable[[str], str]:
    """Return ``command("begin(); hang()")``, which makes a command that runs this program."""

    def command(program: str) -> str:
        script = tmp_path / "engine.py"
        script.write_text(BEGINNING + program, encoding="utf-8")
        return shlex.join([sys.executable, "-IS", str(script)])

    return command


@pytest.fixture(autouse=True)
def _no_process_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    started: list[Popen[bytes]] = []

    class Noted(Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401  (the arguments of Popen)
            super().__init__(*arguments, **options)
            started.append(self)

    monkeypatch.setattr(process, "Popen", Noted)
    yield
    assert [child.args for child in started if child.returncode is None] == []


class Life:
    """A named pipe that engines hold open; it ends with the last of them."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self._pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self.holding = f"os.set_inheritable(os.open({json.dumps(str(path))}, os.O_WRONLY), True)\n"
        """The line with which a program begins to hold the pipe."""

    def wait_for_the_end(self) -> None:
        os.set_blocking(self._pipe, True)
        assert os.read(self._pipe, 1) == b""

    def close(self) -> None:
        os.close(self._pipe)


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    """Return a pipe that ends when all engines have ended, even if their process ended first."""
    life = Life(tmp_path / "life")
    yield life
    life.close()
