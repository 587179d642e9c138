"""Runs the command line in this process, with scripted typing."""

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pytest
from rich.console import Console

import kingdomino as kd
from kingdomino.cli import main
from kingdomino.cli.terminal.choices import choices
from kingdomino.cli.terminal.flow import TerminalGame
from kingdomino.cli.terminal.session import Session


@dataclass
class Result:
    """The result of a command."""

    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return ``run("play", "--seed", 7, typed="")``, which returns the exit status and the output."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object, typed: str = "") -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main([str(argument) for argument in arguments])
        return Result(status, *capsys.readouterr())

    return run


@pytest.fixture
def refuses(run: Callable[..., Result]) -> Callable[..., None]:
    """Return ``refuses("play", "--seat", "gredy", said=["no bot"])``: status 2, one line with this."""

    def refuses(*arguments: object, said: Iterable[str]) -> None:
        result = run(*arguments)
        assert result.status == 2
        assert result.err.startswith("kingdomino: ")
        assert result.err.count("\n") == 1
        for words in said:
            assert words in result.err
        assert "Traceback" not in result.out + result.err

    return refuses


@dataclass
class Sitting:
    """A game and its player, who types the script line by line and raises its exceptions.

    After the script the player types the first choice again and again, or with ``ends`` ends the input.
    Instead of a script, ``watch`` may return the input for a position.
    """

    session: Session
    script: Iterable[str | type[BaseException]] = ()
    ends: bool = False
    watch: Callable[[kd.Position], str] | None = None
    options: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.screen, self.prompts, self._lines = io.StringIO(), list[str](), iter(self.script)
        console = Console(file=self.screen, width=80, highlight=False)
        self.table = TerminalGame(self.session, self._type, console, **self.options)  # type: ignore[arg-type]
        self.status = self.table.run()
        self.shown = self.screen.getvalue()

    @property
    def game(self) -> kd.Game:
        return self.session.game

    def _type(self, prompt: str) -> str:
        self.prompts.append(prompt)
        line = next(self._lines, None)
        if isinstance(line, str):
            return line
        if line is not None:
            raise line
        if self.ends or prompt.startswith("Save"):
            raise EOFError
        if prompt.startswith("Type review"):
            return ""
        if self.watch:
            return self.watch(self.session.game.position)
        return str(choices(self.session.game.position)[0].number)


@pytest.fixture
def sit() -> Callable[..., Sitting]:
    """Return ``sit(session, "17", "undo", EOFError)``, which plays at a table and returns the `Sitting`."""

    def sit(
        session: Session,
        *script: str | type[BaseException],
        ends: bool = False,
        watch: Callable[[kd.Position], str] | None = None,
        **options: object,
    ) -> Sitting:
        return Sitting(session, script, ends, watch, options)

    return sit
