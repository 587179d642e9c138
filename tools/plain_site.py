"""Writes the site of plain files to dist/site, for any host and below any path: ``make site``.

It is the browser client of this release, without a server: games on the player's device, reviews and the analysis
board, and the documents. All addresses are relative. Each page is a folder with an index, so that its address is that
of a server's page.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from kingdomino.server.http import release
from kingdomino.server.http.middleware import POLICY

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "python/kingdomino/server/site"
SITE: Final = ROOT / "dist/site"
# A page itself cannot say who may frame it.
_POLICY: Final = POLICY.replace("frame-ancestors 'none'; ", "")
_CHARSET: Final = '<meta charset="utf-8">\n'
_HEAD: Final = f'{_CHARSET}<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'


def main() -> int:
    """Write the site. Return 1 if something that it needs was not built."""
    if not DOCS.exists() or "engine/kingdomino.wasm" not in release.public_files():
        print("build the engine and the documents first: make site does", file=sys.stderr)
        return 1
    shutil.rmtree(SITE, ignore_errors=True)
    for name, body in release.public_files().items():
        write(f"static/{release.VERSION}/{name}", body)
    for path, name in release.KEPT_PAGES.items():
        write(f"{path[1:]}/index.html", plain(release.page(name, "." if path == "/" else "..")).encode())
    write("manifest.webmanifest", release.manifest(".").encode())
    write("sw.js", release.worker(folders=True).encode())
    write(".nojekyll", b"")  # GitHub Pages would hide files that begin with an underscore
    shutil.copytree(DOCS, SITE / "docs")
    print(
        f"{SITE.relative_to(ROOT)}: try it with python3 -m http.server --directory {SITE.relative_to(ROOT)}"
    )
    return 0


def plain(page: str) -> str:
    """Say in a page that there is no server, and whom it may load from."""
    return page.replace("<html ", '<html data-server="none" ', 1).replace(_CHARSET, _HEAD, 1)


def write(name: str, body: bytes) -> None:
    """Write a file of the site."""
    file = SITE / name.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(body)


if __name__ == "__main__":
    sys.exit(main())
