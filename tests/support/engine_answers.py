"""Work for the engine, and the answers of Python's; engine_answers.js gets JavaScript's."""

from __future__ import annotations

import math
from typing import Any, TypedDict

import kingdomino as kd
from kingdomino import _core

_ALL = kd.Rules.all()


class Work(TypedDict):
    """Games by rules and seed, searches by position, seed and playouts, and reviews by record, seed and playouts."""

    games: list[tuple[str, int]]
    searches: list[tuple[str, int, int]]
    reviews: list[tuple[str, int, int]]


def some_work(games: int, searches: int, reviews: int) -> Work:
    """Return some work that depends only on these numbers."""
    seeds = range(games)
    positions = [
        position
        for seed in seeds
        for position in _positions(_rules(seed), seed)
        if position.to_move is not None
    ]
    step = len(positions) / searches
    chosen = [positions[int(step * number)] for number in range(searches)]
    return {
        "games": [(_rules(seed).to_text(), seed) for seed in seeds],
        "searches": [(position.to_text(), number, 60) for number, position in enumerate(chosen)],
        "reviews": [(_record(seed).to_text(), seed, 12) for seed in range(reviews)],
    }


def read(answers: dict[str, Any]) -> dict[str, Any]:
    """Convert answers in JavaScript to the form of Python's."""
    return answers | {"reviews": [kd.analysis.Review.from_json(text) for text in answers["reviews"]]}


def answers_of_python(work: Work) -> dict[str, Any]:
    """Return the positions and scores of the games, the findings of the searches, and the reviews."""
    return {
        "games": [_game(kd.Rules.parse(rules), seed) for rules, seed in work["games"]],
        "searches": [_search(*search) for search in work["searches"]],
        "reviews": [_review(*review) for review in work["reviews"]],
    }


def _rules(seed: int) -> kd.Rules:
    return _ALL[seed * 7 % len(_ALL)]


def _positions(rules: kd.Rules, seed: int) -> list[kd.Position]:
    game = kd.Game(rules, seed=seed)
    positions = [game.position]
    while not game.is_over:
        game.play(_core.choose(game.position, "tuned" if seed % 2 else "random", seed))
        positions.append(game.position)
    return positions


def _record(seed: int) -> kd.Record:
    """Return a game's record, unfinished for every third seed."""
    game = kd.Game(_rules(seed), seed=seed)
    while not game.is_over and (seed % 3 or len(game.history) < 20):
        game.play(_core.choose(game.position, "greedy", seed))
    return kd.Record.from_game(game)


def _review(record: str, seed: int, playouts: int) -> kd.analysis.Review:
    return kd.analysis.review(kd.Record.parse(record), kd.bots.Limit(playouts=playouts), seed=seed)


def _game(rules: kd.Rules, seed: int) -> dict[str, Any]:
    positions = _positions(rules, seed)
    return {
        "positions": [position.to_text() for position in positions],
        "scores": [kingdom.score(rules).total for kingdom in positions[-1].kingdoms],
    }


def _search(text: str, seed: int, playouts: int) -> dict[str, Any]:
    search = kd.Search(kd.Position.parse(text), seed=seed)
    search.run(playouts=playouts)
    return analysis(search.analysis())


def analysis(found: kd.Analysis) -> dict[str, Any]:
    """Convert an analysis to its form in JavaScript."""

    def known(figures: tuple[float, ...]) -> list[float | None]:
        return [None if math.isnan(figure) else figure for figure in figures]

    return {
        "actions": [
            {
                "action": str(one.action),
                "playouts": one.playouts,
                "win_rates": known(one.win_rates),
                "mean_scores": known(one.mean_scores),
                "mean_margin": known(one.mean_margin),
                "line": [str(action) for action in one.line],
            }
            for one in found.actions
        ],
        "playouts": found.playouts,
        "exact": found.exact,
    }
