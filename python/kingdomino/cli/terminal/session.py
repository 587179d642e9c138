"""The game in the terminal: play, undo, save and resume, without input or output."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field

import kingdomino as kd
from kingdomino.cli.terminal.seats import Seat, from_record

_TAGS = ("dynasty", "game", "match-seed")
_HINTS = "hints"
"""The tag with the plies at which the player asked for a hint."""


@dataclass
class Session:
    """A game in progress, alone or part of a Dynasty, the `match`.

    `finished` has the records of the Dynasty's earlier games. A resumed record's `tags`, `comments` and `annotations`
    go into the next record.
    """

    seats: tuple[Seat, ...]
    game: kd.Game
    match: kd.Match | None = None
    finished: list[kd.Record] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    annotations: dict[int, kd.Annotation] = field(default_factory=dict)

    @classmethod
    def new(cls, rules: kd.Rules, seats: tuple[Seat, ...], seed: int, dynasty: str | None = None) -> Session:
        """Start a game, or the first of three if ``dynasty`` is "total" or "best"."""
        if dynasty is None:
            return cls(seats, kd.Game(rules, seed=seed))
        match = kd.Match(rules, seed, dynasty=dynasty)  # type: ignore[arg-type]  # it checks the name
        return cls(seats, match.game, match)

    @classmethod
    def resume(cls, records: Sequence[kd.Record], seats: tuple[Seat, ...] | None = None) -> Session:
        """Continue a game from the records of `write`. Raise `RecordError` if they do not belong together."""
        *finished, last = records
        seats = seats or from_record(last)
        made = (*_TAGS, *map(kd.bots.record_tag, range(len(seats))))
        tags = {name: value for name, value in last.tags.items() if name not in made}
        if "dynasty" in last.tags:
            match = _replay(records)
            game = match.games[len(finished)]
            return cls(seats, game, match, finished, tags, last.comments, last.annotations)
        if finished:
            raise kd.RecordError(f"{len(records)} games in one file that are not a Dynasty")
        return cls(seats, last.replay(), tags=tags, comments=last.comments, annotations=last.annotations)

    def write(self) -> str:
        """Return the text of a file for `resume`: a record for each game so far."""
        return "\n".join(record.to_text() for record in [*self.finished, self.record()])

    def record(self) -> kd.Record:
        """Return the record of the game so far."""
        bots = {
            kd.bots.record_tag(number): seat.bot.spec for number, seat in enumerate(self.seats) if seat.bot
        }
        tags = self.tags | bots
        if self.match:
            facts = self.match.dynasty, str(self.number), str(self.match.seed)
            tags |= zip(_TAGS, facts, strict=True)
        record = kd.Record.from_game(self.game, [seat.recorded for seat in self.seats], tags)
        return record.annotated(self.comments, self.annotations)

    @property
    def rules(self) -> kd.Rules:
        """The rules of the game."""
        return self.game.rules

    @property
    def names(self) -> list[str]:
        """The names by seat."""
        return [seat.name for seat in self.seats]

    @property
    def number(self) -> int:
        """The number of this game, from 1."""
        return len(self.finished) + 1

    @property
    def is_last(self) -> bool:
        """Whether this is the last game."""
        return self.match is None or self.number == self.match.length

    def next_game(self) -> None:
        """Start the next game of a Dynasty. This game must be over and not the last."""
        assert self.match is not None
        self.finished.append(self.record())
        self.game, self.comments, self.annotations = self.match.game, {}, {}
        self.tags.pop(_HINTS, None)

    def note_hint(self) -> None:
        """Note a hint for this decision in the record.

        Raise `KingdominoError`, and note nothing, unless all the other players are bots.
        """
        if sum(seat.bot is None for seat in self.seats) > 1:
            raise kd.KingdominoError("there are hints only where all the other players are bots")
        plies = dict.fromkeys([*self.tags.get(_HINTS, "").split(), str(len(self.game.history))])
        self.tags[_HINTS] = " ".join(plies)

    def annotate(self, review: kd.analysis.Review) -> None:
        """Add the figures of a review to the record of this game."""
        annotated = kd.analysis.annotate(self.record(), review)
        self.comments, self.annotations = annotated.comments, annotated.annotations

    def undo(self) -> list[kd.Action]:
        """Take back a person's last choice among several actions, and everything after it.

        Return these actions in the order of play. Raise `KingdominoError`, and change nothing, if there is no such
        choice in this game.
        """
        before = copy(self.game)
        while before.history:
            before.undo()
            seat = before.position.to_move
            if seat is not None and self.seats[seat].bot is None and len(before.legal_actions()) > 1:
                left = len(before.history)
                taken = [self.game.undo() for _ in range(len(self.game.history) - left)]
                self.comments = {ply: comment for ply, comment in self.comments.items() if ply <= left}
                # An annotation has the cost of the action played there, so remove it with the action.
                self.annotations = {ply: one for ply, one in self.annotations.items() if ply < left}
                return taken[::-1]
        raise kd.KingdominoError("there is nothing to take back in this game")


def _replay(records: Sequence[kd.Record]) -> kd.Match:
    """Replay a Dynasty. Raise `RecordError` unless the records are its first games, in order."""
    tags = records[-1].tags
    try:
        seed = int(tags.get("match-seed", ""))
    except ValueError:
        raise kd.RecordError("a Dynasty needs the tag 'match-seed'") from None
    match = kd.Match(records[0].rules, seed, dynasty=tags["dynasty"])  # type: ignore[arg-type]  # it checks the name
    for number, record in enumerate(records, start=1):
        if number > len(match.games):
            raise kd.RecordError(
                f"game {number} cannot follow game {number - 1} in a Dynasty of {match.length}"
            )
        game, dealt = record.replay(), match.games[-1]
        if (game.start, game.deck, game.opening) != (dealt.start, dealt.deck, dealt.opening):
            raise kd.RecordError(f"this is not game {number} of the Dynasty with match-seed {seed}")
        for action in record.actions():
            dealt.play(action)
    return match
