"""A server's settings.

>>> Settings(database="sqlite:///games.db").url
'sqlite:///games.db'
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT_PORT", "Limits", "Rate", "Settings", "Study"]

DEFAULT_PORT = 8000


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may be done: ``a_second`` on average, and ``at_once`` in a burst."""

    a_second: float
    at_once: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What one address may do.

    Attributes:
        play: requests to the API of any kind, opened sockets included.
        guess: attempts at a code, a link's or a seat's secret, or a passkey, so that none can be guessed.
        create: new tables, links to another device, and passkeys.
        files: files of records that are opened, imported or exported.
        sockets: WebSockets open at a time.
    """

    play: Rate = Rate(30, 120)
    guess: Rate = Rate(10 / 60, 10)
    create: Rate = Rate(30 / 60, 30)
    files: Rate = Rate(1, 60)
    sockets: int = 100


@dataclass(frozen=True, slots=True)
class Study:
    """How much the server thinks on behalf of people: analyses, hints and reviews.

    Attributes:
        threads: how many of them think at once; `None` is half of the cores, at least one.
        taking_turns: how many jobs share a thread; the others wait in line.
        jobs: how many jobs there may be at once, running or waiting.
        jobs_of_address: how many of them may come from one address.
        jobs_of_person: how many of them may be one person's.
        longest: seconds that a job thinks.
        playouts: of a review, for each decision.
    """

    threads: int | None = None
    taking_turns: int = 4
    jobs: int = 100
    jobs_of_address: int = 30
    jobs_of_person: int = 4
    longest: float = 60.0
    playouts: int = 12_000


@dataclass(frozen=True, slots=True)
class Settings:
    """A server's settings; the defaults are those of ``kingdomino serve``.

    Attributes:
        database: a URL (``sqlite:///FILE``, ``postgresql://…``); `None` is a file in the user's data folder.
        host: the address to listen on; ``0.0.0.0`` lets other devices in.
        port: the port to listen on; 0 takes any free port.
        pause: seconds before a bot's move, so that people can keep up.
        think: seconds after which a bot's choice is abandoned.
        bot_threads: how many bots choose at once; `None` is one a core.
        max_tables: how many tables may be in memory.
        idle: seconds until an unused table leaves memory.
        away_after: seconds after which a player without a connection is shown as away.
        stand_in_after: seconds after which the others can let a bot play for that player.
        waiting: seconds after which a table that waits for players is closed if they do not follow it.
        abandoned: seconds after which a game that no player follows is closed.
        limits: what one address may do; `None` is no limit (for load tests).
        study: how much the server thinks on behalf of people.
    """

    database: str | None = None
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    pause: float = 0.9
    think: float = 60.0
    bot_threads: int | None = None
    max_tables: int = 5000
    idle: float = 600.0
    away_after: float = 30.0
    stand_in_after: float = 120.0
    waiting: float = 3600.0
    abandoned: float = 14 * 24 * 3600.0
    limits: Limits | None = Limits()
    study: Study = Study()

    @property
    def url(self) -> str:
        """The database's URL; by default a file in the user's data folder."""
        if self.database is not None:
            return self.database
        from platformdirs import user_data_path

        return f"sqlite:///{user_data_path('kingdomino', appauthor=False) / 'kingdomino.db'}"
