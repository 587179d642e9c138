"""Bots for the arena that raise an error, play illegally, never answer or kill a process."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import kingdomino as kd


@dataclass(frozen=True)
class Raising(kd.bots.Bot):
    """Raises at its first placement."""

    spec = "raising"

    def choose(self, position: kd.Position) -> kd.Action:
        if position.phase == "place":
            raise RuntimeError("out of\nideas")
        return position.legal_actions()[0]


class UnspeakableError(Exception):
    """An error without a text."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


@dataclass(frozen=True)
class Unspeakable(kd.bots.Bot):
    """Raises an error without a text at its first decision."""

    spec = "unspeakable"

    def choose(self, position: kd.Position) -> kd.Action:  # noqa: ARG002
        raise UnspeakableError


@dataclass(frozen=True)
class Unprintable(kd.bots.Bot):
    """Raises an error whose text no file can hold, at its first decision."""

    spec = "unprintable"

    def choose(self, position: kd.Position) -> kd.Action:  # noqa: ARG002
        raise RuntimeError("\x1b[2J\ud800")


@dataclass(frozen=True)
class Misnamed(Raising):
    """Has a spec of two lines."""

    spec = "mis\nnamed"


@dataclass(frozen=True)
class Illegal(kd.bots.Bot):
    """Always discards, legal or not."""

    spec = "illegal"

    def choose(self, position: kd.Position) -> kd.Action:  # noqa: ARG002
        return kd.Action.discard()


@dataclass(frozen=True)
class Endless(kd.bots.Bot):
    """Never answers."""

    spec = "endless"

    def choose(self, position: kd.Position) -> kd.Action:
        Event().wait()
        return position.legal_actions()[0]


@dataclass(frozen=True)
class Orphaned(Endless):
    """Kills its parent process, and never answers."""

    spec = "orphaned"

    def choose(self, position: kd.Position) -> kd.Action:
        os.kill(os.getppid(), signal.SIGKILL)
        return super().choose(position)


@dataclass(frozen=True)
class Deadly(kd.bots.Bot):
    """Kills its own process: always, or only while a file does not exist."""

    unless: str = ""

    @property
    def spec(self) -> str:
        return f"deadly:unless={self.unless}" if self.unless else "deadly"

    def choose(self, position: kd.Position) -> kd.Action:
        if not (self.unless and Path(self.unless).exists()):
            if self.unless:
                Path(self.unless).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return position.legal_actions()[0]
