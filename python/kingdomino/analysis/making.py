"""Makes puzzles from games of `king`, and rates them by its levels.

Everything follows from a seed: searches are limited by playouts, not by time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Final

from kingdomino import _core
from kingdomino._core import Action, Game, Position, Rules, Search, derive_seed, level_move
from kingdomino.analysis.judge import judge
from kingdomino.analysis.puzzles import Puzzle, PuzzleTheme
from kingdomino.analysis.values import Alternative, Decision, Theme
from kingdomino.analysis.why import CostPart
from kingdomino.bots import Limit
from kingdomino.evaluation import ActionAnalysis, Analysis

RULES: Final = tuple(
    Rules(players, mighty_duel=mighty_duel, harmony=bonuses, middle_kingdom=bonuses)
    for players, mighty_duel in ((2, False), (3, False), (4, False), (2, True))
    for bonuses in (True, False)
)
"""The rules of the games, in turn."""

BUDGET: Final = 2_000
"""The playouts of the search that finds a puzzle; ten times as many check it."""

_GLANCE: Final = 400
"""The playouts of the search that sorts out most decisions."""
_PLAYER: Final = 7
"""The level that plays the games: the strongest whose decisions take no time."""
_CHOICES: Final = 3
"""The fewest actions, equivalent ones counted once: with two, solvers would guess."""
_CHANCE, _POINTS, _EXACT_POINTS = 0.05, 3.0, 1.0
"""The least cost of every wrong action: in chances to win, or in points."""
_LEAST_POINTS: Final = 0.5
"""The least cost in points in any case, to be worth mentioning."""
_SEEDS: Final = 9
"""How often each level tries to find a solution."""
_PARTS: Final = {"harmony": Theme.HARMONY, "middle_kingdom": Theme.CENTRE, "opponent": Theme.OPPONENT}


def puzzles_of_game(number: int, seed: int) -> Iterator[Puzzle]:
    """Play a game, and yield the puzzles in it, at most one per round: neighbours are alike, and give each other away.

    They follow from the game's number and the seed, and are not rated.
    """
    last = -1
    for position in _played(RULES[number % len(RULES)], derive_seed(seed, "game", number)):
        if position.round > last and (puzzle := _puzzle(position)) is not None:
            last = position.round
            yield puzzle


def rated(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with the lowest level of `king` that finds a solution in most attempts."""
    strongest = _PLAYER + 1
    levels = (level for level in range(1, strongest) if _finds(puzzle, level))
    return replace(puzzle, level=next(levels, strongest))


def _finds(puzzle: Puzzle, level: int) -> bool:
    chosen = (_choice(puzzle.position, level, derive_seed(0, "rate", number)) for number in range(_SEEDS))
    return 2 * sum(map(puzzle.is_solved_by, chosen)) > _SEEDS


def _choice(position: Position, level: int, seed: int) -> Action:
    """Return the choice of a level below the strongest."""
    action, playouts = level_move(position, level, seed)
    return action if action is not None else _search(position, playouts or BUDGET, seed).best()


def _search(position: Position, playouts: int, seed: int = 0) -> Search:
    search = Search(position, seed)
    search.run(playouts=playouts)
    return search


def _played(rules: Rules, seed: int) -> Iterator[Position]:
    """Play a game, and yield the positions with enough choices."""
    game = Game(rules, seed=seed)
    while not game.is_over:
        if len(set(map(game.position.equivalent, game.position.legal_actions()))) >= _CHOICES:
            yield game.position
        game.play(_choice(game.position, _PLAYER, derive_seed(seed, "bot", len(game.history))))


def _puzzle(position: Position) -> Puzzle | None:
    """Return the puzzle of a position, if it is one."""
    tempting = position.equivalent(_core.choose(position, "greedy", 0))
    for playouts, share in ((_GLANCE, 0.5), (BUDGET, 1.0)):
        found = _search(position, playouts).analysis()
        if found.actions[0].action == tempting or not is_clear(found, share):
            return None
    best = found.actions[0].action
    decision = judge(position, tempting, Limit(playouts=10 * BUDGET))
    others = decision.alternatives[1:]
    if decision.best != best or not all(_is_wrong(one, decision.exact) for one in others):
        return None
    if decision.decided and not decision.exact:
        return None
    themes = _themes(decision)
    if not themes:
        return None
    name = sha256(position.to_text().encode()).hexdigest()[:6]
    cost = min(one.cost_points for one in others)
    solutions = [action for action in position.legal_actions() if position.equivalent(action) == best]
    return Puzzle(name, _PLAYER + 1, round(cost, 1), themes, tuple(solutions), position)


def is_clear(found: Analysis, share: float = 1.0) -> bool:
    """Return whether a search finds every other action worse, by this part of the least cost of a puzzle."""
    best, *others = found.actions

    def is_worse(one: ActionAnalysis) -> bool:
        seat = found.seat
        return (
            not one.playouts
            or best.win_rates[seat] - one.win_rates[seat] >= share * _CHANCE
            or best.mean_margin[seat] - one.mean_margin[seat] >= share * _points(found.exact)
        )

    return all(map(is_worse, others))


def _is_wrong(one: Alternative, exact: bool) -> bool:
    return one.cost_points >= _LEAST_POINTS and (one.cost >= _CHANCE or one.cost_points >= _points(exact))


def _points(exact: bool) -> float:
    return _EXACT_POINTS if exact else _POINTS


def _themes(decision: Decision) -> tuple[PuzzleTheme, ...]:
    """Return the themes of a puzzle: why the tempting action is wrong, and each part that is half of its cost."""

    def is_large(part: CostPart) -> bool:
        return part.kind in _PARTS and part.points >= decision.cost_points / 2

    themes: list[PuzzleTheme] = [decision.theme] if decision.theme else []
    themes += [_PARTS[part.kind] for part in decision.parts if is_large(part)]
    return tuple(dict.fromkeys([*themes, "ending"] if decision.exact else themes))
