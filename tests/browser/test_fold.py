"""The browser adds events up as the server does: the fold of all of them is the snapshot, at every moment."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence

import pytest

from browser.player import Json, Player, Sit

BOT = {"kind": "bot", "bot": "greedy"}
FOLD = """async (told) => {
  const { id, events, moments } = JSON.parse(told);
  const { apply, empty } = await import("/static/js/fold.js");
  let table = empty(id);
  const folded = [];
  for (const event of events) {
    table = apply(table, event);
    if (moments.includes(event.number)) folded.push(JSON.stringify(table));
  }
  return folded;
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
def ida(sit: Sit) -> Player:
    """Somebody with a page to fold in."""
    ida = sit()
    ida.go("/learn")
    return ida


def compare(player: Player, snapshots: Sequence[Json]) -> None:
    """Fold all that has happened at a table; it is what each of these snapshots of it says in its time."""
    table, last = snapshots[0]["id"], snapshots[-1]["number"]
    events: list[Json] = []
    while len(events) < last:
        events += player.ask(f"/api/tables/{table}/events?after={len(events)}")["events"]
    told = {"id": table, "events": events, "moments": [snapshot["number"] for snapshot in snapshots]}
    folded = player.page.evaluate(FOLD, json.dumps(told))
    assert list(map(json.loads, folded)) == snapshots


@pytest.mark.parametrize("kind", TABLES)
def test_the_fold_of_the_events_is_the_snapshot(ida: Player, kind: str) -> None:
    seats, wishes = TABLES[kind]
    table = ida.create(*seats, **wishes)
    snapshots: list[Json] = []
    for moment in itertools.count():
        snapshots.append(ida.snapshot(table))
        if snapshots[-1]["state"] == "over":
            break
        if snapshots[-1]["state"] == "between":
            ida.ask(f"/api/tables/{table}/next", {})
        ida.program(table, later_than(snapshots[-1]["number"] + 10 * (moment % 3)))
    assert moment > 3
    compare(ida, snapshots)


def later_than(number: int) -> Callable[[Json], bool]:
    return lambda stands: bool(stands["number"] > number)


def test_a_waiting_and_a_closed_table(sit: Sit, ida: Player) -> None:
    oskar = sit()
    table = ida.create("me", "open", "open", public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 2, "name": "Oskar"})
    snapshots = [ida.snapshot(table)]
    oskar.ask(f"/api/tables/{table}/seats/2/leave", {})
    snapshots.append(ida.snapshot(table))
    ida.ask(f"/api/tables/{table}/close", {})
    snapshots.append(ida.snapshot(table))
    compare(ida, snapshots)
