"""The typed events of a table (docs/formats/table.md).

One class serves to build, store, apply, send and document an event. Facts that only the server may know (the deck, the
players' identities) are stored with the event, as its secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    model_serializer,
)

import kingdomino as kd
from kingdomino import _core

Dynasty: TypeAlias = Literal["total", "best"]
TerrainName: TypeAlias = Literal["wheat", "forest", "lake", "grassland", "swamp", "mine"]
DecidedBy: TypeAlias = Literal["score", "largest_territory", "crowns", "shared"]
By: TypeAlias = Literal["person", "bot", "stand-in"]
Away: TypeAlias = Literal["left", "time", "absent"]
"""Why a bot plays for a person: they left, ran out of time, or were away and the others did not wait."""
XY: TypeAlias = tuple[int, int]

GAMES: Final = 3
"""How many games a Dynasty has."""


class Model(BaseModel):
    """An immutable object of a message, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# The parts of events.


class Territory(Model):
    """Connected squares of one terrain."""

    terrain: TerrainName
    squares: tuple[XY, ...]
    crowns: int
    points: int


class Score(Model):
    """A kingdom's points. ``total`` includes the bonuses only at the end of the game; until then they can be lost.

    ``harmony_lost``: whether a discard has made Harmony impossible, even one before the start of the game.
    """

    total: int
    territories: tuple[Territory, ...]
    harmony: int
    middle_kingdom: int
    harmony_lost: bool

    @classmethod
    def of(cls, position: kd.Position, seat: int) -> Self:
        """Score a seat's kingdom during a game."""
        return cls.model_validate_json(_core.table_score(position, seat))


class Rules(Model):
    """A rules set and its derived values.

    ``to_draw`` are the seats of the kings in the opening. ``snake`` has the order of claims for each seat that may be
    drawn first; it is empty if every king is drawn. ``castle`` is the score of a lone castle.
    """

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
    to_draw: tuple[int, ...]
    snake: tuple[tuple[int, ...], ...]
    castle: Score

    @classmethod
    @lru_cache(maxsize=128)
    def of(cls, rules: kd.Rules) -> Self:
        """Describe a rules set. Cached, because every summary of a table contains one."""
        return cls.model_validate_json(_core.table_rules(rules))


class SeatEntry(Model):
    """Who has a seat."""

    seat: int
    kind: Literal["person", "bot", "invited", "open"]
    name: str | None
    bot: str | None
    away: Away | None


class Turn(Model):
    """The next decision. ``left`` are the milliseconds that a person had for it at the time of the event."""

    ply: int
    seat: int
    phase: Literal["claim", "place"]
    domino: int | None
    fits: bool
    round: int
    left: int | None


class LineEntry(Model):
    """A domino of a line and the seat that claimed it. ``done``: it was placed or discarded, or was never claimed."""

    domino: int
    seat: int | None
    done: bool


class TerrainSquare(Model):
    """A covered square of a kingdom, without the castle, whose domino is unknown."""

    x: int
    y: int
    terrain: TerrainName
    crowns: int


class BareKingdom(Model):
    """A kingdom with known squares but unknown dominoes."""

    squares: tuple[TerrainSquare, ...]
    score: Score


class Start(Model):
    """The position from which a game begins, as a text (``position``) and in parts.

    ``to_draw`` are the seats of the kings still to be drawn; in the snake opening the first one decides the order.
    """

    position: str
    round: int
    line: tuple[LineEntry, ...]
    next_line: tuple[LineEntry, ...]
    kingdoms: tuple[BareKingdom, ...]
    unseen: tuple[int, ...]
    in_deck: int
    to_draw: tuple[int, ...]

    @classmethod
    def of(cls, position: kd.Position) -> Self:
        """Show a position in which a seat is to move."""
        return cls.model_validate_json(_core.table_start(position))


class MatchResult(Model):
    """The result of a Dynasty."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy

    @classmethod
    def of(cls, outcome: kd.Outcome) -> Self:
        """Convert an outcome, with only the points of each score."""
        return cls(
            scores=points(outcome.scores),
            ranking=outcome.ranking,
            places=outcome.places,
            winners=outcome.winners,
            decided_by=outcome.decided_by,
        )


class Proof(Model):
    """The inputs of a deal: the seats in its commitment, the server's secret, and the nonces by seat.

    ``digests`` are the promises of the nonces. A nonce is missing if its browser did not reveal it in time.
    """

    seats: tuple[str, ...]
    secret: str
    digests: tuple[str | None, ...]
    nonces: tuple[str | None, ...]


def points(scores: tuple[kd.Score, ...]) -> tuple[int, ...]:
    """Return the points by seat."""
    return tuple(score.total for score in scores)


# The events.


class Event(Model):
    """An event of a table: ``number`` counts from 1, ``at`` is in milliseconds since 1970.

    ``turn`` is present only if the event changes it; null means that there is no decision to make.
    """

    number: int
    at: int
    turn: Turn | None = None

    @model_serializer(mode="wrap")
    def _leave_out_turn(self, write: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]  # noqa: ANN202
        # Without a return type, so that Pydantic documents the original fields.
        fields: dict[str, Any] = write(self)
        if "turn" not in self.model_fields_set:
            fields.pop("turn", None)
        return fields


class Created(Event):
    """The table was created. ``host`` is the host's seat, if they have one.

    ``start``: the position from which the game begins, if not the empty table.
    """

    kind: Literal["created"] = "created"
    rules: Rules
    dynasty: Dynasty | None
    games: int
    seconds: int | None
    public: bool
    host: int | None
    seats: tuple[SeatEntry, ...]
    start: Start | None = None


class Seated(Event):
    """A seat was taken or became free."""

    kind: Literal["seated"] = "seated"
    seat: int
    entry: SeatEntry


class Committed(Event):
    """The server committed to a secret for the next game. ``seats`` are the seats in the commitment."""

    kind: Literal["committed"] = "committed"
    game: int
    commitment: str
    seats: tuple[str, ...]


class Drawing(Event):
    """All seats are taken: browsers reveal the nonces that they promised. ``digests`` are the promises, by seat."""

    kind: Literal["drawing"] = "drawing"
    game: int
    digests: tuple[str | None, ...]


class NonceGiven(Event):
    """A browser revealed its nonce."""

    kind: Literal["nonce"] = "nonce"
    seat: int
    nonce: str


class Dealt(Event):
    """A game begins. The server published ``commitment`` before; ``nonces`` are those in the deck, by seat.

    An imported game has no nonces; its commitment is empty if its record has none.
    """

    kind: Literal["dealt"] = "dealt"
    game: int
    commitment: str
    nonces: tuple[str | None, ...] | None = None


class Revealed(Event):
    """A line was revealed. ``in_deck`` dominoes are still in the deck."""

    kind: Literal["revealed"] = "revealed"
    round: int
    line: tuple[int, ...]
    unseen: tuple[int, ...]
    in_deck: int


class KingDrawn(Event):
    """A king was drawn in the opening. Its seat claims next."""

    kind: Literal["king_drawn"] = "king_drawn"
    seat: int


class RoundBegan(Event):
    """A round began: the next line became the ``line``."""

    kind: Literal["round_began"] = "round_began"
    round: int
    line: tuple[LineEntry, ...]


class _Action(Event):
    ply: int
    seat: int
    domino: int
    by: By


class Claimed(_Action):
    """A seat claimed a domino."""

    kind: Literal["claimed"] = "claimed"


class Placed(_Action):
    """A seat placed its domino. ``points`` is the gain of the placement, ``score`` the kingdom's score after it."""

    kind: Literal["placed"] = "placed"
    left: XY
    right: XY
    points: int
    score: Score


class Discarded(_Action):
    """A seat discarded its domino."""

    kind: Literal["discarded"] = "discarded"
    score: Score


class Left(Event):
    """A bot plays for a player from now on."""

    kind: Literal["left"] = "left"
    seat: int
    why: Away


class Returned(Event):
    """A player returned."""

    kind: Literal["returned"] = "returned"
    seat: int


class Finished(Event):
    """A game is over. ``totals`` are the points by seat of this game and all earlier ones.

    ``places`` are by seat; seats that no tie-break separates have the same place. ``behind_by`` is, by seat, the rule
    that puts it behind the previous seat of the ``ranking``. Tie-breaks compare ``largest_territories``, in squares,
    and ``crowns``, which is empty under rules where crowns break no tie.
    """

    kind: Literal["finished"] = "finished"
    game: int
    scores: tuple[Score, ...]
    ranking: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy
    behind_by: tuple[DecidedBy | None, ...]
    largest_territories: tuple[int, ...]
    crowns: tuple[int, ...]
    totals: tuple[int, ...]
    match: MatchResult | None


class DeckRevealed(Event):
    """The deal of the finished game, to check against its commitment. An imported game has no ``proof``."""

    kind: Literal["deck_revealed"] = "deck_revealed"
    game: int
    deck: tuple[int, ...]
    opening: tuple[int, ...]
    commitment: str
    proof: Proof | None = None


class Hinted(Event):
    """A player took a hint for the decision at this ply."""

    kind: Literal["hinted"] = "hinted"
    ply: int
    seat: int


class Wished(Event):
    """A player wants to end the game or to play again, or declines, or takes the wish back."""

    kind: Literal["wished"] = "wished"
    seat: int
    what: Literal["end", "rematch"]
    yes: bool


class Rematch(Event):
    """The same players play again at another table."""

    kind: Literal["rematch"] = "rematch"
    table: str


class Closed(Event):
    """The table was closed: by its host while it waited, by its players, or because it was unused for long."""

    kind: Literal["closed"] = "closed"
    why: Literal["host", "ended", "unused"]


Action: TypeAlias = Claimed | Placed | Discarded
TableEvent: TypeAlias = Annotated[
    Created
    | Seated
    | Committed
    | Drawing
    | NonceGiven
    | Dealt
    | Revealed
    | KingDrawn
    | RoundBegan
    | Claimed
    | Placed
    | Discarded
    | Left
    | Returned
    | Finished
    | DeckRevealed
    | Hinted
    | Wished
    | Rematch
    | Closed,
    Field(discriminator="kind"),
]
_EVENT: Final[TypeAdapter[TableEvent]] = TypeAdapter(TableEvent)
KINDS: Final = tuple(event.model_fields["kind"].default for event in get_args(get_args(TableEvent)[0]))
"""Every kind of event."""


def read(body: str | bytes) -> TableEvent:
    """Parse a stored event. Raises `pydantic.ValidationError`."""
    return _EVENT.validate_json(body)


def event_of(fields: Mapping[str, Any]) -> TableEvent:
    """Return the event with these fields, among them its ``kind``."""
    return _EVENT.validate_python(fields)


# Secrets of events, which the server never sends. Neither a repr nor an error contains their values, so logs do not.


class Secret(BaseModel):
    """The secret part of an event."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    @property
    def people(self) -> tuple[str, ...]:
        """The identities in it."""
        return ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    __str__ = __repr__


class CreatedSecret(Secret):
    """The identities of the host and of the players, the table's code while it waits, and the digests by seat.

    A host whose identity was deleted is `None`.
    """

    host: str | None
    users: dict[int, str]
    code: str | None
    digests: dict[int, str] = {}

    @property
    def people(self) -> tuple[str, ...]:
        """The host, if known, and the players."""
        return (*filter(None, [self.host]), *self.users.values())


class SeatedSecret(Secret):
    """The identity of the player in the seat, and the digest that their browser promised."""

    user: str | None
    digest: str | None = None

    @property
    def people(self) -> tuple[str, ...]:
        """The player, if there is one."""
        return tuple(filter(None, [self.user]))


class CommittedSecret(Secret):
    """The secret that the server committed to."""

    secret: str


class WishedSecret(Secret):
    """The digest for the next table."""

    digest: str


class DealtSecret(Secret):
    """The deal of an imported game."""

    deck: tuple[int, ...]
    opening: tuple[int, ...]


_SECRETS: Final[dict[str, type[Secret]]] = {
    "created": CreatedSecret,
    "seated": SeatedSecret,
    "committed": CommittedSecret,
    "wished": WishedSecret,
    "dealt": DealtSecret,
}


def read_secret(kind: str, text: str | None) -> Secret | None:
    """Parse the stored secret of an event of this kind."""
    return _SECRETS[kind].model_validate_json(text) if text is not None else None
