"""Measures the reading of photographs in the page: ``python -m benches.page_photo PHOTOS``.

PHOTOS is a folder of straightened photographs. It starts its own server. With ``--slower 4`` the browser's
processes run for a quarter of the time, as on a phone. It needs Chromium and Linux.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import BrowserContext, sync_playwright

from benches.page_review import slowed
from benches.tables import Server


def main(
    photos: Annotated[Path, typer.Argument(exists=True, file_okay=False)],
    slower: Annotated[float, typer.Option(help="how many times slower the browser is")] = 4,
    most: Annotated[int, typer.Option(help="how many photographs to read")] = 20,
) -> None:
    """Time photographs from `Read it` to the reading; each visit starts the engine."""
    asyncio.run(_measure(sorted(photos.glob("*.jpg"))[:most], slower))


async def _measure(files: list[Path], slower: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with Server(Path(folder), pause=0) as server:
            await asyncio.to_thread(_print, f"http://{server.address}", files, slower)


def _print(address: str, files: list[Path], slower: float) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0
        )
        context = browser.new_context(
            base_url=address, viewport={"width": 360, "height": 740}, service_workers="block"
        )
        context.set_default_timeout(60_000)
        with slowed(slower):
            seconds = [_read(context, file) for file in files]
        print(
            f"{len(files)} photographs, {slower:g} times slower: median {statistics.median(seconds):.2f} s, "
            f"{min(seconds):.2f} to {max(seconds):.2f} s"
        )
        browser.close()


def _read(context: BrowserContext, photo: Path) -> float:
    """Return how many seconds the page takes to read a photograph whose corners are its own."""
    page = context.new_page()  # a tab keeps its picture
    page.goto("/photo")
    page.locator("input[type=file]").set_input_files(photo)
    canvas = page.locator(".shot > canvas").first
    canvas.wait_for()
    box = canvas.bounding_box()
    assert box is not None
    for corner, (x, y) in enumerate([(0, 0), (1, 0), (1, 1), (0, 1)]):
        handle = page.locator(".handle").nth(corner)
        handle.hover()
        page.mouse.down()
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        page.mouse.up()
    start = time.perf_counter()
    page.locator("[data-key='photo.read']").click()
    page.locator("[data-key='photo.right'], [data-key='photo.by_hand']").first.wait_for()
    seconds = time.perf_counter() - start
    page.close()
    return seconds


if __name__ == "__main__":
    typer.run(main)
