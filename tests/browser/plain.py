"""A site of plain files below a path of its host, served as by ``python -m http.server``."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from kingdomino.server.http import release
from tools import plain_site


class PlainSite:
    """Serves one release after another. Addresses that contain a part from ``lost`` get an error.

    ``asked`` has the paths that browsers requested. Like GitHub Pages, the host lets browsers cache
    everything for some minutes, and shows 404.html at unknown addresses.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._below = folder, folder / "kingdomino"
        self.lost: list[str] = []
        self.asked: list[str] = []
        self.address = ""
        self._server: ThreadingHTTPServer | None = None

    def publish(self, words: dict[str, bytes] | None = None) -> None:
        """Replace the site by this release, or by one with other files."""
        new = self._folder / "new"
        with _files(words or {}):
            plain_site.write_pages(new)
        shutil.rmtree(self._below, ignore_errors=True)
        new.rename(self._below)

    def file(self, name: str) -> Path:
        """Find a file of the site."""
        return self._below / name

    def start(self) -> None:
        """Serve on a free port, after a restart on the same one."""
        port = urlsplit(self.address).port or 0
        handler = partial(_Handler, site=self, directory=str(self._folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/kingdomino"
        Thread(target=self._server.serve_forever).start()

    def stop(self) -> None:
        """Answer nothing any more."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *given: Any, site: PlainSite, directory: str) -> None:  # noqa: ANN401
        self._site = site
        super().__init__(*given, directory=directory)

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Answer with a file."""
        self._site.asked.append(self.path)
        if any(part in self.path for part in self._site.lost):
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
            return None
        return super().send_head()

    def send_response(self, code: int, message: str | None = None) -> None:
        """Begin an answer."""
        super().send_response(code, message)
        if code == HTTPStatus.OK:
            self.send_header("Cache-Control", "max-age=600")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != HTTPStatus.NOT_FOUND:
            return super().send_error(code, message, explain)
        page = (Path(self.directory) / "kingdomino/404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(page)
        return None

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _files(other: dict[str, bytes]) -> Iterator[None]:
    """Change files of the release, and so its version."""
    files, version = release._FILES, release.VERSION  # noqa: SLF001
    changed = files | other
    vars(release).update(_FILES=changed, VERSION=release._version(changed))  # noqa: SLF001
    written = (release.page.cache_clear, release.manifest.cache_clear)
    for forget in written:
        forget()
    try:
        yield
    finally:
        vars(release).update(_FILES=files, VERSION=version)
        for forget in written:
            forget()
