"""What the player to move can do: spots with their points, reasons against the others, claims.

All of it is public. The rules are the engine's; this module only asks it about every way to lay a domino
within reach. Imports `scores` and the library's face.
"""

from collections import defaultdict
from collections.abc import Iterator

import kingdomino as kd
from kingdomino.server.scores import Json
from kingdomino.shown import reach

_TURNS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def choices(position: kd.Position) -> Json:
    """List the choices of a position that is not over (docs/formats/table.md), but for ``ply``."""
    seat = position.to_move
    if seat is None:
        raise kd.IllegalActionError("this turn is over")
    kingdom, domino = position.kingdoms[seat], position.domino
    answer: Json = {
        "seat": seat,
        "phase": position.phase,
        "domino": domino.number if domino else None,
        "score": kingdom.score().total,
        "placements": [],
        "refused": [],
        "claims": [],
    }
    if domino is None:
        free = [domino for domino in position.offered if domino.number not in position.claims]
        answer["claims"] = [_claim(kingdom, domino) for domino in free]
    else:
        answer["placements"] = [_placement(kingdom, domino, place) for place in kingdom.placements(domino)]
        answer["refused"] = _refused(kingdom, domino)
    return answer


def after(position: kd.Position, actions: list[str]) -> kd.Position:
    """Play actions of one turn that are not sent yet. Raises `KingdominoError` for one that is refused."""
    seat = position.to_move
    for action in actions:
        if position.to_move != seat:
            raise kd.IllegalActionError(f"{action}: this turn is over")
        position = position.play(action)
    return position


def _placement(kingdom: kd.Kingdom, domino: kd.Domino, placement: kd.Placement) -> Json:
    old = kingdom.territories()
    placed = kingdom.place(domino, placement)
    grown = {
        territory.squares: territory
        for square in placement
        for territory in placed.territories()
        if square in territory.squares
    }
    grows = [
        {
            "terrain": str(territory.terrain),
            "squares": len(territory.squares),
            "crowns": territory.crowns,
            "points": territory.score - sum(part.score for part in old if part.squares <= territory.squares),
        }
        for territory in grown.values()
    ]
    return {
        "action": str(kd.Action.place(placement)),
        "left": list(placement.left),
        "right": list(placement.right),
        "points": placed.score().total - kingdom.score().total,
        "grows": grows,
    }


def _refused(kingdom: kd.Kingdom, domino: kd.Domino) -> list[Json]:
    """Ask for the reason against every illegal way to lay the domino within reach; equal reasons together."""
    by_reason: defaultdict[tuple[str, int, tuple[str, ...]], list[list[int]]] = defaultdict(list)
    texts: dict[tuple[str, int, tuple[str, ...]], str] = {}
    legal = set(kingdom.placements(domino))
    for placement in _within_reach(kingdom):
        if placement in legal:
            continue
        if refusal := kingdom.refusal(domino, placement):
            reason = (refusal.code, refusal.width or refusal.height or 0, refusal.terrains)
            texts.setdefault(reason, refusal.sentence)
            by_reason[reason].append([*placement.left, *placement.right])
    return [
        {"code": code, "squares": squares, "terrains": list(terrains), "text": texts[code, squares, terrains]}
        | {"placements": placements}
        for (code, squares, terrains), placements in by_reason.items()
    ]


def _within_reach(kingdom: kd.Kingdom) -> Iterator[kd.Placement]:
    """List every way to lay a domino with at least one end where a next domino can lie."""
    (left, bottom), (right, top) = reach(kingdom)
    for x in range(left, right + 1):
        for y in range(bottom, top + 1):
            for dx, dy in _TURNS:
                end, other = (x, y), (x + dx, y + dy)
                yield kd.Placement(end, other)
                if not (left <= other[0] <= right and bottom <= other[1] <= top):
                    yield kd.Placement(other, end)


def _claim(kingdom: kd.Kingdom, domino: kd.Domino) -> Json:
    score = kingdom.score().total
    gains = [
        kingdom.place(domino, placement).score().total - score for placement in kingdom.placements(domino)
    ]
    return {
        "action": str(kd.Action.claim(domino)),
        "domino": domino.number,
        "fits": bool(gains),
        "points": max(gains, default=0),
    }
