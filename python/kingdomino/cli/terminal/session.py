"""The game at this terminal: whose turn it is, what is played, taken back and written down.

No input and no output. Imports the library's face and `seats`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import kingdomino as kd
from kingdomino.cli.terminal.seats import Seat, from_record

GAMES = 3
"""Games of a Dynasty."""

_TAGS = ("dynasty", "match-seed")


class Dynasty(NamedTuple):
    """What counts at the end, and the seed that all its games follow from."""

    counts: Literal["total", "best"]
    seed: int


@dataclass
class Session:
    """A game in progress, alone or in a Dynasty whose earlier games are `finished`.

    `tags` and `comments` are those of the record that the game came from; they go into the next one.
    """

    seats: tuple[Seat, ...]
    game: kd.Game
    dynasty: Dynasty | None = None
    finished: list[kd.Record] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)

    @classmethod
    def new(cls, rules: kd.Rules, seats: tuple[Seat, ...], seed: int, dynasty: str | None = None) -> Session:
        """Begin a game, or with ``dynasty`` "total" or "best" the first of three."""
        if dynasty is None:
            return cls(seats, kd.Game(rules, seed=seed))
        chosen = _dynasty(dynasty, seed)
        return cls(seats, _deal(rules, chosen).game, chosen)

    @classmethod
    def resume(cls, records: Sequence[kd.Record], seats: tuple[Seat, ...] | None = None) -> Session:
        """Go on with what `write` wrote. Raises `RecordError` where the records do not go on."""
        *finished, last = records
        game, seats = last.replay(), seats or from_record(last)
        tags = {tag: value for tag, value in last.tags.items() if tag not in _TAGS}
        if "dynasty" not in last.tags:
            if finished:
                raise kd.RecordError(f"{len(records)} games in one file, but no Dynasty")
            return cls(seats, game, tags=tags, comments=last.comments)
        try:
            seed = int(last.tags.get("match-seed", ""))
        except ValueError:
            raise kd.RecordError("a Dynasty needs the tag 'match-seed'") from None
        dynasty = _dynasty(last.tags["dynasty"], seed)
        _check(records, dynasty)
        return cls(seats, game, dynasty, finished, tags, last.comments)

    def write(self) -> str:
        """Write the text of a file from which `resume` goes on: a record, or one for each game so far."""
        return "\n".join(record.to_text() for record in [*self.finished, self.record()])

    def record(self) -> kd.Record:
        """Write down the game as it is."""
        tags = dict(self.tags)
        if self.dynasty:
            tags |= zip(_TAGS, (self.dynasty.counts, str(self.dynasty.seed)), strict=True)
        written = len(self.game.history)
        return kd.Record.from_game(
            self.game,
            players=[seat.recorded for seat in self.seats],
            tags=tags,
            comments={ply: comment for ply, comment in self.comments.items() if ply <= written},
        )

    @property
    def rules(self) -> kd.Rules:
        """The rules of the game."""
        return self.game.rules

    @property
    def names(self) -> list[str]:
        """One name a seat."""
        return [seat.name for seat in self.seats]

    @property
    def number(self) -> int:
        """Which game this is, from 1."""
        return len(self.finished) + 1

    @property
    def is_last(self) -> bool:
        """Whether no other game follows this one."""
        return self.dynasty is None or self.number == GAMES

    def match(self) -> kd.Match:
        """Give the Dynasty as far as it has been played. Only in a Dynasty."""
        assert self.dynasty is not None
        match = _deal(self.rules, self.dynasty)
        for record in [*self.finished, self.record()]:
            for action in record.actions:
                match.play(action)
        return match

    def next_game(self) -> None:
        """Begin the next game of a Dynasty. Only when this one is over and not the last."""
        game = self.match().game
        self.finished.append(self.record())
        self.game, self.comments = game, {}

    def undo(self) -> list[kd.Action]:
        """Take back everything since the last real choice of a person, that choice included.

        Gives what was taken back, in the order of play. Raises `KingdominoError`, and changes
        nothing, where no person has chosen anything in this game.
        """
        game, taken = copy(self.game), list[kd.Action]()
        while game.history:
            taken.insert(0, game.undo())
            seat = game.position.to_move
            if seat is not None and self.seats[seat].bot is None and len(game.legal_actions()) > 1:
                self.game = game
                return taken
        raise kd.KingdominoError("there is nothing to take back in this game")


def _deal(rules: kd.Rules, dynasty: Dynasty) -> kd.Match:
    return kd.Match(rules, dynasty.seed, GAMES, dynasty.counts)


def _check(records: Sequence[kd.Record], dynasty: Dynasty) -> None:
    """Raise `RecordError` unless these are the first games of the Dynasty, all but the last one over."""
    match = _deal(records[0].rules, dynasty)
    for number, record in enumerate(records, start=1):
        game, dealt = record.replay(), match.game
        if number != len(match.games) or match.is_over:
            raise kd.RecordError(f"game {number} cannot follow game {number - 1} in a Dynasty of {GAMES}")
        if (game.start, game.deck, game.opening) != (dealt.start, dealt.deck, dealt.opening):
            raise kd.RecordError(f"game {number} is not that of the Dynasty with match-seed {dynasty.seed}")
        for action in record.actions:
            match.play(action)


def _dynasty(counts: str, seed: int) -> Dynasty:
    if counts not in ("total", "best"):
        raise kd.RulesError(f"a Dynasty counts 'total' or 'best', not {counts!r}")
    return Dynasty("total" if counts == "total" else "best", seed)
