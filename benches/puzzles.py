"""Measures whether puzzles keep their solutions in far longer searches: ``python -m benches.puzzles [FILE]``.

Writes docs/evidence/puzzles.md. A file that git ignores keeps the results, so an interrupted run continues.
"""

import random
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

import kingdomino as kd
from benches.kept import measured
from benches.run import signed, write_page
from kingdomino.analysis import Puzzle, puzzles
from kingdomino.analysis.making import BUDGET, is_clear
from kingdomino.analysis.puzzles import parse

SEED = 22_000
SAMPLE = 50
GOAL = 48
FACTOR = 100
PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "puzzles.md"
KEPT = Path(__file__).parent / "puzzles.part.jsonl"


def check(puzzle: Puzzle) -> tuple[bool, bool]:
    """Search long. Return whether the best action is a solution, and whether the others cost enough for a puzzle."""
    search = kd.Search(puzzle.position, seed=SEED)
    search.run(playouts=FACTOR * BUDGET)
    found = search.analysis()
    is_solved = puzzle.is_solved_by(found.actions[0].action)
    return is_solved, is_solved and is_clear(found)


def main(
    file: Annotated[Path | None, typer.Argument(help="A file of puzzles (default: the library's).")] = None,
) -> None:
    """Check a random sample, and write the page."""
    every = parse(kd.games.read_text(file)) if file else puzzles()
    sample = random.Random(SEED).sample(every, min(SAMPLE, len(every)))
    results = measured(KEPT, {puzzle.name: puzzle for puzzle in sample}, check)
    solved = [puzzle.name for puzzle, (is_solved, _) in zip(sample, results, strict=True) if is_solved]
    found = f"{len(solved)} of {len(sample)}"
    others = ", ".join(puzzle.name for puzzle in sample if puzzle.name not in solved) or "none"
    clear = sum(is_clear for _, is_clear in results)
    levels = Counter(puzzle.level for puzzle in every)
    themes = Counter(str(theme) for puzzle in every for theme in puzzle.themes)
    rules = Counter(puzzle.position.rules.to_text() for puzzle in every)
    lines = [
        "# Puzzles",
        "",
        f"- Puzzles: **{len(every)}**",
        f"- Solutions that {FACTOR} times the search still finds best: **{found}** (target: {GOAL} of {SAMPLE})",
        f"- Of these, better than every other action by 5% or 3 points, in an ending 1 point: **{clear}**",
        "",
        "Written by `.venv/bin/python -m benches.puzzles`. `kingdomino puzzles make --seed 1` makes the puzzles:",
        f"a search of {BUDGET:,} playouts finds each, and a judgement of {10 * BUDGET:,} checks it. Here, a search of",
        f"{FACTOR * BUDGET:,} checks {len(sample)} random ones. It found other actions best in: {others}.",
        "",
        "| level | " + " | ".join(map(str, range(1, 9))) + " |",
        "|---|" + "---|" * 8,
        "| puzzles | " + " | ".join(str(levels[level]) for level in range(1, 9)) + " |",
        "",
        "The level is the lowest of the bot `king` that finds the solution in at least 5 of 9 attempts.",
        "",
        "| theme | puzzles |",
        "|---|---|",
        *(f"| {theme} | {number} |" for theme, number in themes.most_common()),
        "",
        "| rules | puzzles |",
        "|---|---|",
        *(f"| `{name}` | {number} |" for name, number in sorted(rules.items())),
        "",
        signed(SEED),
    ]
    write_page(PAGE, "\n".join(lines) + "\n")
    KEPT.unlink()


if __name__ == "__main__":
    typer.run(main)
