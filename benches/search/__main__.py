"""Measures the search on this machine and writes docs/evidence/search.md.

`python -m benches.search [PART…]` from the root of the repository measures the named parts (`speed`,
`convergence`, `regret`, `hindsight`), or all. The other sections stay as they are.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import kingdomino as kd
from benches.run import machine, version, write_page
from benches.search import convergence, hindsight, regret, speed

PARTS: dict[str, Callable[[], list[str]]] = {
    "regret": regret.section,
    "convergence": convergence.section,
    "hindsight": hindsight.section,
    "speed": speed.section,
}
PAGE = Path(__file__).parents[2] / "docs" / "evidence" / "search.md"


def read_page() -> tuple[str, dict[str, str]]:
    """Read the head of the page, which is written by hand, and its sections, by part."""
    head, *parts = PAGE.read_text(encoding="utf-8").partition("\n---\n")[0].split("\n## ")
    return head, {part.partition("\n")[0].lower(): f"## {part.strip()}\n" for part in parts}


def main() -> None:
    """Measure the chosen parts and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all by default")
    wanted = parser.parse_args().parts or list(PARTS)
    if unknown := [part for part in wanted if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}, only {', '.join(PARTS)}")
    head, measured = read_page()
    for part in wanted:
        versions = f"kingdomino {kd.__version__}, {version('rustc', '--version')}"
        signed = f"Measured {time.strftime('%Y-%m-%d')} on {machine()}; {versions}."
        measured[part] = "\n".join([f"## {part.capitalize()}", "", *PARTS[part](), "", signed, ""])
        page = [head, *(measured[part] for part in PARTS if part in measured)]
        write_page(PAGE, "\n".join(page))


if __name__ == "__main__":
    main()
