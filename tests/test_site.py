"""The site of the documents: what tools/site.py finds wrong with one, and that all pages have a place in it.

`make docs` builds the site and stops at each such fault; `.ci/run` runs it.
"""

import json
import tomllib
import zlib
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

import kingdomino as kd
from tools import site

ROOT = Path(__file__).parent.parent


def written(folder: Path, pages: dict[str, str]) -> Path:
    for name, body in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body, encoding="utf-8")
    return folder


def pages_of(nav: list[Any]) -> list[str]:
    """List the pages of a navigation: paths, titles with a path, and titles with a list."""
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


def test_a_name_that_the_reference_lacks_is_found(tmp_path: Path) -> None:
    inventory = b"# Sphinx inventory version 2\n# Project: K\n# Version: 0\n# zlib\n"
    (tmp_path / "objects.inv").write_bytes(inventory + zlib.compress(b"kingdomino.Game py:class 1 x/#$ -\n"))
    assert list(site.missing_names(tmp_path, ["kingdomino.Game", "kingdomino.Gone"])) == [
        "the reference has no kingdomino.Gone"
    ]


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    home = '<h2 id="here"></h2><a href="a/">a</a><a href="#here">h</a><a href="https://example.org">e</a>'
    page = '<a href="../#here">h</a><a href="../#gone">g</a><a href="../b/">b</a><img src="gone.svg">'
    written(tmp_path, {"index.html": home, "a/index.html": page})
    assert list(site.broken_links(tmp_path)) == [
        "a/index.html: ../#gone has no such heading",
        "a/index.html: there is no ../b/",
        "a/index.html: there is no gone.svg",
    ]


def test_what_a_page_or_a_style_sheet_loads_from_elsewhere_is_found(tmp_path: Path) -> None:
    page = '<a href="https://example.org">fine</a><script src="//example.org/x.js"></script>'
    sheet = '@import "tokens.css"; a { background: url("https://example.org/x.png") url(data:image/png,) }'
    written(tmp_path, {"index.html": page, "look.css": sheet})
    assert list(site.foreign_files(tmp_path)) == [
        "index.html: loads //example.org/x.js",
        "look.css: loads https://example.org/x.png",
    ]


def test_links_to_sources_keep_their_words_and_others_lead_to_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        "[a bot](../../python/x.py), [b](b.md#c), [tour](../tour.ipynb), [how](../../CONTRIBUTING.md#d), "
        "![p](../p.svg), [out](https://example.org)\n```python\n>>> 1\n```\n"
    )
    written(tmp_path, {"docs/guides/a.md": text, "CONTRIBUTING.md": "[a](docs/guides/a.md)"})
    monkeypatch.setattr(site, "ROOT", tmp_path)
    monkeypatch.setattr(site, "DOCS", tmp_path / "docs")
    assert site.for_the_site(tmp_path / "docs/guides/a.md") == (
        "a bot, [b](b.md#c), [tour](../tour.md), [how](../contributing.md#d), "
        "![p](../p.svg), [out](https://example.org)\n```pycon\n>>> 1\n```\n"
    )
    assert site.for_the_site(tmp_path / "CONTRIBUTING.md") == "[a](guides/a.md)"


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
