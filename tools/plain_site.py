"""Writes the site of plain files to dist/site, for any host and below any path: ``make site``.

It is the browser client of this release, without a server: games on the player's device, reviews and the
analysis board, and the documents. All addresses are relative. Each page is a folder with an index, so that a
server's page has the same address. Every link must have a target.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

from kingdomino.server.http import release
from kingdomino.server.http.middleware import POLICY
from tools.site import SITE as DOCS
from tools.site import broken_links, foreign_files

ROOT: Final = Path(__file__).parents[1]
SITE: Final = ROOT / "dist/site"
# A page cannot restrict its own framing.
_POLICY: Final = POLICY.replace("frame-ancestors 'none'; ", "")
_CHARSET: Final = '<meta charset="utf-8">\n'
_NAMES: Final = "|".join(path[1:] for path in release.KEPT_PAGES if path != "/")
_TO_A_PAGE: Final = re.compile(rf'(href="\.\.?/(?:{_NAMES}))(?=["#])')
_TO_THE_API: Final = re.compile(r' href="\.\.?/api/[^"]*"')
_LOST: Final = """
(async () => {
  for (let path = location.pathname; path.includes("/"); path = path.replace(/\\/[^/]*$/, "")) {
    const lost = path.replace(/[^/]*$/, "lost/");
    const page = await fetch(lost, { method: "HEAD" }).catch(() => null);
    if (page?.ok) return location.replace(lost);
  }
})();
"""
"""Finds the root of the site. A host shows the page at any depth, so it has no relative addresses."""


def main() -> int:
    """Write the site, and print its faults. Return their number."""
    if not DOCS.exists() or "engine/kingdomino.wasm" not in release.public_files():
        print("build the engine and the documents first: make site does", file=sys.stderr)
        return 1
    shutil.rmtree(SITE, ignore_errors=True)
    write_pages(SITE)
    shutil.copytree(DOCS, SITE / "docs")
    # The client itself reads the text after a #. `make docs` checks anchors of the documents.
    links = (fault for fault in broken_links(SITE) if not fault.endswith("has no such heading"))
    faults = [*links, *foreign_files(SITE)]
    for fault in faults:
        print(fault)
    place = SITE.relative_to(ROOT)
    print(f"{place}: try it with python3 -m http.server --directory {place}")
    return len(faults)


def write_pages(site: Path) -> None:
    """Write everything but the documents."""

    def write(name: str, body: bytes) -> None:
        file = site / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)

    for name, body in release.public_files().items():
        write(f"static/{release.VERSION}/{name}", body)
    kept = {_folder(path): _page(path, name) for path, name in release.KEPT_PAGES.items()}
    for folder, text in (kept | {"lost/": _page("/lost", "not-found")}).items():
        write(f"{folder}index.html", text.encode())
    manifest = json.loads(release.manifest("."))
    del manifest["id"]  # the same for all sites of a host; without it, the start's address is the id
    write("manifest.webmanifest", json.dumps(manifest, indent=2).encode())
    write("sw.js", release.worker(kept).encode())
    write("404.html", _lost().encode())
    write(".nojekyll", b"")  # GitHub Pages would hide files that begin with an underscore


def _folder(path: str) -> str:
    """Return the folder of a page, which is empty for the home page."""
    return f"{path[1:]}/" if path != "/" else ""


def _page(path: str, name: str) -> str:
    """Return a page marked as serverless, with a security policy, and with links to the other folders."""
    page = release.page(name, ".." if _folder(path) else ".")
    page = page.replace("<html ", '<html data-server="none" ', 1).replace(_CHARSET, _head(_POLICY), 1)
    return _TO_THE_API.sub("", _TO_A_PAGE.sub(r"\1/", page))


def _lost() -> str:
    """Return the page that hosts show for an unknown address. It redirects to ``lost/``."""
    digest = base64.b64encode(sha256(_LOST.encode()).digest()).decode()
    head = _head(f"default-src 'none'; connect-src 'self'; script-src 'sha256-{digest}'")
    title = "<title>Kingdomino: nothing here</title>"
    body = f"<p>There is nothing here.</p>\n<script>{_LOST}</script>"
    return f'<!doctype html>\n<html lang="en">\n<head>\n{head}{title}\n</head>\n<body>\n{body}\n</body>\n</html>\n'


def _head(policy: str) -> str:
    return f'{_CHARSET}<meta http-equiv="Content-Security-Policy" content="{policy}">\n'


if __name__ == "__main__":
    sys.exit(main() > 0)
