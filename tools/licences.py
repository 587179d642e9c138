"""Writes THIRD-PARTY.md, the list of everything that ships in a wheel, with licences: ``python -m tools.licences``."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "THIRD-PARTY.md"

ACCEPTED: Final = {
    "MIT": ("LICENSE-MIT", "LICENSE.txt", "LICENSE-MIT.md", "LICENSE.md"),
    "BSD-2-Clause": ("LICENSE",),
    "BSD-3-Clause": ("LICENSE.md",),
}
"""The licences that we choose for crates, and a crate's possible licence files. deny.toml allows more."""

_HEAD: Final = """\
# Third-party parts

A wheel of Kingdomino contains these parts by others. Kingdomino itself is under the [MIT licence](LICENSE). The Python
packages that are installed beside it are not part of the wheel; `make sbom` lists them. `make format` writes this page.

## Files

| part | licence | where |
|---|---|---|
| TeX Gyre Pagella 2.501, changed and renamed *Kingdomino Book* | [GUST Font License]\
(python/kingdomino/art/fonts/GUST-FONT-LICENSE.txt) | `kingdomino/art/fonts`, `kingdomino/server/static/fonts` |
| Swagger UI 5, with the packages that [it bundles]\
(python/kingdomino/server/reference/swagger-ui-bundle.js.LICENSE.txt) | \
[Apache-2.0](python/kingdomino/server/reference/LICENSE) | `kingdomino/server/reference` |

## Crates

They are linked into `kingdomino/_core` and `kingdomino.wasm`, together with Rust's standard library (MIT OR Apache-2.0,
© the Rust Project contributors). Where there is a choice, we take the licence whose text is below.

| crate | version | licence |
|---|---|---|
"""


@dataclass(frozen=True, order=True)
class Crate:
    """A crate linked into the engine."""

    name: str
    version: str
    licence: str
    folder: Path

    @property
    def text(self) -> str:
        """The text of the licence that we choose for this crate."""
        choices = self.licence.replace("/", " OR ").split(" OR ")
        for licence, files in ACCEPTED.items():
            if licence in choices:
                text = next(path for file in files if (path := self.folder / file).exists())
                return text.read_text(encoding="utf-8").strip()
        raise ValueError(f"{self.name} {self.version} is under {self.licence}, which is not accepted")


def linked() -> list[Crate]:
    """Find the external crates that are linked into an engine, on any platform or in the page, by name."""
    packages = ("--package=kingdomino-python", "--package=kingdomino-web")
    tree = _cargo("tree", *packages, "--edges=normal,no-proc-macro", "--target=all", "--prefix=none")
    names = {tuple(line.split()[:2]) for line in tree.splitlines()}
    known = json.loads(_cargo("metadata", "--format-version=1"))["packages"]
    return sorted(
        Crate(one["name"], one["version"], one["license"], Path(one["manifest_path"]).parent)
        for one in known
        if one["source"] and (one["name"], f"v{one['version']}") in names
    )


def page() -> str:
    """Write the page."""
    return _HEAD + "".join(_lines(linked()))


def _lines(crates: list[Crate]) -> Iterator[str]:
    for crate in crates:
        yield f"| {crate.name} | {crate.version} | {crate.licence} |\n"
    sharers: dict[str, list[str]] = {}
    for crate in crates:
        sharers.setdefault(crate.text, []).append(crate.name)
    for text, names in sharers.items():
        yield f"\n### {', '.join(names)}\n\n```text\n{text}\n```\n"


def _cargo(*arguments: str) -> str:
    command = ["cargo", *arguments, "--offline", "--locked", "--quiet"]  # a build has fetched every crate
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
