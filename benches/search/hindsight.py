"""How many points lie in placements: what a seat's dominoes could have scored, all known beforehand."""

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
{GAMES} games of the search with itself ({PLAYOUTS:,} playouts a decision, seed {SEED}, both bonuses).
Each seat's dominoes are placed again in the order in which it got them, all known beforehand, by a beam
search that keeps 600 kingdoms. The difference is the most that lies in placements. No player gets all of
it, because the dominoes are not known beforehand."""
COMMAND = ["cargo", "run", "--release", "--quiet", "-p", "kingdomino-search", "--example", "hindsight", "--"]


def section() -> list[str]:
    """Measure everything, and give the lines of the page."""
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
