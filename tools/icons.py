"""Draws the icons of the installed app and of a tab from the art: ``python -m tools.icons``. It needs Chromium."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from kingdomino import server
from kingdomino.svg.symbols import colours, symbols

STATIC: Final = Path(server.__file__).parent / "static"
ICONS: Final = STATIC / "icons"
_CORNER: Final = 18  # of 100: the radius of a plain icon's corners
_MASKED: Final = 0.72  # of the width: a system may crop a maskable icon to a circle of 80%


def plain() -> str:
    """Draw the castle on a square with round corners."""
    box, castle = symbols()["castle"]
    corners = f'<clipPath id="round"><rect width="100" height="100" rx="{_CORNER}"/></clipPath>'
    return _document(box, f'{corners}<g clip-path="url(#round)">{castle}</g>')


def maskable() -> str:
    """Draw the castle smaller, and extend its background to all edges."""
    box, castle = symbols()["castle"]
    ground = castle.partition('fill="')[2].partition('"')[0]
    margin = 50 * (1 - _MASKED)
    return _document(
        box,
        f'<path fill="{ground}" d="M0 0h100v100H0z"/>'
        f'<g transform="translate({margin:g} {margin:g}) scale({_MASKED})">{castle}</g>',
    )


def tab() -> str:
    """Return the crown of a browser's tab on a square, for browsers without icons in SVG."""
    crown = (STATIC / "icon.svg").read_text()
    return crown.replace('viewBox="-1 -1 30 24"', 'viewBox="-1 -4 30 30"')


PICTURES: Final = {
    "192": (plain, 192),
    "512": (plain, 512),
    "maskable-192": (maskable, 192),
    "maskable-512": (maskable, 512),
    "apple": (maskable, 180),  # iPhones and iPads cut the corners themselves
    "tab": (tab, 32),
}


def _document(box: str, drawing: str) -> str:
    seat = colours("light")["pink"]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" color="{seat}">{drawing}</svg>\n'


def main() -> None:
    """Write the icons: one SVG, and PNGs for systems that accept only PNGs."""
    ICONS.mkdir(exist_ok=True)
    (ICONS / "icon.svg").write_text(plain())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0
        )
        for name, (draw, size) in PICTURES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{draw()}")
            page.screenshot(path=ICONS / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
