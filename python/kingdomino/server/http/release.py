"""The files of the browser client: one release, in memory, compressed.

The version is a digest of the contents and part of every file's address (``/static/VERSION/…``). So a browser can cache
each file for ever, and a page never mixes files of two releases.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

import brotli
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import kingdomino as kd
from kingdomino._core import table_rules

__all__ = [
    "ART",
    "DOMINOES",
    "KEPT_PAGES",
    "STATIC",
    "VERSION",
    "answer",
    "file",
    "manifest",
    "page",
    "public_files",
    "type_of",
    "worker",
]

Coding: TypeAlias = Literal["br", "gzip"]

DOMINOES: Final = to_json(
    [
        {"number": domino.number, "left": domino.left._asdict(), "right": domino.right._asdict()}
        for domino in kd.DOMINOES
    ]
)
"""The 48 dominoes, which pages load as a file."""
_RULES: Final = f"[{','.join(map(table_rules, kd.Rules.all()))}]".encode()
"""All rules sets with their facts, likewise."""
_SERVER: Final = Path(__file__).parents[1]
STATIC: Final = _SERVER / "static"
ART: Final = _SERVER.parent / "art"
_FOREVER: Final = "public, max-age=31536000, immutable"
# Some systems have other types for these.
_TYPES: Final = {".js": "text/javascript", ".wasm": "application/wasm", ".woff2": "font/woff2"}
_COMPRESSED_ALREADY: Final = ("font/woff2", "image/png")
_BROTLI: Final = 10  # 11 saves another 3%, but takes twice as long
_REFUSED: Final = re.compile(r"q=0(\.0*)?")
_COMMENT: Final = re.compile(r"^[ \t]*/\*\*?[^*]*\*+(?:[^/*][^*]*\*+)*/[ \t]*$", re.MULTILINE)
"""A comment on lines of its own, in a module or a style sheet."""
_PART: Final = re.compile(r"<!-- (\w+\.html) -->\n")
"""A part that several pages have."""
_BUILT: Final = {
    path.relative_to(STATIC).with_suffix("").as_posix(): path.read_bytes() for path in STATIC.rglob("*.br")
}
"""The engine's files, which are compressed when they are built."""
_WRITTEN: Final = ("worker.js", "manifest.json")
"""Files that get addresses first."""
KEPT_PAGES: Final = {
    "/": "home",
    "/play": "table",
    "/replay": "table",
    "/g": "table",
    "/review": "review",
    "/mistakes": "mistakes",
    "/points": "points",
    "/puzzles": "puzzles",
    "/analysis": "analysis",
    "/score": "score",
    "/photo": "photo",
    "/learn": "learn",
    "/rules": "rules",
    "/games": "games",
    "/new": "new",
    "/you": "you",
    "/offline": "offline",
}
"""The pages that a browser keeps, to show them without a network: path and name."""


def _read() -> dict[str, bytes]:
    paths = [path for path in STATIC.rglob("*") if path.is_file() and path.suffix != ".br"]
    files = {path.relative_to(STATIC).as_posix(): path for path in paths}
    files |= {f"art/{path.name}": path for path in ART.iterdir() if path.is_file()}
    read = {name: _without_comments(name, path.read_bytes()) for name, path in sorted(files.items())}
    read |= {name: brotli.decompress(body) for name, body in _BUILT.items()}
    return read | {"dominoes.json": DOMINOES, "rules-sets.json": _RULES}


def _without_comments(name: str, body: bytes) -> bytes:
    """Remove comments, a fifth of the modules' bytes, but keep the line numbers."""
    if not name.endswith((".js", ".css")):
        return body
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), body.decode()).encode()


def _version(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, body in files.items():
        digest.update(f"{name} {len(body)}\n".encode() + body)
    return digest.hexdigest()[:12]


_FILES: Final = _read()
VERSION: Final = _version(_FILES)
_COMPRESSED: Final = {_FILES[name]: body for name, body in _BUILT.items()}


def file(request: Request, path: str) -> Response:
    """Answer with a file. Browsers cache it for ever if the address has the version, else they revalidate it."""
    version, _, name = path.partition("/")
    is_versioned = version == VERSION
    if not is_versioned:
        name = path
    if name not in _FILES:
        raise HTTPException(404)
    response = answer(request, _FILES[name], type_of(name))
    if is_versioned:
        response.headers["Cache-Control"] = _FOREVER
    return response


def answer(request: Request, body: bytes, media_type: str) -> Response:
    """Answer with this body, compressed if the client accepts it; with status 304 if the client has it."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if tag in (each.strip().removeprefix("W/") for each in known.split(",")):
        return Response(status_code=304, headers=headers)
    coding = _coding(request.headers.get("accept-encoding", ""))
    if coding and media_type not in _COMPRESSED_ALREADY:
        headers["Content-Encoding"] = coding
        body = _compressed(body, coding)
    return Response(body, headers=headers, media_type=media_type)


@cache
def page(name: str, root: str = "") -> str:
    """Return a page (such as ``home``) with the addresses of this release, below a root path."""
    text = _PART.sub(lambda part: _FILES[part[1]].decode(), _FILES[f"{name}.html"].decode())
    return text.replace('"/static/', f'"/static/{VERSION}/').replace('="/', f'="{root}/')


@cache
def manifest(root: str = "") -> str:
    """Return the web app manifest with the addresses of this release, below a root path."""
    text = _FILES["manifest.json"].decode().replace('"/static/', f'"/static/{VERSION}/')
    return text.replace('": "/', f'": "{root}/')


def worker(pages: Mapping[str, str]) -> str:
    """Return the service worker that keeps these pages and the files of this release.

    pages: their texts by their address below the root. Other texts are another edition.
    """
    edition = _version({VERSION: b"", **{address: text.encode() for address, text in pages.items()}})
    files = [f"static/{VERSION}/{name}" for name in public_files()]
    release = {"version": VERSION, "edition": edition, "pages": list(pages), "files": files}
    empty = '{ version: "", edition: "", pages: [], files: [] }'
    return _FILES["worker.js"].decode().replace(empty, json.dumps(release))


def public_files() -> dict[str, bytes]:
    """Return the files that pages load, by name."""
    return {
        name: body
        for name, body in _FILES.items()
        if not name.endswith((".html", ".d.ts")) and name not in _WRITTEN
    }


def type_of(name: str) -> str:
    """Return the media type for a file's name."""
    suffix = posixpath.splitext(name)[1]
    return _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _coding(accepted: str) -> Coding | None:
    """Choose a coding from an ``Accept-Encoding`` header."""
    parts = (part.partition(";") for part in accepted.split(","))
    codings = {coding.strip() for coding, _, weight in parts if not _REFUSED.fullmatch(weight.strip())}
    return "br" if "br" in codings else "gzip" if "gzip" in codings else None


@lru_cache(maxsize=512)
def _compressed(body: bytes, coding: Coding) -> bytes:
    if coding == "gzip":
        return gzip.compress(body, mtime=0)
    return _COMPRESSED.get(body) or brotli.compress(body, quality=_BROTLI)
