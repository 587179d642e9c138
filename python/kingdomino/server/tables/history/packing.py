"""The log of a table that is over, in a small form: what follows from the rules is left out, and computed again.

A decision is kept as its action, and the deal as its commitment and its nonces. Lines, scores, turns, results and the
deck follow. A log that this does not give back exactly, as one of an older server, is packed in the plain form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeAlias

from pydantic import TypeAdapter

import kingdomino as kd
from kingdomino.server.storage import Entry, Packing
from kingdomino.server.storage.packing import PLAIN, compress, decompress
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.commands import Transaction
from kingdomino.server.tables.core.state import State

__all__ = ["PACKING"]

_FORM: Final = b"2"
_NO_PLACES: Final = b"1"
"""The form of servers that told no places with a result."""


class _Decision(NamedTuple):
    """An action: the milliseconds since the item before, its text, who chose it, and what was left of the turn."""

    after: int
    action: str
    by: events.By
    left: int | None


class _Other(NamedTuple):
    """Any other event, without its number and time, and its secret."""

    after: int
    event: dict[str, Any]
    secret: dict[str, Any] | None


_Item: TypeAlias = _Decision | _Other
_ITEMS: Final[TypeAdapter[list[_Item]]] = TypeAdapter(list[_Item])


def _pack(table: str, entries: Sequence[Entry]) -> bytes:
    try:
        items = list(_items(table, entries))
        if _entries(table, items) == list(entries):
            return compress(_FORM, _ITEMS.dump_json(items))
    except Exception:
        pass
    return PLAIN.pack(table, entries)


def _unpack(table: str, packed: bytes) -> list[Entry]:
    form, text = decompress(packed)
    if form not in (_FORM, _NO_PLACES):
        return PLAIN.unpack(table, packed)
    entries = _entries(table, _ITEMS.validate_json(text))
    return entries if form == _FORM else [_without_places(entry) for entry in entries]


PACKING: Final = Packing(_pack, _unpack)


def _without_places(entry: Entry) -> Entry:
    if entry.kind != "finished":
        return entry
    event = json.loads(entry.body)
    for result in (event, event["match"] or {}):
        result.pop("places", None)
    return replace(entry, body=json.dumps(event, ensure_ascii=False, separators=(",", ":")))


def _items(table: str, entries: Sequence[Entry]) -> Iterator[_Item]:
    """Reduce a log to what does not follow from the entries before."""
    log = _Log(table)
    for place, entry in enumerate(entries):
        if entry.number <= log.number:
            continue
        after, event = entry.at - log.at, events.read(entry.body)
        item: _Item
        if isinstance(event, events.Action):
            item = _Decision(after, _text(event), event.by, _left(entries[place:]))
        else:
            fields = json.loads(entry.body)
            del fields["number"], fields["at"]
            item = _Other(after, fields, json.loads(entry.secret) if entry.secret is not None else None)
        log.add(item)
        yield item


def _entries(table: str, items: Iterable[_Item]) -> list[Entry]:
    """Compute the whole log."""
    log = _Log(table)
    for item in items:
        log.add(item)
    return log.entries


class _Log:
    """A log that is written once more."""

    def __init__(self, table: str) -> None:
        self._transaction = Transaction(State(table), 0)

    @property
    def number(self) -> int:
        return self._transaction.state.number

    @property
    def at(self) -> int:
        return self._transaction.at

    @property
    def entries(self) -> list[Entry]:
        return self._transaction.entries

    def add(self, item: _Item) -> None:
        """Add an item and what follows from it."""
        transaction = self._transaction
        transaction.at += item.after
        if isinstance(item, _Decision):
            transaction.left = item.left
            transaction.play(kd.Action.parse(item.action), item.by)
            return
        fields = item.event | {"number": self.number + 1, "at": self.at}
        event = events.read(json.dumps(fields))
        secret = None if item.secret is None else json.dumps(item.secret)
        hidden = events.read_secret(event.kind, secret)
        if isinstance(event, events.Dealt):
            transaction.begin(event, hidden)
        else:
            transaction.add(event, hidden)


def _text(action: events.Action) -> str:
    match action:
        case events.Claimed():
            return str(kd.Action.claim(action.domino))
        case events.Placed():
            return str(kd.Action.place((action.left, action.right)))
        case events.Discarded():
            return str(kd.Action.discard())


def _left(entries: Sequence[Entry]) -> int | None:
    """Give what is left of the turn that follows from the first of these entries, a decision."""
    same = takewhile(lambda entry: entry is entries[0] or entry.kind in _FOLLOW, entries)
    turns = [event.turn for event in (events.read(entry.body) for entry in same) if event.turn is not None]
    return turns[-1].left if turns else None


_FOLLOW: Final = ("revealed", "king_drawn", "finished", "deck_revealed")
"""The kinds of events that follow from a decision or a deal."""
