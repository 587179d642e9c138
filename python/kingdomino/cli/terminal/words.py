"""The sentences of the terminal game. They address a player named `YOU` as "you"."""

from __future__ import annotations

from collections.abc import Sequence

import kingdomino as kd
from kingdomino.cli.files import reason
from kingdomino.cli.terminal.choices import gain
from kingdomino.display import sentence

YOU = "You"
"""The default name of a person alone against bots."""

_TIMES = "\N{MULTIPLICATION SIGN}"

Step = tuple[kd.Position, kd.Action]
"""An action and the position before it."""


def listed(names: Sequence[str]) -> str:
    """Join names: ``You and greedy``, or ``Ida, Oskar and greedy``."""
    return " and ".join([", ".join(names[:-1]), names[-1]])


def task(position: kd.Position, names: Sequence[str]) -> str:
    """Name the present decision: ``You place 20: wheat 1 > lake``, ``Ida claims a domino``."""
    if position.to_move is None:
        return sentence(position, names)
    name = names[position.to_move]
    ending = "" if name == YOU else "s"
    if position.domino is None:
        return f"{name} claim{ending} a domino"
    number, left, right = position.domino
    return f"{name} place{ending} {number}: {left} > {right}"


def refused(refusal: kd.Refusal, names: Sequence[str]) -> str:
    """Return why an action is illegal, with players' names: ``domino 12 is already claimed, by Ida``."""
    if refusal.code is kd.RefusalCode.CLAIMED and refusal.domino and refusal.seat is not None:
        return f"domino {refusal.domino.number} is already claimed, by {names[refusal.seat]}"
    return refusal.sentence


def why(error: Exception, names: Sequence[str]) -> str:
    """Return why a command failed, in one line."""
    refusal = error.refusal if isinstance(error, kd.IllegalActionError) else None
    return refused(refusal, names) if refusal else reason(error)


def turn(name: str, steps: Sequence[Step]) -> str:
    """Describe a player's turn: ``greedy placed 11, +6, and claimed 47``."""
    parts = []
    for position, action in steps:
        domino = action.domino or position.domino
        assert domino is not None
        assert position.to_move is not None
        match action.kind:
            case "claim":
                parts.append(f"claimed {domino.number}")
            case "discard":
                parts.append(f"discarded {domino.number}, which fits nowhere")
            case "place":
                assert action.placement is not None
                points = gain(position.kingdoms[position.to_move], domino, action.placement)
                parts.append(f"placed {domino.number}, {points:+}")
    return f"{name} {', and '.join(parts)}"


def forced(name: str, step: Step) -> str:
    """Describe a forced action, and why it was forced: ``You claimed 12: no other is left``."""
    done = turn(name, [step])
    match step[1].kind:
        case "claim":
            return f"{done}: no other is left"
        case "place":
            return f"{done}: it fits only there"
        case "discard":
            return done


def result(outcome: kd.Outcome, names: Sequence[str], kingdoms: Sequence[kd.Kingdom] = ()) -> str:
    """Name the winner and the deciding rule: ``You win, 45 to 38``.

    Pass the ``kingdoms`` of a single game, where territories and crowns break ties.
    """
    scores = [score.total for score in outcome.scores]
    if outcome.decided_by == "shared":
        winners = listed([names[seat] for seat in outcome.winners])
        return f"{winners} share the victory with {max(scores)} points each"
    first, second = outcome.ranking[:2]
    win = f"{names[first]} {'win' if names[first] == YOU else 'wins'}"
    if outcome.decided_by == "score":
        return f"{win}, {scores[first]} to {scores[second]}"
    by = {
        "largest_territory": ("the largest territory decides", _largest),
        "crowns": ("the largest territories are equal, so crowns decide", _crowns),
    }
    why, measure = by[outcome.decided_by]
    than = f", {measure(kingdoms[first])} to {measure(kingdoms[second])}" if kingdoms else ""
    return f"{win}: {scores[first]} points each, and {why}{than}"


def standing(scores: Sequence[kd.Score], names: Sequence[str], counts: str) -> str:
    """Return the scores of a Dynasty: ``Total so far: You 45, greedy 38``."""
    what = "Best score" if counts == "best" else "Total"
    players = (f"{name} {score.total}" for name, score in zip(names, scores, strict=True))
    return f"{what} so far: {', '.join(players)}"


def territories(kingdom: kd.Kingdom, terrain: kd.Terrain) -> str:
    """List the scoring territories of one terrain, squares by crowns, largest first."""
    crowned = [one for one in kingdom.territories() if one.terrain is terrain and one.crowns]
    crowned.sort(key=_squares, reverse=True)
    return " + ".join(f"{_squares(one)}{_TIMES}{one.crowns}" for one in crowned)


def _squares(territory: kd.Territory) -> int:
    return len(territory.squares)


def _largest(kingdom: kd.Kingdom) -> int:
    return max(map(_squares, kingdom.territories()), default=0)


def _crowns(kingdom: kd.Kingdom) -> int:
    return kingdom.crowns
