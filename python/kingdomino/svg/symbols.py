"""The symbols and colours in ``art/``, read once, when the first picture is drawn.

A fixed rule, not chance, chooses the variant that an end shows, so that all pictures agree.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from kingdomino._core import DOMINOES
from kingdomino.errors import KingdominoError
from kingdomino.values import Terrain

KINGS = ("pink", "yellow", "green", "blue")
"""The colours of the seats, as ``symbols.svg`` and ``tokens.css`` name them."""

# Mostly the plain variant, sometimes the second, once in nine the rare one.
_VARIANTS = (1, 2, 1, 1, 3, 1, 1, 2, 1)
_MINE_VARIANTS = (1, 2)


@cache
def symbols() -> Mapping[str, tuple[str, str]]:
    """Read the symbols of the sheet: name -> (viewBox, content)."""
    sheet = _read("symbols.svg")
    shapes = dict(re.findall(r"<!ENTITY ([\w-]+) '\s*(.*?)'>", sheet, re.DOTALL))

    def drawn(text: str) -> str:
        return re.sub(r"&([\w-]+);", lambda shape: drawn(shapes[shape[1]]), text)

    pattern = r'<symbol id="([^"]+)" viewBox="([^"]+)">\s*(.*?)\s*</symbol>'
    found = re.findall(pattern, drawn(sheet), re.DOTALL)
    return MappingProxyType({name: (box, re.sub(r">\s+<", "><", content)) for name, box, content in found})


@cache
def colours(theme: str) -> Mapping[str, str]:
    """Read the colours of a theme, ``"light"`` or ``"dark"``: token (without dashes) -> CSS value.

    Raises `KingdominoError` for another theme.
    """
    if theme not in ("light", "dark"):
        raise KingdominoError(f"no theme {theme!r}: there are 'light' and 'dark'")
    sheet = re.sub(r"/\*.*?\*/", "", _read("tokens.css"), flags=re.DOTALL)
    day, night = (dict(re.findall(r"--([\w-]+):\s*([^;]+);", block)) for block in sheet.split("@media")[:2])
    return MappingProxyType(day | night if theme == "dark" else day)


@cache
def ground(terrain: Terrain) -> str:
    """Return the ground colour of a terrain."""
    _, content = symbols()[f"{terrain}-1"]
    return content.partition('<path fill="')[2].partition('"')[0]


def variant(number: int, end: str) -> int:
    """Return the variant that an end shows: a cycle over the 96 ends, left end first."""
    return _variants()[number, end]


@cache
def _variants() -> Mapping[tuple[int, str], int]:
    seen: Counter[Terrain] = Counter()
    table = {}
    for domino in DOMINOES:
        for name, end in (("left", domino.left), ("right", domino.right)):
            cycle = _MINE_VARIANTS if end.terrain is Terrain.MINE else _VARIANTS
            table[domino.number, name] = cycle[seen[end.terrain] % len(cycle)]
            seen[end.terrain] += 1
    return MappingProxyType(table)


def _read(name: str) -> str:
    return files("kingdomino").joinpath("art", name).read_text(encoding="utf-8")
