"""Measures how soon a page shows something: ``python -m benches.table_paint ADDRESS…``.

Each ADDRESS names a running server (``http://127.0.0.1:8000``). Several servers, for example of different
versions, take turns, so that other load on the machine affects all alike. Every visit uses a new browser
profile with an empty cache. It needs Chromium, and prints a Markdown table.
"""

from __future__ import annotations

import os
import shutil
import statistics
from typing import Annotated

import typer
from playwright.sync_api import Browser, sync_playwright

_PAINT = """() => new Promise((resolve) => {
  const report = (entry) => entry.name === "first-contentful-paint" && resolve(entry.startTime);
  new PerformanceObserver((list) => list.getEntries().forEach(report)).observe({ type: "paint", buffered: true });
})"""
_PAGES = ("home", "a table")


def main(
    servers: Annotated[list[str], typer.Argument(metavar="ADDRESS…")],
    visits: Annotated[int, typer.Option(help="of each page")] = 9,
) -> None:
    """Visit home and a table of each server, and print the medians."""
    seconds: dict[tuple[str, str], list[float]] = {
        (server, page): [] for server in servers for page in _PAGES
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0
        )
        for server in servers:
            _visit(browser, server)  # warms up the server and the browser
        for _ in range(visits):
            for server in servers:
                for page, figure in zip(_PAGES, _visit(browser, server), strict=True):
                    seconds[server, page].append(figure)
        browser.close()
    print("| server | page | first contentful paint, median | shortest and longest |\n|---|---|---|---|")
    for (server, page), figures in seconds.items():
        extremes = f"{min(figures):.2f} to {max(figures):.2f} s"
        print(f"| {server} | {page} | {statistics.median(figures):.2f} s | {extremes} |")


def _visit(browser: Browser, server: str) -> tuple[float, float]:
    """Return the seconds until home and a table show something, each in a new profile."""
    context = browser.new_context(base_url=server, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto("/")
    home = page.evaluate(_PAINT)
    context.close()
    context = browser.new_context(base_url=server, viewport={"width": 1440, "height": 900})
    table = context.request.post("/api/tables", data={}).json()["table"]["id"]
    page = context.new_page()
    page.goto(f"/t/{table}")
    seen = page.evaluate(_PAINT)
    context.close()
    return home / 1000, seen / 1000


if __name__ == "__main__":
    typer.run(main)
