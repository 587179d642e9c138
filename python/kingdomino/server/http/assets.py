"""The browser's files: scripts, styles, words and art, small and with their fingerprints.

Comments and indentation are removed on the way to the browser, once, when a file is first requested or has changed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import rcssmin
import rjsmin
from fastapi import Request, Response

STATIC = Path(__file__).parents[1] / "static"
ART = Path(__file__).parents[2] / "art"
_SMALLER: dict[str, Callable[[str], str]] = {
    ".js": rjsmin.jsmin,
    ".css": rcssmin.cssmin,
    ".json": lambda text: json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")),
}
mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise


class Asset(NamedTuple):
    """A file as it is sent: its content, the same packed, its type and its fingerprint."""

    content: bytes
    packed: bytes
    media_type: str
    fingerprint: str


def answer(request: Request, file: Path) -> Response:
    """Send a file, or 304 to a client that has it already. Raises `FileNotFoundError`."""
    asset = _asset(file, file.stat().st_mtime_ns)
    headers = {"Cache-Control": "no-cache", "ETag": asset.fingerprint, "Vary": "Accept-Encoding"}
    if asset.fingerprint in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(
            asset.packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=asset.media_type
        )
    return Response(asset.content, headers=headers, media_type=asset.media_type)


def find(folder: Path, name: str) -> Path | None:
    """Find a file of a folder by its path in it; `None` for what is not there or lies elsewhere."""
    try:
        file = (folder / name).resolve()
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


@lru_cache(maxsize=256)
def _asset(file: Path, _changed: int) -> Asset:
    content = file.read_bytes()
    if smaller := _SMALLER.get(file.suffix):
        content = smaller(content.decode()).encode()
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    fingerprint = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return Asset(content, gzip.compress(content, mtime=0), media_type, fingerprint)
