"""Measures the search on this machine and writes docs/evidence/search.md.

`python -m benches.search [PART…]` from the root of the repository measures the named parts (`regret`,
`early`, `convergence`, `hindsight`, `speed`, `games`), or all. The other sections stay as they are.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

import kingdomino as kd
from benches.run import machine, version, wanted, write_page
from benches.search import convergence, early, games, hindsight, regret, speed
from kingdomino.cli.version import version_text

PARTS: dict[str, Callable[[], list[str]]] = {
    "regret": regret.section,
    "early": early.section,
    "convergence": convergence.section,
    "hindsight": hindsight.section,
    "speed": speed.section,
    "games": games.section,
}
PAGE = Path(__file__).parents[2] / "docs" / "evidence" / "search.md"


def read_page() -> tuple[str, dict[str, str]]:
    """Read the head of the page, which is written by hand, and its sections, by part."""
    head, *parts = PAGE.read_text(encoding="utf-8").partition("\n---\n")[0].split("\n## ")
    return head, {part.partition("\n")[0].lower(): f"## {part.strip()}\n" for part in parts}


def main(parts: Annotated[list[str] | None, typer.Argument(help="; ".join(PARTS))] = None) -> None:
    """Measure the named parts, or all, and write the page; its other sections stay as they are."""
    head, measured = read_page()
    for part in wanted(parts, PARTS):
        versions = f"{version_text(kd.__version__)}, {version('rustc', '--version')}"
        signed = f"Measured {time.strftime('%Y-%m-%d')} on {machine()}; {versions}."
        measured[part] = "\n".join([f"## {part.capitalize()}", "", *PARTS[part](), "", signed, ""])
        page = [head, *(measured[part] for part in PARTS if part in measured)]
        write_page(PAGE, "\n".join(page))


if __name__ == "__main__":
    typer.run(main)
