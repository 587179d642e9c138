"""What the server answers, as types: for the OpenAPI document at /docs and the tests against it.

docs/formats/table.md says what each field means. Answers are not built from these types: they are written
straight from the table's values, and the tests compare. Imports `refusals`.
"""

from http import HTTPStatus
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from kingdomino.server.refusals import STATUS

Dynasty = Literal["total", "best"] | None
DecidedBy = Literal["score", "largest_territory", "crowns", "shared"]
TerrainName = Literal["wheat", "forest", "lake", "grassland", "swamp", "mine"]
XY = tuple[int, int]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class End(_Answer):
    """Half a domino."""

    terrain: TerrainName
    crowns: int


class Domino(_Answer):
    """One of the 48."""

    number: int
    left: End
    right: End


class Bot(_Answer):
    """A bot by its spec string, its name at the table, how strong it is (from 1), and whether it is who sits
    down if nobody is named.
    """

    bot: str
    name: str
    level: int
    usual: bool


class Health(_Answer):
    """How the server is; ``tables`` are those in memory."""

    status: Literal["ok"]
    tables: int


class Rules(_Answer):
    """A rules set, and what follows from it."""

    text: str
    players: int
    edition: Literal["first", "second"]
    mighty_duel: bool
    harmony: bool
    middle_kingdom: bool
    opening: Literal["random", "snake"]
    size: int
    kings: int
    rounds: int
    line: int
    dominoes: int
    harmony_points: int
    middle_kingdom_points: int


class SeatEntry(_Answer):
    """Who sits in a seat."""

    seat: int
    kind: Literal["person", "bot", "invited", "open"]
    name: str | None
    bot: str | None
    away: Literal["left", "time"] | None


class Territory(_Answer):
    """Connected squares of one terrain."""

    terrain: TerrainName
    squares: list[XY]
    crowns: int
    points: int


class Score(_Answer):
    """A kingdom's points."""

    total: int
    territories: list[Territory]
    harmony: int
    middle_kingdom: int


class TurnNow(_Answer):
    """What is to be done next."""

    ply: int
    seat: int
    phase: Literal["claim", "place"]
    domino: int | None
    fits: bool
    round: int
    deadline: int | None


class Offered(_Answer):
    """A domino of a line."""

    domino: int
    seat: int | None
    done: bool


class Kingdom(_Answer):
    """A kingdom: dominoes as number, left x, left y, right x, right y."""

    dominoes: list[tuple[int, int, int, int, int]]
    discarded: list[int]
    score: Score


class Event(BaseModel):
    """Something that happened; the fields depend on the kind."""

    model_config = ConfigDict(extra="allow")

    number: int
    at: int
    kind: Literal[
        "created",
        "seated",
        "dealt",
        "revealed",
        "king_drawn",
        "claimed",
        "placed",
        "discarded",
        "left",
        "returned",
        "finished",
        "deck_revealed",
        "rematch",
        "closed",
    ]


class Table(_Answer):
    """A table as it stands."""

    id: str
    number: int
    state: Literal["waiting", "playing", "between", "over", "closed"]
    created: int
    rules: Rules
    dynasty: Dynasty
    seconds: int | None
    public: bool
    game: int
    games: int
    totals: list[int]
    seats: list[SeatEntry]
    round: int
    turn: TurnNow | None
    line: list[Offered]
    next_line: list[Offered]
    kingdoms: list[Kingdom]
    unseen: list[int]
    in_deck: int
    commitment: str | None
    finished: Event | None
    deal: Event | None
    rematch: str | None
    recent: list[Event]


class Invite(_Answer):
    """The secret of a seat that waits for a friend."""

    seat: int
    secret: str


class You(_Answer):
    """What you are at a table."""

    name: str | None
    seats: list[int]
    host: bool
    invites: list[Invite]
    code: str | None


class Seen(_Answer):
    """A table, and what you are there."""

    table: Table
    you: You


class MyTable(_Answer):
    """A table of yours that goes on."""

    id: str
    state: Literal["waiting", "playing", "between"]
    names: list[str | None]
    seat: int
    round: int
    rounds: int
    your_turn: bool
    updated: int


class Person(_Answer):
    """You."""

    name: str | None
    tables: list[MyTable]


class Listed(_Answer):
    """A table in the lobby."""

    id: str
    state: Literal["waiting", "playing", "between"]
    rules: Rules
    seats: list[SeatEntry]
    round: int
    turn: int | None
    created: int
    updated: int


class Lobby(_Answer):
    """Public tables."""

    open: list[Listed]
    watch: list[Listed]


class Events(_Answer):
    """Events in their order."""

    events: list[Event]


class Growth(_Answer):
    """A territory that a placement makes or joins, as it would be then, and what it gains."""

    terrain: TerrainName
    squares: int
    crowns: int
    points: int


class Placement(_Answer):
    """A legal placement."""

    action: str
    left: XY
    right: XY
    points: int
    grows: list[Growth]


class Refused(_Answer):
    """A reason, and the placements that it stands against."""

    code: Literal["taken", "too_wide", "too_tall", "no_match"]
    squares: int
    terrains: list[TerrainName]
    text: str
    placements: list[tuple[int, int, int, int]]


class Claim(_Answer):
    """A domino that can be claimed."""

    action: str
    domino: int
    fits: bool
    points: int


class Choices(_Answer):
    """What the player to move can do."""

    ply: int
    seat: int
    phase: Literal["claim", "place"]
    domino: int | None
    score: int
    placements: list[Placement]
    refused: list[Refused]
    claims: list[Claim]


class Done(_Answer):
    """The number of the last event that came of it."""

    number: int


class Id(_Answer):
    """The id of a table."""

    id: str


class Secret(_Answer):
    """The secret of a seat."""

    secret: str


class Invitation(_Answer):
    """A table, and the secret of a seat there (none for an open seat)."""

    id: str
    secret: str | None


class Deal(_Answer):
    """A deal that was checked."""

    commitment: str
    deck: list[int]
    opening: list[int]
    salt: str


class RefusalBody(BaseModel):
    """What was not done, and why."""

    model_config = ConfigDict(extra="allow")

    code: str
    reason: str


def answers(model: object, *codes: str, ok: int = 200) -> dict[int | str, dict[str, Any]]:
    """Document a route: its answer and its refusals."""
    return {ok: {"model": model}, **refusals(*codes)}


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Document refusals, those of one status together."""
    by_status: dict[int | str, list[str]] = {}
    for code in codes:
        by_status.setdefault(STATUS[code], []).append(code)
    return {
        status: {"model": RefusalBody, "description": f"{HTTPStatus(int(status)).phrase}: {', '.join(named)}"}
        for status, named in by_status.items()
    }
