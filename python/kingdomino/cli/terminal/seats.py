"""The players in their seats, people and bots, from ``--seat`` or from the names in a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import kingdomino as kd
from kingdomino.cli.terminal import words
from kingdomino.display import distinct

_LONGEST = 20  # characters of a name, so that it fits above its kingdom


@dataclass(frozen=True)
class Seat:
    """A seat of a bot, or of a person at the keyboard (``bot`` is None). `name` is unique in the game."""

    name: str
    bot: kd.bots.Bot | None = None

    @property
    def recorded(self) -> str:
        """The name of this player in a record, from which `from_record` makes the same seat."""
        return self.bot.spec if self.bot else self.name


def from_specs(specs: Sequence[str], players: int) -> tuple[Seat, ...]:
    """Make the seats for ``me``, ``me:NAME`` and the spec strings of bots; the remaining seats are greedy's.

    Raises `KingdominoError` for more specs than players, an invalid name, or an unknown bot.
    """
    if len(specs) > players:
        raise kd.KingdominoError(f"{len(specs)} seats for {players} players")
    specs = [*specs, *["greedy"] * (players - len(specs))]
    people = sum(_is_person(spec) for spec in specs)
    sitting: list[str | kd.bots.Bot] = []
    for number, spec in enumerate(specs, start=1):
        unnamed = words.YOU if people == 1 else f"Player {number}"
        sitting.append(_person_name(spec) or unnamed if _is_person(spec) else kd.bots.make(spec))
    return _seats(sitting)


def from_record(record: kd.Record) -> tuple[Seat, ...]:
    """Make the seats of a record: a player whose name is a bot's spec is that bot, all others are people.

    In a record without names the first seat is a person's and the others are greedy's. Raises `KingdominoError` for
    an engine: a file may come from another person, and must not start programs here.
    """
    if not record.players:
        return from_specs(["me"], record.rules.players)
    sitting = [_bot(name) or name for name in record.players]
    for player in sitting:
        if isinstance(player, kd.bots.Engine):
            raise kd.KingdominoError(f"a record cannot start an engine; use --seat: {player.spec!r}")
    return _seats(sitting)


def _is_person(spec: str) -> bool:
    return spec.partition(":")[0].strip() == "me"


def _person_name(spec: str) -> str:
    name = spec.partition(":")[2].strip()
    if not name.isprintable() or len(name) > _LONGEST:
        raise kd.KingdominoError(f"not a name for a player: {name!r} (at most {_LONGEST} characters)")
    if _bot(name):
        raise kd.KingdominoError(f"{name!r} is the name of a bot, so a player cannot have it")
    return name


def _bot(name: str) -> kd.bots.Bot | None:
    try:
        return kd.bots.make(name)
    except kd.BotError:
        return None


def _seats(sitting: Sequence[str | kd.bots.Bot]) -> tuple[Seat, ...]:
    names = distinct([player if isinstance(player, str) else player.spec for player in sitting])
    return tuple(
        Seat(name, None if isinstance(player, str) else player)
        for name, player in zip(names, sitting, strict=True)
    )
