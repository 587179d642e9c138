"""The documentation site: the faults that tools/site.py finds, and an entry for every page.

`make docs` builds the site and stops at each such fault; `.ci/run` runs it.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import matplotlib as mpl

import kingdomino as kd
from tools import site

ROOT = Path(__file__).parent.parent


def pages_of(nav: list[Any]) -> list[str]:
    """List the pages of a navigation, which has paths, titles with a path, and titles with a list."""
    found: list[str] = []
    for entry in nav:
        (value,) = entry.values() if isinstance(entry, dict) else (entry,)
        found += pages_of(value) if isinstance(value, list) else [value]
    return found


def test_every_page_has_a_place_in_the_navigation() -> None:
    project = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    listed = pages_of(project["nav"])
    reports = set(ROOT.glob("docs/evidence/arena/**/*.md"))  # evidence/arena.md links to them
    pages = {str(path.relative_to(ROOT / "docs")) for path in {*ROOT.glob("docs/**/*.md")} - reports}
    assert sorted(listed) == sorted({*pages, "tour.md", "contributing.md"})


def test_every_public_module_has_a_place_in_the_reference() -> None:
    described = {name.rpartition(".")[0] for name in site.public_names(ROOT / "docs/reference")}
    package = Path(kd.__file__).parent
    with_names = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in package.rglob("*.py")
        if "\n__all__ = " in path.read_text(encoding="utf-8")
    }
    assert {
        name for name in with_names if not name.startswith(("kingdomino.server", "kingdomino.cli"))
    } <= described


def test_the_cells_of_the_notebook_run_in_their_order() -> None:
    notebook = json.loads((ROOT / "docs/tour.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 10
    assert not [cell for cell in notebook["cells"] if cell.get("outputs")]  # the site shows fresh ones
    names: dict[str, Any] = {}
    with mpl.rc_context({"backend": "agg"}):
        for cell in cells:
            exec(cell, names)
    names["plt"].close(names["figure"])
    assert 0 <= min(names["chances"]) <= max(names["chances"]) <= 1
