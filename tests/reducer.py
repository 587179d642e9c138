"""A second reducer: from public events to the table, written from docs/formats/table.md alone.

A client that joins in the middle must show the same table as one that was there from the start.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

from kingdomino import server

Json: TypeAlias = dict[str, Any]
RECENT = 8


def reduced(table: str, events: Iterable[Mapping[str, Any]]) -> Json:
    """Fold the events of a table, from the first one on."""
    now: Json = {"id": table}
    for event in events:
        now = apply(now, event)
    return now


def apply(before: Json, event: Mapping[str, Any]) -> Json:
    """Give the table after one more event."""
    now = deepcopy(before)
    _CHANGES[event["kind"]](now, deepcopy(dict(event)))
    now["number"] = event["number"]
    if event["kind"] in ("claimed", "placed", "discarded"):
        now["recent"] = [*now["recent"], dict(event)][-RECENT:]
    if "turn" in event:
        now["turn"] = event["turn"]
        if event["turn"] is not None:
            _begin_round(now, event["turn"]["round"])
    return now


def _created(now: Json, event: Json) -> None:
    seats = event["seats"]
    now |= {name: event[name] for name in ("rules", "dynasty", "seconds", "public", "host", "seats", "games")}
    now |= {"state": "waiting", "created": event["at"], "rematch": None, "closed": None, "commitment": None}
    now |= {"digests": [None] * len(seats), "nonces": [None] * len(seats)}
    now |= {"game": 0, "totals": [0] * len(seats), "start": event["start"]}
    _clear(now)


def _clear(now: Json) -> None:
    middle = now["rules"]["middle_kingdom_points"]
    nothing = {"total": 0, "territories": [], "harmony": 0, "middle_kingdom": middle}
    now |= {"round": 0, "turn": None, "line": [], "next_line": [], "unseen": [], "in_deck": 0}
    now |= {"finished": None, "deal": None, "recent": []}
    now["hints"] = []
    now["wishes"] = {"end": [], "rematch": [], "declined": []}
    bare = (
        now["start"]["kingdoms"] if now["start"] else [{"squares": [], "score": nothing}] * len(now["seats"])
    )
    now["kingdoms"] = [{"dominoes": [], "discarded": [], **deepcopy(one)} for one in bare]


def _seated(now: Json, event: Json) -> None:
    now["seats"][event["seat"]] = event["entry"]
    if event["seat"] == now["host"] and event["entry"]["kind"] in ("invited", "open"):
        now["host"] = None


def _dealt(now: Json, event: Json) -> None:
    if now["finished"]:
        scores = [score["total"] for score in now["finished"]["scores"]]
        better = max if now["dynasty"] == "best" else int.__add__
        now["totals"] = [better(*pair) for pair in zip(now["totals"], scores, strict=True)]
    _clear(now)
    if now["start"]:
        shown = ("round", "line", "next_line", "unseen", "in_deck")
        now |= {name: deepcopy(now["start"][name]) for name in shown}
    now |= {"state": "playing", "game": event["game"], "commitment": event["commitment"]}
    if event["nonces"]:
        now["nonces"] = event["nonces"]


def _committed(now: Json, event: Json) -> None:
    nobody = [None] * len(now["seats"])
    now |= {"commitment": event["commitment"], "digests": nobody, "nonces": nobody}


def _drawing(now: Json, event: Json) -> None:
    now |= {"state": "drawing", "digests": event["digests"]}


def _nonce(now: Json, event: Json) -> None:
    now["nonces"][event["seat"]] = event["nonce"]


def _revealed(now: Json, event: Json) -> None:
    _begin_round(now, event["round"])
    now["next_line"] = [{"domino": domino, "seat": None, "done": False} for domino in event["line"]]
    now |= {"unseen": event["unseen"], "in_deck": event["in_deck"]}


def _begin_round(now: Json, number: int) -> None:
    if number > now["round"]:
        now["line"] = [entry | {"done": entry["seat"] is None} for entry in now["next_line"]]
        now |= {"round": number, "next_line": []}


def _claimed(now: Json, event: Json) -> None:
    _entry(now["next_line"], event)["seat"] = event["seat"]


def _placed(now: Json, event: Json) -> None:
    laid = [event["domino"], *event["left"], *event["right"]]
    now["kingdoms"][event["seat"]]["dominoes"].append(laid)
    _done(now, event)


def _discarded(now: Json, event: Json) -> None:
    now["kingdoms"][event["seat"]]["discarded"].append(event["domino"])
    _done(now, event)


def _done(now: Json, event: Json) -> None:
    now["kingdoms"][event["seat"]]["score"] = event["score"]
    _entry(now["line"], event)["done"] = True


def _entry(line: list[Json], event: Json) -> Json:
    return next(entry for entry in line if entry["domino"] == event["domino"])


def _left(now: Json, event: Json) -> None:
    now["seats"][event["seat"]]["away"] = event["why"]


def _returned(now: Json, event: Json) -> None:
    now["seats"][event["seat"]]["away"] = None


def _finished(now: Json, event: Json) -> None:
    now |= {"finished": event, "state": "over" if now["game"] == now["games"] else "between"}
    for kingdom, score in zip(now["kingdoms"], event["scores"], strict=True):
        kingdom["score"] = score


def _deck_revealed(now: Json, event: Json) -> None:
    now["deal"] = event


def _wished(now: Json, event: Json) -> None:
    seat, yes, wishes = event["seat"], event["yes"], now["wishes"]
    if event["what"] == "end" and not yes:
        wishes["end"] = []
    elif event["what"] == "end":
        wishes["end"] = sorted({*wishes["end"], seat})
    else:
        for name, belongs in (("rematch", yes), ("declined", not yes)):
            wishes[name] = sorted({*wishes[name], seat} if belongs else {*wishes[name]} - {seat})


def _hinted(now: Json, event: Json) -> None:
    now["hints"].append(event["ply"])


def _rematch(now: Json, event: Json) -> None:
    now["rematch"] = event["table"]


def _closed(now: Json, event: Json) -> None:
    now |= {"state": "closed", "closed": event}


def _king_drawn(_now: Json, _event: Json) -> None:
    """Say whose turn it is: the turn does so too."""


_CHANGES = {
    "created": _created,
    "seated": _seated,
    "committed": _committed,
    "drawing": _drawing,
    "nonce": _nonce,
    "dealt": _dealt,
    "revealed": _revealed,
    "king_drawn": _king_drawn,
    "claimed": _claimed,
    "placed": _placed,
    "discarded": _discarded,
    "left": _left,
    "returned": _returned,
    "finished": _finished,
    "deck_revealed": _deck_revealed,
    "hinted": _hinted,
    "wished": _wished,
    "rematch": _rematch,
    "closed": _closed,
}


# The browser's reducer, run by Node.

_NODE = Path(sys.executable).with_name("node")
_SCRIPTS = Path(server.__file__).parent / "static/js"
_REDUCE = """
import { readFileSync, writeSync } from "node:fs";
const { apply, emptyTable, isKnown } = await import(reducer);
const logs = JSON.parse(readFileSync(0, "utf8"));
const tables = logs.map(({ id, steps }) => {
  let table = emptyTable(id);
  return steps.map((events) => {
    if (!events.every(isKnown)) throw new Error("an unknown event");
    return (table = events.reduce(apply, table));
  });
});
for (let text = Buffer.from(JSON.stringify(tables)); text.length;) text = text.subarray(writeSync(1, text));
"""


def reduced_in_node(logs: list[Json]) -> list[list[Json]]:
    """Reduce logs, each an ``id`` and ``steps`` of events, as the browser does. Give the tables after every step."""
    tables: list[list[Json]] = run_node(_REDUCE, logs, reducer="table/reducer.js")
    return tables


def run_node(script: str, sent: object, **modules: str) -> Any:  # noqa: ANN401
    """Run a script in Node, which reads JSON from its input and writes JSON; it knows the addresses of modules."""
    constants = "".join(
        f"const {name} = {json.dumps((_SCRIPTS / path).as_uri())};\n" for name, path in modules.items()
    )
    options = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module", "-e"]
    command: list[Path | str] = [_NODE, *options, constants + script]
    ended = subprocess.run(command, input=json.dumps(sent), capture_output=True, text=True, check=False)
    assert not ended.stderr
    return json.loads(ended.stdout)
