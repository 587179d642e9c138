"""Hindsight: each seat's best possible score if it had known all its dominoes in advance."""

import json
import subprocess
from pathlib import Path

from rich.progress import track

from benches.search.positions import RULES

GAMES = 50
SEED = 18
PLAYOUTS = 100
ROOT = Path(__file__).parents[2]
INTRODUCTION = f"""\
The search plays {GAMES} games with itself ({PLAYOUTS:,} playouts a decision, seed {SEED}, both bonuses).
Then a beam search of width 600 places each seat's dominoes again, and knows them all in advance. This
estimates the points that better placements could gain, in hindsight."""
COMMAND = ["cargo", "run", "--release", "--quiet", "-p", "kingdomino-search", "--example", "hindsight", "--"]


def section() -> list[str]:
    """Measure, and return the lines of the section."""
    rows = []
    for name, rules in track(RULES.items(), "hindsight"):
        command = [*COMMAND, rules.to_text(), str(GAMES), str(SEED), str(PLAYOUTS)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout)
        by_round = " ".join(f"{lost:.1f}" for lost in found["by_round"])
        rows.append([name, f"{found['score']:.1f}", f"{found['lost']:.1f}", by_round])
    return [
        *INTRODUCTION.splitlines(),
        "",
        "| game | score, mean | points in placements | by round, from the first |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
