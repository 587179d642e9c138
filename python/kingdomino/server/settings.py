"""A server's settings, from flags, the environment and a TOML file.

>>> Settings(database="sqlite:///games.db").url
'sqlite:///games.db'
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass, is_pydantic_dataclass
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from kingdomino.errors import KingdominoError
from kingdomino.validation import UNKNOWN_KEY, did_you_mean, explain, place

__all__ = [
    "CONFIG",
    "DEFAULT_PORT",
    "Cookies",
    "Limits",
    "Listener",
    "Overload",
    "Rate",
    "Retention",
    "Settings",
    "SettingsError",
    "SlowBots",
    "Tables",
    "described",
    "load",
    "variable",
]

DEFAULT_PORT: Final = 8000
CONFIG: Final = "KINGDOMINO_CONFIG"
"""The environment variable with the path of the settings file."""
_PREFIX: Final = "KINGDOMINO_"
_NESTED: Final = "__"

Seconds: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count: TypeAlias = Annotated[int, Field(ge=0)]
Number: TypeAlias = Annotated[int, Field(ge=1)]
_Sources: TypeAlias = dict[Callable[[str], str], PydanticBaseSettingsSource]
"""The sources in order of precedence, each with a function that returns its name for a setting."""


def _split(value: object) -> object:
    return [name.strip() for name in value.split(",") if name.strip()] if isinstance(value, str) else value


Names: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""Several names, separated by commas in a flag or the environment."""


def _check_root(path: str) -> str:
    parts = path.strip("/").split("/")
    if parts == [""]:
        return ""
    if not all(re.fullmatch("[A-Za-z0-9_~-][A-Za-z0-9._~-]*", part) for part in parts):
        raise ValueError("must be a path of letters, digits and -._~, for example /kingdomino")
    return "/" + "/".join(parts)


RootPath: TypeAlias = Annotated[str, AfterValidator(_check_root)]
"""The prefix of all paths: empty, or with a slash at its start and none at its end."""


def _check_networks(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        try:
            ip_network(name)
        except ValueError:
            sentence = f"{name!r} is not an address or a network, for example 192.0.2.7 or 10.0.0.0/8"
            raise ValueError(sentence) from None
    return names


Networks: TypeAlias = Annotated[Names, AfterValidator(_check_networks)]
"""Addresses (`192.0.2.7`) and networks (`10.0.0.0/8`)."""


def _read_time(value: object) -> datetime:
    with suppress(ValueError):
        time = datetime.fromisoformat(value) if isinstance(value, str) else value
        if isinstance(time, datetime) and time.tzinfo is not None:
            return time
    raise ValueError("must be a time with its zone, for example 2026-11-24T10:00:00Z")


Time: TypeAlias = Annotated[datetime, BeforeValidator(_read_time)]
"""A time with its zone. (Pydantic alone would read a number, such as a year, as seconds since 1970.)"""
_GROUP: Final = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class SettingsError(KingdominoError):
    """Unknown or invalid settings; the message lists all of them."""


@dataclass(frozen=True, config=_GROUP)
class Rate:
    """A rate limit: ``a_second`` on average, and ``at_once`` in a burst."""

    a_second: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """how many a second, on average"""
    at_once: Number
    """how many in a burst"""


@dataclass(frozen=True, config=_GROUP)
class Limits:
    """Limits of one session. All clients of an address without a session count as one."""

    play: Rate = Rate(30, 120)
    """all requests to the API, including opened sockets"""
    guess: Rate = Rate(0.2, 10)
    """wrong attempts at a code, a link's or a seat's secret, or a passkey"""
    create: Rate = Rate(0.5, 30)
    """new tables, links, passkeys, names, settings; leaving a seat, returning, wishes; sign-out, deleted identities"""
    files: Rate = Rate(1, 60)
    """games that are opened, verified, imported or exported, and pictures of games"""
    sockets: Count = 20
    """WebSockets open at a time"""
    connections: Count = 2000
    """other connections of one address open at a time; `trusted_proxies` do not count"""
    imports: Rate = Rate(0.02, 2000)
    """imported games"""
    of_address: Number = 10
    """the factor for all sessions of one address together, because a club has one address"""
    codes: Rate = Rate(0.02, 60)
    """wrong table codes, from one address"""
    enforced: bool = True
    """whether limits apply; `false` is for load tests"""


def _milliseconds(time: datetime | None) -> int:
    return int(time.timestamp() * 1000) if time is not None else 0


@dataclass(frozen=True, config=_GROUP)
class Cookies:
    """The cookies that identify people."""

    key_days: Number = 90
    """days after which a new key signs them; cookies signed with older keys stay valid"""
    since: Time | None = None
    """signs everyone out: rejects cookies, keys and links from before this time, such as `2026-11-24T10:00:00Z`"""
    plain_until: Time | None = None
    """until this time, the server accepts cookies over HTTPS that were set over HTTP; by default it does not"""

    @property
    def since_ms(self) -> int:
        """`since` in milliseconds since 1970; 0 if there is none."""
        return _milliseconds(self.since)

    @property
    def plain_until_ms(self) -> int:
        """`plain_until` in milliseconds since 1970; 0 if there is none."""
        return _milliseconds(self.plain_until)


@dataclass(frozen=True, config=_GROUP)
class SlowBots:
    """How many slow bots (``king``, ``mce``, ``uct``) can play at once, at tables in use."""

    of_table: Count = 3
    """slow bots at one table"""
    of_person: Count = 6
    """slow bots at the tables that one person has created"""
    of_address: Count = 12
    """slow bots at the tables of one address"""
    of_thread: Count = 16
    """slow bots on the server, for each thread in which they think"""


@dataclass(frozen=True, config=_GROUP)
class Tables:
    """How many tables one person and one address may have."""

    of_person: Number = 50
    """tables in use that one person has created"""
    of_address: Number = 500
    """tables in use of one address, and never more than half of `max_tables`"""
    public_of_person: Number = 4
    """unfinished public tables that one person has created"""
    public_of_address: Number = 20
    """unfinished public tables of one address"""
    listed_of_address: Number = 2
    """tables of one address in each list of the lobby"""


Most: TypeAlias = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True, config=_GROUP)
class Overload:
    """When the server is overloaded (pressure 1) and refuses every request. At half of that pressure it refuses new
    games, and at a quarter everything but running and new games.
    """

    lag: Most = 1.0
    """pressure 1: the event loop is late by this many seconds, five times in a row"""
    requests: Number = 400
    """pressure 1: this many requests in progress"""
    requests_of_address: Number = 80
    """most requests of one address in progress"""
    writes: Number = 1000
    """pressure 1: this many writes wait for the database"""
    write_wait: Most = 3.0
    """pressure 1: the oldest of them has waited this many seconds"""


@dataclass(frozen=True, config=_GROUP)
class Listener:
    """The port where Prometheus reads the metrics. It is not for visitors, and has no limits."""

    host: str = "127.0.0.1"
    """the address to listen on"""
    port: Annotated[int, Field(ge=0, le=65535)] | None = None
    """the port to listen on, for example 9464; 0 takes any free port; by default none"""


@dataclass(frozen=True, config=_GROUP)
class Retention:
    """How long the server keeps finished and closed tables."""

    compact_after: Number | None = 7
    """days after a table's end until its log is compressed, without loss"""
    delete_after: Number | None = None
    """days after a table's end until it is deleted, also from its players' lists; by default never"""


class Settings(BaseSettings):
    """A server's settings; the defaults are those of ``kingdomino serve``.

    The constructor takes values only from its arguments; `load` reads the environment and a file, too.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        env_prefix=_PREFIX,
        env_nested_delimiter=_NESTED,
        enable_decoding=False,  # the environment contains no JSON
        nested_model_default_partial_update=True,
    )

    database: str | None = None
    """`sqlite:///FILE` or `postgresql://…`; by default a file in your data folder"""
    host: str = "127.0.0.1"
    """the address to listen on; `0.0.0.0` lets other devices in"""
    port: Annotated[int, Field(ge=0, le=65535)] = DEFAULT_PORT
    """the port to listen on; 0 takes any free port"""
    hosts: Names = ()
    """the server's public names, for example `play.example.org`; local names always work"""
    root_path: RootPath = ""
    """the path of the server in a site, for example `/kingdomino`; the proxy passes it on"""
    trusted_proxies: Networks = ("127.0.0.1", "::1")
    """addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` the server trusts"""
    hsts: Annotated[int, Field(ge=0)] = 0
    """seconds for which a browser must use HTTPS after its first visit over HTTPS; 0 sends no such header"""
    pause: Seconds = 0.9
    """seconds before a bot's move, so that people can keep up"""
    think: Seconds = 2.0
    """most seconds for a bot's decision, even if its own limit is higher"""
    bot_timeout: Seconds = 20.0
    """seconds until the server gives up on a bot that does not stop, and a stand-in chooses"""
    bot_threads: Number | None = None
    """how many slow bots think at once; by default one per core"""
    thinks: bool = True
    """with PostgreSQL: whether this server runs slow bots in addition to the workers"""
    slow_bots: SlowBots = SlowBots()
    """how many slow bots can play at once"""
    max_tables: Number = 5000
    """most tables in use; unused tables leave memory when there are this many"""
    tables: Tables = Tables()
    """how many tables one person and one address may have"""
    idle: Seconds = 600.0
    """seconds until an unused table leaves memory"""
    away_after: Seconds = 30.0
    """seconds without a connection until a player is shown as away"""
    stand_in_after: Seconds = 120.0
    """seconds without a connection until the others can let a bot play for that player"""
    waiting: Seconds = 3600.0
    """seconds until a waiting table that none of its players has open is closed"""
    abandoned: Seconds = 14 * 24 * 3600.0
    """seconds until a game that none of its players has open is closed"""
    log: Literal["text", "json"] = "text"
    """the format of log lines: `key=value`, or JSON for programs that collect logs"""
    cookies: Cookies = Cookies()
    """the cookies that identify people"""
    limits: Limits = Limits()
    """the limits of one session"""
    overload: Overload = Overload()
    """when the server is overloaded"""
    metrics: Listener = Listener()
    """where Prometheus reads the metrics"""
    backups: str | None = None
    """the folder for `kingdomino backup`, which keeps 7 daily and 4 weekly files; a metric shows the newest's age"""
    retention: Retention = Retention()
    """how long the server keeps finished and closed tables"""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        *_: PydanticBaseSettingsSource,
        **__: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take values only from the constructor's arguments."""
        return (init_settings,)

    @property
    def url(self) -> str:
        """The database's URL; by default a file in the user's data folder."""
        if self.database is not None:
            return self.database
        from platformdirs import user_data_path

        return f"sqlite:///{user_data_path('kingdomino', appauthor=False) / 'kingdomino.db'}"


def variable(name: str) -> str:
    """Return the environment variable of a setting.

    >>> variable("limits.play.at_once")
    'KINGDOMINO_LIMITS__PLAY__AT_ONCE'
    """
    return _PREFIX + name.replace(".", _NESTED).upper()


def described() -> Iterator[tuple[str, object, str]]:
    """List every setting: its name (``limits.play.at_once``), default and meaning."""
    for name, field in Settings.model_fields.items():
        yield from _described(name, field.default, field.description or "")


def _described(name: str, default: object, meaning: str) -> Iterator[tuple[str, object, str]]:
    group = type(default)
    if not is_pydantic_dataclass(group):
        yield name, default, meaning
        return
    for key, field in group.__pydantic_fields__.items():
        about = field.description or ""
        about = f"{meaning}: {about}" if isinstance(default, Rate | Listener) else about
        yield from _described(f"{name}.{key}", getattr(default, key), about)


def load(given: Mapping[str, object], file: Path | None = None) -> Settings:
    """Read the settings: from ``given`` first, then the environment, then the file, then the defaults.

    ``given`` has names with dots, as in a file: ``{"limits.sockets": "5"}``. Without ``file``, the environment's
    `CONFIG` may name one. Raises `SettingsError`, also for unknown variables and keys, or `OSError`.
    """
    file = file or (Path(named) if (named := os.environ.get(CONFIG)) else None)
    sources: _Sources = {
        str: InitSettingsSource(Settings, _nested(given)),
        variable: _Environment(Settings),
    }
    if file is not None:
        sources[lambda name: f"{file}: {name}"] = _toml(file)

    class Loaded(Settings):
        @classmethod
        def settings_customise_sources(
            cls, *_: object, **__: object
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return tuple(sources.values())

    try:
        return Settings(**dict(Loaded()))
    except ValidationError as error:
        faults = [_fault(fault, sources) for fault in error.errors(include_url=False)]
        raise SettingsError("; ".join(faults)) from None


class _Environment(EnvSettingsSource):
    """The environment, including unknown variables, which its base class ignores."""

    def __call__(self) -> dict[str, Any]:
        prefix = _PREFIX.lower()
        return _nested(
            {
                name.removeprefix(prefix).replace(_NESTED, "."): value
                for name, value in self.env_vars.items()
                if name.startswith(prefix) and name != CONFIG.lower()
            }
        )


def _toml(file: Path) -> PydanticBaseSettingsSource:
    file.open("rb").close()  # the source would treat a missing file as an empty one
    try:
        return TomlConfigSettingsSource(Settings, file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: this is not TOML{place(str(error))}") from error


def _nested(flat: Mapping[str, object]) -> dict[str, Any]:
    """Turn names with dots into dictionaries: ``{"limits": {"sockets": "5"}}``."""
    nested: dict[str, Any] = {}
    for name, value in sorted(flat.items()):
        *groups, last = name.split(".")
        group = nested
        for key in groups:
            inner = group.setdefault(key, {})
            group = inner if isinstance(inner, dict) else {}  # validation reports a value in place of a group
        group[last] = value
    return nested


def _fault(fault: ErrorDetails, sources: _Sources) -> str:
    """Describe what is wrong with a setting, under the name that it has in its source."""
    place = [str(part) for part in fault["loc"]]
    label = next((label for label, source in sources.items() if _has(source(), place)), str)
    name = ".".join(place)
    if fault["type"] not in UNKNOWN_KEY:
        return explain(fault, label(name))
    names = [known for known, _, _ in described()]
    groups = {known.rpartition(".")[0] for known in names} - {""}
    return f"{label(name)!r} is not a setting{did_you_mean(name, [*names, *groups], label)}"


def _has(values: object, place: list[str]) -> bool:
    for key in place:
        if not isinstance(values, dict) or key not in values:
            return False
        values = values[key]
    return True
