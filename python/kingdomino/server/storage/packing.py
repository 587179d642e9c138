"""The plain form of a packed log: its entries as JSON, compressed."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Final

from kingdomino.server.storage.archive import Entry, Packing

__all__ = ["PLAIN", "compress", "decompress"]

_FORM: Final = b"0"


def compress(form: bytes, text: bytes) -> bytes:
    """Compress a text; the first byte names its form."""
    return form + zlib.compress(text, level=9)


def decompress(packed: bytes) -> tuple[bytes, bytes]:
    """Give the form and the text."""
    return packed[:1], zlib.decompress(packed[1:])


def _pack(_: str, entries: Sequence[Entry]) -> bytes:
    rows = [[entry.number, entry.ply, entry.at, entry.kind, entry.body, entry.secret] for entry in entries]
    return compress(_FORM, json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())


def _unpack(table: str, packed: bytes) -> list[Entry]:
    form, text = decompress(packed)
    if form != _FORM:
        raise ValueError(f"the log of {table} is packed in a form that is not known here")
    return [Entry(*row) for row in json.loads(text)]


PLAIN: Final = Packing(_pack, _unpack)
"""Needs no knowledge of the game, and five times as much room as a form that leaves out what follows from the rules."""
