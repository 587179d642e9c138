"""Builds the site of the documents and checks it: ``make docs``.

The pages are docs/, CONTRIBUTING.md, and the notebook with its outputs. The tool copies them to target/site,
where zensical.toml lets Zensical find them. In the finished site every link and anchor must have a target,
every public name must be in the reference, and no page may load anything from another host.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
PACKAGE: Final = ROOT / "python/kingdomino"
PAGES: Final = ROOT / "target/site"
SITE: Final = PACKAGE / "server/site"
_LINK: Final = re.compile(r"(?<!!)\[([^]]+)\]\(([^)#:]+)(#[^)]*)?\)")


def main() -> int:
    """Build the site, and print its faults. Return their number."""
    gather()
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    if subprocess.run(build, cwd=ROOT, check=False).returncode:
        return 1
    faults = [
        *broken_links(SITE),
        *foreign_files(SITE),
        *missing_names(SITE, public_names(DOCS / "reference")),
    ]
    for fault in faults:
        print(fault)
    return len(faults)


def gather() -> None:
    """Copy all pages and their pictures into `PAGES`."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("*.py", "*.ipynb", "*.jsonl*"))
    shutil.copytree(PACKAGE / "server/static/fonts", PAGES / "look/fonts")
    shutil.copy(PACKAGE / "server/static/icon.svg", PAGES / "look")
    shutil.copy(PACKAGE / "art/tokens.css", PAGES / "look")
    for page in DOCS.glob("**/*.md"):
        (PAGES / page.relative_to(DOCS)).write_text(for_the_site(page), encoding="utf-8")
    (PAGES / "contributing.md").write_text(for_the_site(ROOT / "CONTRIBUTING.md"), encoding="utf-8")
    notebook = [sys.executable, "-m", "nbconvert", "--execute", "--to=markdown", "--log-level=WARN"]
    notebook += [f"--output-dir={PAGES}", str(DOCS / "tour.ipynb")]
    done = subprocess.run(notebook, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    tour = PAGES / "tour.md"
    shown = re.sub(r"!\[\w+\]", "![What this cell gives]", tour.read_text(encoding="utf-8"))
    tour.write_text(shown, encoding="utf-8")


def for_the_site(page: Path) -> str:
    """Return the text of a page with links to pages of the site. A link to a source becomes plain text."""

    def link(found: re.Match[str]) -> str:
        words, path, anchor = found[1], found[2], found[3] or ""
        target = (page.parent / path).resolve()
        if target == ROOT / "CONTRIBUTING.md":
            target = DOCS / "contributing.md"
        if not target.is_relative_to(DOCS):
            return words
        place = os.path.relpath(target, page.parent if page.is_relative_to(DOCS) else DOCS)
        return f"[{words}]({place.removesuffix('.ipynb') + '.md' if place.endswith('.ipynb') else place}{anchor})"

    text = _LINK.sub(link, page.read_text(encoding="utf-8"))
    return re.sub(r"^( *)```python\n(?=\1>>> )", r"\1```pycon\n", text, flags=re.MULTILINE)


class _Page(HTMLParser):
    """The ids of a page, the targets of its links, and the files that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids, self.links, self.loads = {""}, list[str](), list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if "href" in given:
            (self.links if tag == "a" else self.loads).append(given["href"])
        if "src" in given:
            self.loads.append(given["src"])


def broken_links(site: Path) -> Iterator[str]:
    """Find links, pictures and other files without a target inside the site."""
    pages = {
        path: _Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if path.stem != "404"
    }
    for path, page in pages.items():
        for link in dict.fromkeys([*page.links, *page.loads]):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{path.relative_to(site)}: there is no {link}"
            elif parts.fragment and unquote(parts.fragment) not in pages[target].ids:
                yield f"{path.relative_to(site)}: {link} has no such heading"


def foreign_files(site: Path) -> Iterator[str]:
    """Find addresses that a page or a style sheet would fetch from another server."""
    for path in [*site.rglob("*.html"), *site.rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        loads = _Page(text).loads if path.suffix == ".html" else re.findall(r"url\(['\"]?([^)'\"]+)", text)
        for load in loads:
            if urlsplit(load).netloc:
                yield f"{path.relative_to(site)}: loads {load}"


def public_names(reference: Path) -> Iterator[str]:
    """List the public names of the modules that the pages of the reference describe."""
    for page in sorted(reference.glob("*.md")):
        for module in re.findall(r"^::: ([\w.]+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            here = import_module(module)
            own = [name for name, value in vars(here).items() if getattr(value, "__module__", "") == module]
            names = getattr(here, "__all__", [name for name in own if not name.startswith("_")])
            yield from (f"{module}.{name}" for name in names)


def missing_names(site: Path, names: Iterable[str]) -> Iterator[str]:
    """Find names without an entry in the site's inventory (Sphinx's format: comments, then compressed lines)."""
    body = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    entries = {line.split(" ")[0] for line in zlib.decompress(body).decode().splitlines()}
    yield from (f"the reference has no {name}" for name in names if name not in entries)


if __name__ == "__main__":
    sys.exit(main() > 0)
