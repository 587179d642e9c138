"""Convert an engine's evaluation between the object of an `info` message and an `Analysis`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Any

from kingdomino._core import Action, Position
from kingdomino.errors import IllegalActionError, ParseError
from kingdomino.evaluation import ActionAnalysis, Analysis
from kingdomino.validation import explain, path

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_DECIMALS = 6
_ROUNDED = 1e-6
"""Tolerance for a win probability outside 0 to 1, due to rounding in an engine."""
_FIGURES = ("win_rates", "mean_scores", "mean_margin")


@dataclass(frozen=True, kw_only=True)
class _Figures:
    """The fields with a fixed meaning (docs/formats/engine.md). Lists have one entry per seat."""

    win_rates: tuple[float, ...] | None = None
    mean_scores: tuple[float, ...] | None = None
    mean_margin: tuple[float, ...] | None = None
    playouts: int = 0
    line: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _ActionFigures(_Figures):
    action: str


@dataclass(frozen=True, kw_only=True)
class _Info(_Figures):
    exact: bool = False
    actions: tuple[_ActionFigures, ...] = ()


def to_info(analysis: Analysis, *, lines: bool = True) -> dict[str, object]:
    """Write an analysis as the object of an `info`. Without ``lines``, only the best action has its continuation."""
    best, *others = analysis.actions
    found = [_described(best), *(_described(one if lines else one._replace(line=())) for one in others)]
    first = {name: value for name, value in found[0].items() if name != "action"}
    return first | {"playouts": analysis.playouts, "exact": analysis.exact, "actions": found}


def from_info(info: Mapping[str, object], position: Position) -> Analysis:
    """Read the object of an `info` about this position.

    Raises `ParseError` for a field of the wrong type, a list without one entry per seat, or an illegal action.
    """
    from pydantic import ValidationError

    try:
        found: _Info = _reader().validate_json(json.dumps(info), strict=True)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise ParseError(explain(fault, path(fault["loc"]))) from None
    entries: list[tuple[str, str, _Figures]]
    entries = [(f"actions[{number}].", each.action, each) for number, each in enumerate(found.actions)]
    if not entries and found.line:
        entries = [("", found.line[0], found)]
    known: dict[Action, ActionAnalysis] = {}
    for where, text, figures in entries:
        action = _action(text, f"{where}action" if where else "line[0]", position)
        if action in known:
            raise ParseError(f"'{where}action' {text!r} is given twice")
        known[action] = _read(action, figures, where, len(position.kingdoms))
    return _complete(position, known, found.playouts, exact=found.exact)


def with_choice(analysis: Analysis | None, choice: Action, position: Position) -> Analysis:
    """Put the chosen action or its equivalent first. ``analysis`` is None if the engine has reported nothing."""
    analysis = analysis or _complete(position, {}, 0, exact=False)
    same = position.equivalent(choice)

    def is_behind(one: ActionAnalysis) -> tuple[bool, bool]:
        return one.action != choice, position.equivalent(one.action) != same

    return analysis._replace(actions=tuple(sorted(analysis.actions, key=is_behind)))


def _described(one: ActionAnalysis) -> dict[str, object]:
    described: dict[str, object] = {"action": str(one.action), "playouts": one.playouts}
    described |= {
        name: [round(number, _DECIMALS) for number in numbers]
        for name in _FIGURES
        if not isnan((numbers := getattr(one, name))[0])
    }
    if one.line:
        described["line"] = [str(action) for action in one.line]
    return described


def _read(action: Action, figures: _Figures, where: str, seats: int) -> ActionAnalysis:
    lists = []
    for name in _FIGURES:
        numbers = getattr(figures, name)
        if numbers is not None and not (len(numbers) == seats and all(map(isfinite, numbers))):
            raise ParseError(f"'{where}{name}' must be one number for each of the {seats} seats")
        lists.append(numbers or (nan,) * seats)
    win_rates, mean_scores, mean_margin = lists
    if any(not -_ROUNDED <= rate <= 1 + _ROUNDED for rate in figures.win_rates or ()):
        raise ParseError(f"'{where}win_rates' must be numbers from 0 to 1, not {list(win_rates)}")
    try:
        line = tuple(map(Action.parse, figures.line))
    except ParseError as error:
        raise ParseError(f"'{where}line': {error}") from None
    return ActionAnalysis(
        action, max(figures.playouts, 0), win_rates, mean_scores, mean_margin, line or (action,)
    )


def _action(text: str, where: str, position: Position) -> Action:
    try:
        return position.canonical(text)
    except ParseError as error:
        raise ParseError(f"{where!r}: {error}") from None
    except IllegalActionError as error:
        raise ParseError(f"{where!r}: {text!r} is not legal: {error}") from None


def _complete(
    position: Position, known: Mapping[Action, ActionAnalysis], playouts: int, *, exact: bool
) -> Analysis:
    """Append the legal actions that the engine did not report, unless it has reported an equivalent one."""
    assert position.to_move is not None
    missing = (nan,) * len(position.kingdoms)
    others = dict.fromkeys(map(position.equivalent, position.legal_actions()))
    reported = set(map(position.equivalent, known))

    def actions() -> Iterator[ActionAnalysis]:
        yield from known.values()
        for action in others:
            if action not in reported:
                yield ActionAnalysis(action, 0, missing, missing, missing, (action,))

    return Analysis(tuple(actions()), max(playouts, 0), exact, position.to_move)


@cache
def _reader() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(_Info)
