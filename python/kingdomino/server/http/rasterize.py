"""Draws the SVG document on stdin as PNG on stdout: ``python rasterize.py all|ours WIDTH``.

A program of its own: the library holds the interpreter for as long as it draws, some tenths of a second. ``ours`` draws
letters with our font only; ``all`` searches the fonts of the machine for those that it has not.
"""

import sys
from pathlib import Path

import resvg_py

FAMILY = "Kingdomino Book"
FONTS = Path(__file__).parents[2] / "art" / "fonts"


def main(fonts: str, width: str) -> None:
    """Draw one picture."""
    picture = resvg_py.svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        width=int(width),
        font_files=[str(file) for file in sorted(FONTS.glob("*.otf"))],
        font_family=FAMILY,
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
        skip_system_fonts=fonts == "ours",
    )
    sys.stdout.buffer.write(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
