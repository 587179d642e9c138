"""The folder of a run: its store, and the report and the picture that are made of it."""

from __future__ import annotations

import re
from pathlib import Path

from kingdomino.arena.picture import draw
from kingdomino.arena.plan import Plan
from kingdomino.arena.report import markdown
from kingdomino.arena.results import Results, collect
from kingdomino.arena.store import read

STORE = "games.jsonl"
REPORT = "report.md"
PICTURE = "picture.svg"
_LONGEST = 60  # letters of a folder's name


def default(plan: Plan) -> Path:
    """Give the folder of a plan that names none: ``arena/king-against-greedy``."""
    return Path("arena", re.sub(r"[^a-z0-9.]+", "-", plan.name.lower())[:_LONGEST].strip("-.") or "run")


def write_report(folder: Path) -> Results:
    """Read the store and write report and picture beside it. Raises `OSError` or `ArenaError`."""
    stored = read(folder / STORE)
    results = collect(stored.plan, stored.games.values())
    (folder / PICTURE).write_text(draw(results), encoding="utf-8")
    (folder / REPORT).write_text(markdown(results, stored.facts, PICTURE), encoding="utf-8")
    return results
