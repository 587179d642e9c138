"""The game in the terminal: playing, taking back, saving and resuming. No input and no output."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field

import kingdomino as kd
from kingdomino.cli.terminal.seats import Seat, from_record

_TAGS = ("dynasty", "game", "match-seed")
_HINTS = "hints"
"""The tag with the plies for which a hint was taken."""


@dataclass
class Session:
    """A game in progress, single or one of the games of a Dynasty, which is `match`.

    `finished` are the records of the Dynasty's earlier games. `tags`, `comments` and `annotations` come from the record
    that was resumed, and go into the next one.
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
        """Start a game, or with ``dynasty`` "total" or "best" the first of three."""
        if dynasty is None:
            return cls(seats, kd.Game(rules, seed=seed))
        match = kd.Match(rules, seed, dynasty=dynasty)  # type: ignore[arg-type]  # it checks the name
        return cls(seats, match.game, match)

    @classmethod
    def resume(cls, records: Sequence[kd.Record], seats: tuple[Seat, ...] | None = None) -> Session:
        """Continue what `write` has saved. Raises `RecordError` if the records do not belong together."""
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
        """Give the text of a file for `resume`: a record for each game so far."""
        return "\n".join(record.to_text() for record in [*self.finished, self.record()])

    def record(self) -> kd.Record:
        """Give the record of the game so far."""
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
        """One name a seat."""
        return [seat.name for seat in self.seats]

    @property
    def number(self) -> int:
        """Which game this is, from 1."""
        return len(self.finished) + 1

    @property
    def is_last(self) -> bool:
        """Whether no other game follows this one."""
        return self.match is None or self.number == self.match.length

    def next_game(self) -> None:
        """Start the next game of a Dynasty. This one must be over, and not the last."""
        assert self.match is not None
        self.finished.append(self.record())
        self.game, self.comments, self.annotations = self.match.game, {}, {}
        self.tags.pop(_HINTS, None)

    def note_hint(self) -> None:
        """Note in the record that a hint is taken for this decision.

        Raises `KingdominoError`, and notes nothing, unless all the other players are bots.
        """
        if sum(seat.bot is None for seat in self.seats) > 1:
            raise kd.KingdominoError("there are hints only where all the other players are bots")
        plies = dict.fromkeys([*self.tags.get(_HINTS, "").split(), str(len(self.game.history))])
        self.tags[_HINTS] = " ".join(plies)

    def annotate(self, review: kd.analysis.Review) -> None:
        """Put the figures of a review of this game into its record."""
        annotated = kd.analysis.annotate(self.record(), review)
        self.comments, self.annotations = annotated.comments, annotated.annotations

    def undo(self) -> list[kd.Action]:
        """Take back the last action that a person chose among several, and everything after it.

        Gives these actions, in the order of play. Raises `KingdominoError`, and changes nothing, if there is none in
        this game.
        """
        before = copy(self.game)
        while before.history:
            before.undo()
            seat = before.position.to_move
            if seat is not None and self.seats[seat].bot is None and len(before.legal_actions()) > 1:
                left = len(before.history)
                taken = [self.game.undo() for _ in range(len(self.game.history) - left)]
                self.comments = {ply: comment for ply, comment in self.comments.items() if ply <= left}
                # An annotation knows the cost of the action that was played there, so it goes with that.
                self.annotations = {ply: one for ply, one in self.annotations.items() if ply < left}
                return taken[::-1]
        raise kd.KingdominoError("there is nothing to take back in this game")


def _replay(records: Sequence[kd.Record]) -> kd.Match:
    """Replay a Dynasty. Raises `RecordError` unless the records are its first games, in order."""
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
            raise kd.RecordError(f"game {number} is not that of the Dynasty with match-seed {seed}")
        for action in record.actions():
            dealt.play(action)
    return match
