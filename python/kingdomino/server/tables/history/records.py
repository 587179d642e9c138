"""Records of a table's games, and imported records.

Tags contain the facts for which a record has no line (docs/formats/record.md).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, cast, get_args

import kingdomino as kd
from kingdomino.server.storage import Entry
from kingdomino.server.tables.core import deal, events
from kingdomino.server.tables.core.actor import replay
from kingdomino.server.tables.core.commands import Transaction, created
from kingdomino.server.tables.core.state import Seat, State
from kingdomino.server.tables.history.played import Played, Player
from kingdomino.server.tables.people.names import LONGEST_NAME, tidy_name

_ID_LENGTH: Final = 24
_LONGEST_SPEC: Final = 200
"""Characters of a bot's spec string; the rest is cut off, because a list of games repeats it for each game."""
_SHARED: Final = ("dynasty", "table", "you", *map(kd.bots.record_tag, range(4)))
"""Tags that the games of a Dynasty have in common."""


def finished(table: str, entries: Sequence[Entry]) -> Iterator[State]:
    """Yield a table's state at the end of each game, from its log with its secrets."""
    state = State(table)
    for entry in entries:
        replay(state, [entry])
        if entry.kind == "deck_revealed":
            yield state


def of_state(state: State, seats: Sequence[int] = ()) -> kd.Record:
    """Return the record of a table's finished game, for a reader in these seats."""
    return kd.Record.from_game(state.game, state.names, _tags(state) | _you(seats))


class Imported:
    """An imported game, or the three games of a Dynasty.

    Its ``id`` digests its text without the tag ``you``, so it is the same in every list.
    """

    def __init__(self, records: Sequence[kd.Record]) -> None:
        """Check that the games can be replayed. Raises `kd.KingdominoError`."""
        self.record = records[0]
        self.text = "".join(record.to_text() for record in records)
        lines = self.text.splitlines(keepends=True)
        game = "".join(line for line in lines if not line.startswith("tag you "))
        digest = hashlib.sha256(game.encode()).digest()
        self.id = base64.b32encode(digest).decode().lower()[:_ID_LENGTH]
        self._records = records
        self._games = [record.replay() for record in records]
        self._deals = [_deal(record, game) for record, game in zip(records, self._games, strict=True)]
        self._dynasty = _dynasty(records, self._games)

    @classmethod
    def read(cls, text: str) -> Imported:
        """Parse either form of a record, or the records of a Dynasty. Raises `kd.KingdominoError`."""
        return cls([kd.Record.parse(record) for _, record in kd.Record.split(text)])

    @property
    def table(self) -> str | None:
        """The table where it was played, if the record names it."""
        return self.record.tags.get("table")

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of the reader for whom it was exported."""
        own = self.record.tags.get("you", "").split()
        players = self.record.rules.players
        return tuple(seat for seat in range(players) if str(seat) in own)

    def texts_for(self, seats: Sequence[int]) -> list[str]:
        """Return each game's record as a text for a reader in these seats."""
        if tuple(seats) == self.seats:
            return [record.to_text() for record in self._records]
        texts: list[str] = []
        for record, game in zip(self._records, self._games, strict=True):
            tags = {tag: value for tag, value in record.tags.items() if tag != "you"} | _you(seats)
            changed = kd.Record.from_game(game, record.players, tags, record.comments)
            texts.append(changed.annotated(annotations=record.annotations).to_text())
        return texts

    def played(self, seats: tuple[int, ...], now: int) -> Played:
        """Describe the game for the player in these seats. A record without a date counts as played now."""
        return Played.of_games(
            self.id,
            self._games,
            self._players,
            seats,
            self._ended(now),
            dynasty=self._dynasty,
            is_over=self._games[-1].is_over,
            imported=True,
        )

    def events(self, at: int) -> list[str]:
        """Return the events, as JSON, of a table where this is played at this time."""
        seats = [Seat("bot" if player.bot else "person", player.name, player.bot) for player in self._players]
        transaction = Transaction(State(self.id), at)
        transaction.show(
            created(self.record.rules, self._dynasty, None, False, seats, "", at, self._deals[0].start)
        )
        for number, (record, dealt) in enumerate(zip(self._records, self._deals, strict=True), 1):
            transaction.show_deal(number, dealt)
            for action in record.actions():
                position = transaction.state.position
                assert position.to_move is not None
                transaction.play(action, "bot" if seats[position.to_move].kind == "bot" else "person")
        return [entry.body for entry in transaction.entries]

    @property
    def _players(self) -> tuple[Player, ...]:
        names = self.record.players or (None,) * self.record.rules.players
        tags = self.record.tags
        specs = (tags.get(kd.bots.record_tag(seat)) for seat in range(len(names)))
        bots = (None if spec is None else spec[:_LONGEST_SPEC] for spec in specs)
        return tuple(Player(name=_name(name or ""), bot=bot) for name, bot in zip(names, bots, strict=True))

    def _ended(self, now: int) -> int:
        tags = self._records[-1].tags
        try:
            ended = datetime.fromisoformat(f"{tags['date']}T{tags.get('time', '00:00:00')}")
        except (KeyError, ValueError):
            return now
        return min(now, max(0, int(ended.replace(tzinfo=UTC).timestamp() * 1000)))


def _deal(record: kd.Record, game: kd.Game) -> deal.Deal:
    deck = tuple(domino.number for domino in game.deck)
    opening = game.opening
    start = deal.start_of(game)
    if start is not None:
        if start.to_move is None:
            sentence = "this game ended before its first decision, so there is nothing to show"
            raise kd.RecordError(sentence, kd.Fault("no_decision", sentence))
        deck = deck[len(deck) - start.dominoes_to_come :]
        opening = opening[len(opening) - len(start.kings_to_draw) :]
    return deal.Deal(record.rules, deck, opening, record.tags.get("commitment", ""), start=start)


def _dynasty(records: Sequence[kd.Record], games: Sequence[kd.Game]) -> events.Dynasty | None:
    """Return how a Dynasty is decided; `None` for a single game. Raises `kd.RecordError` for other records."""
    if len(records) == 1:
        return None
    kind = records[0].tags.get("dynasty")
    shared = {(record.rules, record.players, *map(record.tags.get, _SHARED)) for record in records}
    numbers = [record.tags.get("game") for record in records]
    if (
        kind not in get_args(events.Dynasty)
        or len(shared) > 1
        or numbers != [str(number) for number in range(1, events.GAMES + 1)]
        or not all(game.is_over and deal.start_of(game) is None for game in games)
    ):
        sentence = "these records are not the three games of a Dynasty"
        raise kd.RecordError(sentence, kd.Fault("no_dynasty", sentence))
    return cast(events.Dynasty, kind)


def _tags(state: State) -> dict[str, str]:
    ended = datetime.fromtimestamp(state.updated // 1000, UTC)
    bots = {
        kd.bots.record_tag(number): seat.bot
        for number, seat in enumerate(state.seats)
        if seat.bot is not None
    }
    first = state.ply - len(state.game.history)
    hints = {"hints": " ".join(str(ply - first) for ply in state.hints)} if state.hints else {}
    games = {"dynasty": state.dynasty, "game": str(state.game_number)} if state.dynasty else {}
    return {
        "date": ended.date().isoformat(),
        "time": ended.time().isoformat(),
        "table": state.id,
        **deal.tags(state.deal),
        **bots,
        **hints,
        **games,
    }


def _you(seats: Sequence[int]) -> dict[str, str]:
    return {"you": " ".join(map(str, seats))} if seats else {}


def _name(text: str) -> str | None:
    """Shorten a name that is too long; return `None` if it is unprintable."""
    try:
        return tidy_name(text.strip()[:LONGEST_NAME])
    except ValueError:
        return None


def is_record_id(text: str) -> bool:
    """Return whether a text has the form of an imported record's id."""
    return len(text) == _ID_LENGTH and text.isascii() and text.isalnum()
