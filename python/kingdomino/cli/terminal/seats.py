"""The players in their seats, people and bots, from ``--seat`` or from a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import kingdomino as kd
from kingdomino.cli.terminal import words
from kingdomino.display import distinct, shortened

_LONGEST = 20  # characters of a name, to fit above its kingdom


@dataclass(frozen=True)
class Seat:
    """A bot's seat, or the seat of a person at the keyboard (``bot`` is None). `name` is unique in the game.

    ``named`` is true for a bot with a name of its own, apart from its spec.
    """

    name: str
    bot: kd.bots.Bot | None = None
    named: bool = False

    @property
    def recorded(self) -> str:
        """The player's name in a record, from which `from_record` restores the seat."""
        return self.bot.spec if self.bot and not self.named else self.name


def from_specs(specs: Sequence[str], players: int) -> tuple[Seat, ...]:
    """Make seats from ``me``, ``me:NAME``, spec strings and ``NAME=SPEC``, and fill up with greedy.

    Raise `KingdominoError` for more specs than players, an invalid name, or an unknown bot.
    """
    if len(specs) > players:
        raise kd.KingdominoError(f"{len(specs)} seats for {players} players")
    specs = [*specs, *["greedy"] * (players - len(specs))]
    people = sum(_is_person(spec) for spec in specs)
    sitting: list[Seat] = []
    for number, spec in enumerate(specs, start=1):
        unnamed = words.YOU if people == 1 else f"Player {number}"
        sitting.append(Seat(_person_name(spec) or unnamed) if _is_person(spec) else _bot_seat(spec))
    return _distinct(sitting)


def from_record(record: kd.Record) -> tuple[Seat, ...]:
    """Make the seats of a record. The tags ``bot-0`` to ``bot-3`` name bots; people have the other seats.

    If the record has no names, a person has the first seat and greedy the others. Raise `BotError` for an unknown bot,
    and `KingdominoError` for an engine: a file from someone else must not start programs here.
    """
    if not record.players:
        return from_specs(["me"], record.rules.players)
    sitting = []
    for seat, name in enumerate(record.players):
        spec = record.tags.get(kd.bots.record_tag(seat))
        bot = None if spec is None else kd.bots.make(spec)
        if isinstance(bot, kd.bots.Engine):
            raise kd.KingdominoError(f"a record cannot start an engine; use --seat: {bot.spec!r}")
        named = bot is not None and name != spec
        sitting.append(Seat(shortened(bot.spec) if bot and not named else name, bot, named))
    return _distinct(sitting)


def _is_person(spec: str) -> bool:
    return spec.partition(":")[0].strip() == "me"


def _person_name(spec: str) -> str:
    name = spec.partition(":")[2].strip()
    if not name.isprintable() or len(name) > _LONGEST:
        raise kd.KingdominoError(f"not a name for a player: {name!r} (at most {_LONGEST} characters)")
    return name


def _bot_seat(text: str) -> Seat:
    given, *others = kd.bots.specs(text)
    if others:
        raise kd.KingdominoError(f"{text!r} names {len(others) + 1} bots; each seat has its own --seat")
    bot = kd.bots.make(given.spec)
    if given.name is None:
        return Seat(shortened(bot.spec), bot)
    if not given.name.isprintable() or len(given.name) > _LONGEST:
        raise kd.KingdominoError(f"not a name for a bot: {given.name!r} (at most {_LONGEST} characters)")
    return Seat(given.name, bot, named=True)


def _distinct(sitting: Sequence[Seat]) -> tuple[Seat, ...]:
    names = distinct([seat.name for seat in sitting])
    return tuple(replace(seat, name=name) for seat, name in zip(sitting, names, strict=True))
