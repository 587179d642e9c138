"""The table as anybody may see it: the snapshot, the lobby's entry, and what one identity is there.

Imports `state`, `scores` and the library's face.
"""

from pydantic_core import from_json

import kingdomino as kd
from kingdomino.server.scores import Json, rules_json, score_json
from kingdomino.server.state import State


def snapshot(state: State) -> Json:
    """Write the table as it stands (docs/formats/table.md)."""
    position = state.position if state.dealt else None
    return {
        "id": state.id,
        "number": state.number,
        "state": state.stage,
        "created": state.created,
        "rules": rules_json(state.rules),
        "dynasty": state.dynasty,
        "seconds": state.seconds,
        "public": state.public,
        "game": state.game_number,
        "games": state.games,
        "totals": list(state.totals),
        "seats": [entry.json(seat) for seat, entry in enumerate(state.seats)],
        "round": position.round if position else 0,
        "turn": state.turn,
        "line": _line(state, position.round - 1) if position else [],
        "next_line": _next_line(state) if position else [],
        "kingdoms": [_kingdom(state, seat) for seat in range(len(state.seats))],
        "unseen": sorted(domino.number for domino in position.unseen) if position else [],
        "in_deck": position.dominoes_to_come if position else 0,
        "commitment": state.deal.commitment if state.dealt else None,
        "finished": state.finished,
        "deal": state.revealed,
        "rematch": state.rematch,
        "recent": [from_json(event) for event in state.recent],
    }


def summary(state: State) -> Json:
    """Write what the lobby and a player's own list show of the table."""
    return {
        "id": state.id,
        "state": state.stage,
        "rules": rules_json(state.rules),
        "seats": [entry.json(seat) for seat, entry in enumerate(state.seats)],
        "round": state.position.round if state.dealt else 0,
        "turn": state.turn["seat"] if state.turn else None,
        "created": state.created,
        "updated": state.updated,
    }


def _line(state: State, index: int) -> list[Json]:
    """Write a line, with whose each domino is, or was until it was placed."""
    claims = state.position.claims
    return [
        {"domino": number, "seat": state.owners.get(number), "done": number not in claims}
        for number in (state.lines[index] if 0 <= index < len(state.lines) else ())
    ]


def _next_line(state: State) -> list[Json]:
    """Write the line that is being claimed: nothing in it is done."""
    return [entry | {"done": False} for entry in _line(state, state.position.round)]


def _kingdom(state: State, seat: int) -> Json:
    kingdom = state.position.kingdoms[seat] if state.dealt else kd.Kingdom(state.rules.kingdom_size)
    if state.finished:
        score = state.finished["scores"][seat]
    else:
        score = score_json(kingdom, kingdom.score(state.rules), final=False)
    return {
        "dominoes": [list(laid) for laid in state.laid[seat]],
        "discarded": list(state.discarded[seat]),
        "score": score,
    }
