"""The drawing that every picture is built on: pieces of SVG, the symbols that they use, the document.

Colours are attributes, not a style sheet, so that an inline picture changes nothing else on the page. Every
id contains a hash of the picture, so that two pictures on one page never share one.
"""

import hashlib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

from kingdomino.errors import KingdominoError
from kingdomino.svg.symbols import colours, symbols

_ID = "\0"  # stands for the hash until the picture is complete; no text can contain it

SERIF = (
    "'Iowan Old Style','Palatino Linotype',Palatino,P052,'URW Palladio L',"
    "'Book Antiqua','Noto Serif',Georgia,serif"
)
SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif"
_FIGURES = "font-variant-numeric:lining-nums tabular-nums"

_SHADOW = "#321e0a"
_BLUR = '<filter id="" x="-.2" y="-.2" width="1.4" height="1.4"><feGaussianBlur stdDeviation="{}"/></filter>'


class Fragment(NamedTuple):
    """A finished part of drawings: its SVG, the symbols that it uses, and its definitions."""

    content: str
    symbols: Mapping[str, None]
    definitions: Mapping[str, str]


class Drawing:
    """Collects the pieces of a picture. Coordinates refer to the innermost group."""

    def __init__(self, theme: str) -> None:
        self.theme = theme
        self.dark = theme == "dark"
        self._colours = colours(theme)
        self._pieces: list[str] = []
        self._symbols: dict[str, None] = {}
        self._definitions: dict[str, str] = {}

    def colour(self, token: str) -> str:
        """Return the colour of a token in the theme of this picture."""
        return self._colours[token]

    def add(self, piece: str) -> None:
        """Add a piece of SVG."""
        self._pieces.append(piece)

    def include(self, fragment: Fragment) -> None:
        """Add a part that was drawn before, in the same theme."""
        self._pieces.append(fragment.content)
        self._symbols.update(fragment.symbols)
        if fragment.definitions:
            self._definitions.update(fragment.definitions)

    def fragment(self) -> Fragment:
        """Return the drawing so far, for `include`."""
        return Fragment("".join(self._pieces), self._symbols.copy(), self._definitions.copy())

    def open(self, x: float = 0, y: float = 0, scale: float = 1, attributes: str = "") -> None:
        """Open a group with its origin at (x, y). `close` ends it."""
        self.add(_open(x, y, scale, attributes))

    def close(self) -> None:
        """Close the innermost group."""
        self.add("</g>")

    def use(self, symbol: str, x: float, y: float, width: float, height: float, attributes: str = "") -> None:
        """Draw a symbol of the sheet in a box."""
        self._symbols[symbol] = None
        self.add(_use(symbol, x, y, width, height, attributes))

    def rectangle(
        self, x: float, y: float, width: float, height: float, radius: float, attributes: str
    ) -> None:
        """Add a rectangle with round corners."""
        box = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
        self.add(f'<rect {box} rx="{_number(radius)}" {attributes}/>')

    def text(
        self, words: str, x: float, y: float, size: float, attributes: str = "", sans: bool = False
    ) -> None:
        """Add text on a baseline, in the serif face or, for labels, in the sans-serif one."""
        self.add(_text(words, x, y, size, attributes, sans))

    def define(self, name: str, definition: str) -> str:
        """Add a definition under this name, and return the reference to it, ``url(#…)``."""
        self._definitions[name] = definition.replace('id=""', f'id="{_ID}{name}"')
        return f"url(#{_ID}{name})"

    def shadow(self, outline: str, drop: float, blur: float) -> None:
        """Add the shadow of an outline (the data of a path)."""
        soft = self.define(f"blur-{_number(blur)}", _BLUR.format(_number(blur)))
        shade = 'fill="#000" opacity=".5"' if self.dark else f'fill="{_SHADOW}" opacity=".3"'
        self.add(f'<path d="{outline}" transform="translate(0 {_number(drop)})" {shade} filter="{soft}"/>')

    def sheet(self, x: float, y: float, width: float, height: float, radius: float = 18) -> None:
        """Add a sheet of parchment with its shadow."""
        self.shadow(f"M{x} {y}h{width}v{height}h{-width}z", 5, 8)
        self.rectangle(x, y, width, height, radius, f'fill="{self.colour("parchment")}"')

    def pill(self, words: str, x: float, y: float, size: float, paper: str, ink: str, rim: str) -> None:
        """Add a small rounded label, centred on (x, y)."""
        width, height = pill_width(words, size), 1.5 * size
        paint = f'fill="{paper}" stroke="{rim}" stroke-width="2.5"'
        self.rectangle(x - width / 2, y - height / 2, width, height, height / 2, paint)
        attributes = f'text-anchor="middle" font-weight="700" fill="{ink}"'
        self.text(words, x, y + 0.34 * size, size, attributes)

    def document(self, box: tuple[float, float, float, float], scale: float, title: str) -> str:
        """Return the SVG document. ``box`` is its viewBox (x, y, width, height), ``scale`` the pixels a unit."""
        name = escape(title)
        _, _, width, height = box
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(map(_number, box))}" '
            f'width="{_number(width * scale)}" height="{_number(height * scale)}" '
            f'role="img" aria-label="{name}" '
            f'font-family="{SERIF}" style="{_FIGURES}" fill="{self.colour("ink")}"><title>{name}</title>'
        )
        symbols = "".join([_symbol(symbol, self.theme) for symbol in self._symbols])
        definitions = "".join(self._definitions.values())
        drawn = "".join(self._pieces)
        # The pieces contain the symbols' names, so the digest need not cover the symbols.
        digest = hashlib.sha256(f"{head}{definitions}{drawn}".encode()).hexdigest()[:10]
        picture = f"{head}<defs>{symbols}{definitions}</defs>{drawn}</svg>"
        return picture.replace(_ID, f"kd-{digest}-")


@lru_cache(1024)
def _open(x: float, y: float, scale: float, attributes: str) -> str:
    scaling = f" scale({_number(scale)})" if scale != 1 else ""
    moved = f' transform="translate({_number(x)} {_number(y)}){scaling}"' if x or y or scaling else ""
    return f"<g{moved}{attributes and ' ' + attributes}>"


@lru_cache(1024)
def _text(words: str, x: float, y: float, size: float, attributes: str, sans: bool) -> str:
    face = f' font-family="{SANS}"' if sans else ""
    where = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"'
    return f"<text {where}{face}{attributes and ' ' + attributes}>{escape(words, quote=False)}</text>"


@lru_cache(4096)
def _use(symbol: str, x: float, y: float, width: float, height: float, attributes: str) -> str:
    where = " ".join(f'{name}="{_number(value)}"' for name, value in (("x", x), ("y", y)) if value)
    size = f'width="{_number(width)}" height="{_number(height)}"'
    return " ".join(filter(None, [f'<use href="#{_ID}{symbol}"', where, size, attributes])) + "/>"


@lru_cache(512)
def _symbol(name: str, theme: str) -> str:
    box, content = symbols()[name]
    content = content.replace("var(--kd-spot-paper,#FFF8EA)", colours(theme)["kd-spot-paper"])
    return f'<symbol id="{_ID}{name}" viewBox="{box}">{content}</symbol>'


def check_size(size: object, what: str) -> float:
    """Return the size. Raises `KingdominoError` unless it is a number from 1 to 10,000."""
    if not isinstance(size, int | float) or not 1 <= size <= 10_000:
        raise KingdominoError(f"{what}: {size!r} is not a number of pixels from 1 to 10000")
    return size


@lru_cache(1024)
def text_width(words: str, size: float, bold: bool = False) -> float:
    """Estimate the width of a text. The fonts of the reader are unknown."""
    width = 0.0
    for letter in words:
        if unicodedata.east_asian_width(letter) in "WF":
            width += 1.0
        elif letter in "iljtfI.,:;'|!() ":
            width += 0.3
        elif letter in "mwMW@%—":
            width += 0.86
        else:
            width += 0.68 if letter.isupper() else 0.52
    return width * size * (1.05 if bold else 1.0)


def pill_width(words: str, size: float) -> float:
    """Estimate the width of a `Drawing.pill` with these words."""
    return text_width(words, size, bold=True) + 0.95 * size


def fitted(words: str, size: float, room: float, bold: bool = False) -> str:
    """Return the words, shortened with an ellipsis if they are wider than the room."""
    if text_width(words, size, bold) <= room:
        return words
    while words and text_width(words + "…", size, bold) > room:
        words = words[:-1]
    return words.rstrip() + "…"


@lru_cache(4096)
def _number(value: float) -> str:
    return f"{value or 0:.2f}".rstrip("0").rstrip(".")
