"""The browser adds events up as the server does: the fold of all of them is the snapshot, at every moment."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from browser.player import Json, Player, Sit

BOT = {"kind": "bot", "bot": "greedy"}
FOLD = """async ([id, events]) => {
  const { apply, empty } = await import("/static/js/fold.js");
  return events.reduce(apply, empty(id));
}"""

TABLES: dict[str, tuple[list[str | Json], Json]] = {
    "two": (["me", BOT], {"harmony": True, "middle_kingdom": True}),
    "three": (["me", BOT, "me"], {"edition": "first"}),
    "three-second": (["me", BOT, "me"], {"middle_kingdom": True}),
    "four": (["me", BOT, BOT, BOT], {}),
    "duel": (["me", BOT], {"mighty_duel": True, "opening": "snake"}),
    "dynasty": (["me", BOT], {"dynasty": "best", "middle_kingdom": True}),
}


@pytest.fixture
def reader(sit: Sit) -> Player:
    """A page to fold in."""
    reader = sit()
    reader.go("/learn")
    return reader


def compare(reader: Player, player: Player, table: str) -> Json:
    """Fold what has happened up to a snapshot, and give the snapshot."""
    snapshot = player.snapshot(table)
    events: list[Json] = []
    while len(events) < snapshot["number"]:
        events += player.ask(f"/api/tables/{table}/events?after={len(events)}")["events"]
    assert reader.page.evaluate(FOLD, [table, events[: snapshot["number"]]]) == snapshot
    return snapshot


@pytest.mark.parametrize("kind", TABLES)
def test_the_fold_of_the_events_is_the_snapshot(sit: Sit, reader: Player, kind: str) -> None:
    seats, wishes = TABLES[kind]
    ida = sit()
    table = ida.lay(*seats, **wishes)
    for moment in itertools.count():
        snapshot = compare(reader, ida, table)
        if snapshot["state"] == "over":
            break
        if snapshot["state"] == "between":
            ida.ask(f"/api/tables/{table}/next", {})
        ida.program(table, later_than(snapshot["number"] + 10 * (moment % 3)))
    assert moment > 3


def later_than(number: int) -> Callable[[Json], bool]:
    return lambda stands: bool(stands["number"] > number)


def test_a_waiting_and_a_closed_table(sit: Sit, reader: Player) -> None:
    ida, oskar = sit(), sit()
    table = ida.lay("me", "open", "open", public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 2, "name": "Oskar"})
    compare(reader, ida, table)
    oskar.ask(f"/api/tables/{table}/seats/2/leave", {})
    compare(reader, ida, table)
    ida.ask(f"/api/tables/{table}/close", {})
    compare(reader, ida, table)
