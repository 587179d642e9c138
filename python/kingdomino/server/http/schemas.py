"""The bodies of requests and answers, except tables and choices (docs/formats/table.md).

A request with unknown fields is refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, ConfigDict, FailFast, Field

from kingdomino.server.tables.core.events import (
    GAMES,
    Dynasty,
    Model,
    Proof,
    Rules,
    SeatEntry,
    TableEvent,
    TerrainName,
    TerrainSquare,
)
from kingdomino.server.tables.core.messages import Word, You
from kingdomino.server.tables.core.rules import ChosenRules, ClientObject
from kingdomino.server.tables.core.snapshot import Summary, Table
from kingdomino.server.tables.core.state import PlacedDomino, Unfinished
from kingdomino.server.tables.history.played import Outcome, Played, Player
from kingdomino.server.tables.people.codes import Language
from kingdomino.server.tables.people.names import LONGEST_NAME, LONGEST_TYPED, tidy_name
from kingdomino.server.tables.people.rematches import Missing

# Requests.

MOST_RECORDS: Final = 50
"""Records in one request."""
LONGEST_POSITION: Final = 1000
"""Characters of a position; one of four full kingdoms has about 400."""
LONGEST_RECORD: Final = 50_000
"""Characters of a record; one of 48 placements with its tags has about 2,000."""


Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_TYPED,
        description=f"1 to {LONGEST_NAME} letters",
        examples=["Ida"],
    ),
    AfterValidator(tidy_name),
]
"""A person's name."""

ActionText = Annotated[
    str, Field(min_length=1, max_length=40, examples=["claim 17", "place 1,0>2,0", "discard"])
]


Hex = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="64 hex digits")]
Digest = Annotated[
    str, Field(pattern="^[0-9a-f]{64}$", description="promises your browser's nonces: 64 hex digits")
]


class Body(ClientObject):
    """The body of a request; strict, in JSON's own types."""

    model_config = ConfigDict(strict=True)


class Me(Body):
    """A new name for yourself."""

    name: Name


class Settings(Body):
    """Your settings for all your devices; with `null` each device decides."""

    theme: Literal["light", "dark"] | None = None
    pace: Annotated[Literal["calm", "brisk", "none"] | None, Field(description="of animations")] = None
    sound: bool | None = None
    language: Language | None = None
    warning: Annotated[
        Literal[3, 6] | None,
        Field(description="against bots: warn before placements that cost this many points"),
    ] = None


class SeatWish(Body):
    """Who gets a seat of a new table."""

    kind: Literal["me", "bot", "invited", "open"]
    name: Name | None = None
    bot: Annotated[str, Field(min_length=1, max_length=200, description="a spec string")] | None = None


class NewTable(ChosenRules, Body):
    """A table to create. Without ``seats`` the first seat is yours; every other seat left out is a bot's.

    Without ``seconds``, a turn takes at most two minutes if other people can sit down, and has no limit otherwise. With
    a ``position``, in which a seat must be to move, the game begins there, under its rules.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"seats": [{"kind": "me"}, {"kind": "bot"}]}]})

    position: Annotated[str, Field(min_length=1, max_length=LONGEST_POSITION)] | None = None
    dynasty: Dynasty | None = None
    seconds: Annotated[int, Field(ge=5, le=86_400, description="for a turn")] | None = None
    public: bool = False
    language: Annotated[Language, Field(description="of the table's code")] = "en"
    seats: Annotated[list[SeatWish], Field(max_length=4)] = Field(default_factory=list)
    digest: Digest | None = None


class EndWish(Body):
    """Whether you would like to end the game."""

    wish: bool


class RematchWish(Body):
    """Whether you would like to play again, and what happens to the seats of missing players."""

    wish: bool
    missing: Missing | None = None
    digest: Digest | None = None


class TurnActions(Body):
    """One action, or a placement and the claim of the same turn."""

    ply: Annotated[int, Field(ge=0, le=10_000)]
    actions: Annotated[list[ActionText], Field(min_length=1, max_length=2)]


class HintRequest(Body):
    """The decision for which you take a hint."""

    ply: Annotated[int, Field(ge=0, le=10_000)]


class SpokenWord(Body):
    """One of the fixed words that players can say to each other."""

    word: Word


class SeatRequest(Body):
    """The seat to take: by its secret (or the table's code), or an open seat by its number."""

    secret: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    seat: Annotated[int, Field(ge=0, le=3)] | None = None
    name: Name | None = None
    digest: Digest | None = None


class Nonce(Body):
    """Your browser's nonce for a game of the table (1, 2, 3)."""

    game: Annotated[int, Field(ge=1, le=GAMES)]
    nonce: Hex


class CodeWords(Body):
    """The code of a table: four words."""

    code: Annotated[str, Field(min_length=1, max_length=60, examples=["bold amber otter gate"])]


class OwnRecord(Body):
    """A record to import, and your seat in it (null: none). Without ``seat``, the record's tag ``you`` applies.

    ``text`` may also have the three records of a Dynasty, which count as one game.
    """

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_RECORD)]
    seat: Annotated[int, Field(ge=0, le=3)] | None = None


class OwnRecords(Body):
    """Records to import into your list of games."""

    records: Annotated[list[OwnRecord], Field(min_length=1, max_length=MOST_RECORDS), FailFast()]


class RecordText(Body):
    """A record to verify or replay."""

    record: Annotated[str, Field(min_length=1, max_length=LONGEST_RECORD)]


class LinkSecret(Body):
    """The secret of a device link. ``join``: move this device's own games to the other identity."""

    secret: Annotated[str, Field(min_length=1, max_length=100)]
    join: bool = False


class NewPasskey(Body):
    """A passkey that the browser has created, as `toJSON` returns it."""

    credential: dict[str, Any]


class UsedPasskey(NewPasskey):
    """A passkey's answer. ``join``: move this device's own games to the passkey's identity."""

    join: bool = False


# Answers.


class End(Model):
    """Half a domino."""

    terrain: TerrainName
    crowns: int


class Domino(Model):
    """One of the 48."""

    number: int
    left: End
    right: End


class Bot(Model):
    """A bot by its spec string, its name at the table, its level (from 1), and whether it is the default."""

    bot: str
    name: str
    level: int
    usual: bool


class Health(Model):
    """The server runs; ``tables`` counts those in memory."""

    status: Literal["ok"]
    tables: int


class Ready(Model):
    """The server can write to its database."""

    status: Literal["ready"]


class Seen(Model):
    """A table, and your role there."""

    table: Table
    you: You


class MyTable(Model):
    """An unfinished table of yours. ``own`` are your seats."""

    id: str
    state: Unfinished
    seats: tuple[SeatEntry, ...]
    own: tuple[int, ...]
    round: int
    rounds: int
    your_turn: bool
    updated: int


class Person(Model):
    """Your name and your unfinished tables."""

    name: str | None
    tables: tuple[MyTable, ...]


class UnfinishedGame(Model):
    """An unfinished table of yours, for your list of games. ``seat`` is yours, with its current ``kingdom``.

    ``squares`` were covered when the game began.
    """

    id: str
    state: Unfinished
    rules: Rules
    players: tuple[Player, ...]
    seats: tuple[int, ...]
    round: int
    turn: int | None
    seat: int
    kingdom: tuple[PlacedDomino, ...]
    squares: tuple[TerrainSquare, ...]


class UnfinishedGames(Model):
    """Your unfinished tables, last changed first."""

    games: tuple[UnfinishedGame, ...]


class PlayedGames(Model):
    """Your games, newest first. ``total`` counts all that match the filter; ``next`` is the cursor of the next page."""

    games: tuple[Played, ...]
    total: int
    next: str | None


class Sum(Model):
    """How many games of one kind had this outcome: ``matches`` in your list, ``games`` and ``points`` altogether.

    ``bot`` is the spec string of all opponents; it is null if they were people, or different bots.
    """

    rules: str
    dynasty: Dynasty | None
    bot: str | None
    outcome: Outcome
    matches: int
    games: int
    points: int


class Statistics(Model):
    """Sums of your games, the rules sets in them, and the game with your most points."""

    sums: tuple[Sum, ...]
    rules: tuple[Rules, ...]
    best: Played | None


class Watched(Model):
    """A game to replay, and its events as a table would send them."""

    game: Played
    events: tuple[TableEvent, ...]


class Kept(Model):
    """The ids of the imported games, in the order of the records, and how many of them are new in your list."""

    games: tuple[str, ...]
    added: int


class Lobby(Model):
    """Public tables."""

    open: tuple[Summary, ...]
    watch: tuple[Summary, ...]


class Events(Model):
    """Events in order."""

    events: tuple[TableEvent, ...]


class Done(Model):
    """The number of the last resulting event."""

    number: int


class Identity(Model):
    """Your name, and the numbers of your tables and of your passkeys."""

    name: str | None
    games: int
    passkeys: int


class KnownPasskey(Model):
    """A passkey of yours: its id, its public key (Base64) and its signature counter."""

    id: str
    public_key: str
    uses: int


class KnownTable(Model):
    """A table whose log mentions you: your seats and your names there."""

    id: str
    state: str
    updated: int
    seats: tuple[int, ...]
    names: tuple[str, ...]
    is_host: bool


class OwnGame(Model):
    """A game in your list, and its records."""

    game: Played
    records: tuple[str, ...]


class AboutYou(Model):
    """Your id, name, settings and passkeys, and when your device link expires."""

    id: str
    name: str | None
    settings: Settings | None
    passkeys: tuple[KnownPasskey, ...]
    link_until: int | None


class PersonalData(AboutYou):
    """Everything that the server stores about you."""

    tables: tuple[KnownTable, ...]
    games: tuple[OwnGame, ...]


class DeviceLink(Model):
    """A link to sign in another device: its URL, a QR code (SVG as a data URL), and its lifetime."""

    url: str
    qr: str
    seconds: int


class PasskeyOptions(Model):
    """Options for the browser's `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`."""

    options: dict[str, Any]


class Forgotten(Model):
    """The server has deleted your identity."""

    forgotten: Literal[True]


class SeatSecret(Model):
    """The secret of a seat."""

    secret: str


class Invitation(Model):
    """A table, and a secret for a free seat there (none for an open seat)."""

    id: str
    secret: str | None


class Deal(Model):
    """A deal that matches its commitment. ``bots`` are the bots' seeds by seat, as decimal numbers.

    ``nonces`` are the seats whose nonce is in the deck; ``withheld`` are the seats that promised one but
    did not reveal it.
    """

    commitment: str
    deck: tuple[int, ...]
    opening: tuple[int, ...]
    proof: Proof
    nonces: tuple[int, ...]
    withheld: tuple[int, ...]
    bots: dict[int, str]
