"""Convert SVG on stdin to PNG on stdout: ``python rasterize.py all|ours WIDTH``.

This is a separate process because the library blocks the interpreter while it draws, for some tenths of a second.
``ours`` uses only our font; ``all`` searches the machine's fonts for letters that ours lacks.
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
