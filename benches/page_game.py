"""Measures games against bots in the page: ``python -m benches.page_game``.

It starts its own server. Each visit uses a new browser profile; a cold visit starts with an empty cache. It
needs Chromium and Linux, and prints Markdown.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import statistics
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from benches.page_review import slowed
from benches.tables import Server

_BASE: Final = 'document.querySelector("script[type=module]").src.replace(/(?<=\\/js\\/).*/, "")'
_CREATE: Final = f"""async (bots) => {{
  const seatOf = (bot, seat) => ({{ seat, kind: bot ? "bot" : "person", name: "P", bot: bot || null, away: null }});
  const rules = `${{bots.length + 1}}.second.random.harmony.middle`;
  const store = await import({_BASE} + "local/store.js");
  return store.createTable({{ rules, dynasty: null, start: null, seats: ["", ...bots].map(seatOf) }});
}}"""
_DECISIONS: Final = f"""async (id) => {{
  const {{ table }} = await (await import({_BASE} + "local/store.js")).tableOf(id);
  return [...table.games[0].decisions.map(({{ at, by }}) => [at, by === "bot"])];
}}"""
_PLAY: Final = f"""async (id) => {{
  const client = (await import({_BASE} + "table/client.js")).clientOf(id);
  const {{ table: {{ turn }}, you }} = await client.read();
  if (!turn) return true;
  if (!you.seats.includes(turn.seat)) return new Promise((resolve) => setTimeout(resolve, 20, false));
  const actions = [];
  for (const phase of [turn.phase, "claim"]) {{
    if (actions.length && turn.phase === "claim") break;
    const {{ placements, claims, phase: now }} = await client.choices(turn.ply, actions.join(";"));
    if (phase !== now) break;
    actions.push([...placements, ...claims, {{ action: "discard" }}][0].action);
  }}
  await client.play(turn.ply, actions).catch(() => {{}}); // the page plays what is forced
  return false;
}}"""


def main(visits: Annotated[int, typer.Option(help="how many visits to time")] = 12) -> None:
    """Print a game's size in the page, how fast it begins and answers, and its load on a server."""
    asyncio.run(_measure(visits))


async def _measure(visits: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with Server(Path(folder), pause=0, has_metrics=True) as server:
            await asyncio.to_thread(_print_all, server, visits)


def _print_all(server: Server, visits: int) -> None:
    address = f"http://{server.address}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0
        )
        _print_bytes(browser, address)
        cold, warm = zip(*(_begin(browser, address) for _ in range(visits)), strict=True)
        for name, seconds in (("empty", cold), ("full", warm)):
            median = statistics.median(seconds)
            print(f"press to the first turn, {name} cache: median {median:.2f} s, {_range(seconds)}")
        _print_moves(browser, address)
        _print_load(browser, address, server)
        browser.close()


def _range(seconds: tuple[float, ...]) -> str:
    return f"{min(seconds):.2f} to {max(seconds):.2f} s"


def _visit(browser: Browser, address: str) -> tuple[BrowserContext, Page]:
    # Without a service worker, which downloads the release again. wait_for_function needs to evaluate text.
    context = browser.new_context(
        base_url=address, viewport={"width": 1440, "height": 900}, bypass_csp=True, service_workers="block"
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    return context, page


def _print_bytes(browser: Browser, address: str) -> None:
    """Print the bytes transferred from a first visit to a running game."""
    context, page = _visit(browser, address)
    sizes: dict[str, int] = {}

    def add(request: Request) -> None:
        told = request.sizes()
        kind = (
            "fonts"
            if request.resource_type == "font"
            else "engine"
            if request.url.endswith(".wasm")
            else "rest"
        )
        sizes[kind] = sizes.get(kind, 0) + told["responseHeadersSize"] + told["responseBodySize"]

    page.on("requestfinished", add)
    page.goto("/", wait_until="networkidle")
    home = sum(sizes.values())
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/play?id=*")
    page.wait_for_load_state("networkidle")
    parts = ", ".join(f"{kind} {size / 1000:.0f}" for kind, size in sorted(sizes.items()))
    whole = sum(sizes.values()) / 1000
    print(f"a first visit until a running game: {whole:.0f} KB ({parts}); home alone: {home / 1000:.0f} KB")
    context.close()


def _begin(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds from pressing Play to the table, for the first game of a visit and for the next."""
    context, page = _visit(browser, address)
    seconds = []
    for _ in range(2):
        page.goto("/", wait_until="networkidle")
        page.wait_for_function("document.querySelector('#picture .fan')")
        began = time.perf_counter()
        page.locator("#play").click()
        page.wait_for_function(
            "location.pathname === '/play' && document.querySelector('h1')?.textContent", polling=10
        )
        seconds.append(time.perf_counter() - began)
    context.close()
    return seconds[0], seconds[1]


def _print_moves(browser: Browser, address: str) -> None:
    """Print how long the strongest level takes, in a browser slowed four times, and the memory after three games."""
    context, page = _visit(browser, address)
    page.goto("/")
    taken: list[float] = []
    for slower in (4, 1, 1):
        table = page.evaluate(_CREATE, ["king:level=8"])
        page.goto(f"/play?id={table}")
        with slowed(slower):
            while not page.evaluate(_PLAY, table):
                pass
        decisions = page.evaluate(_DECISIONS, table)
        if slower > 1:
            pairs = pairwise(decisions)
            taken += [(at - before) / 1000 for (before, _), (at, is_bot) in pairs if is_bot]
    longest = max(taken)
    print(
        f"level 8 in a browser slowed four times: median {statistics.median(taken):.2f} s, at most {longest:.2f} s"
    )
    print(f"memory after three games: {_memory():.0f} MB in the page's process")
    context.close()


def _memory() -> float:
    """Return the private memory of the largest page, in MB."""
    found = []
    for status in Path("/proc").glob("[0-9]*/smaps_rollup"):
        try:
            if b"--type=renderer" in (status.parent / "cmdline").read_bytes():
                found.append(
                    sum(
                        int(kb)
                        for kb in re.findall(r"^Private_\w+: +(\d+)", status.read_text(), re.MULTILINE)
                    )
                )
        except OSError:
            continue
    return max(found) / 1024


def _print_load(browser: Browser, address: str, server: Server) -> None:
    """Print the server's load from a game with three bots: at a table of the server, and on the device; then idle."""
    print("\n| a game with three bots | requests | commits | processor of the server |\n|---|---|---|---|")
    bots = ["king:level=3"] * 3
    for name in ("at a table of the server", "on the device"):
        context, page = _visit(browser, address)
        page.goto("/", wait_until="networkidle")
        if name == "on the device":
            table = page.evaluate(_CREATE, bots)
            path = f"/play?id={table}"
        else:
            seats: list[Any] = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots)]
            answer = context.request.post("/api/tables", data={"players": 4, "seats": seats})
            table = answer.json()["table"]["id"]
            path = f"/t/{table}"
        page.goto(path, wait_until="networkidle")
        requests, seconds, commits, began = _requests(page), server.seconds, server.commits, time.monotonic()
        while not page.evaluate(_PLAY, table):
            pass
        while not requests:  # a game on the device goes to the list of the server when it is over
            page.wait_for_timeout(50)
        page.wait_for_timeout(1000)
        print(_load(name, len(requests), server, seconds, commits))
        context.close()
    lasted = time.monotonic() - began
    seconds, commits = server.seconds, server.commits
    time.sleep(lasted)
    print(_load(f"an idle server, {lasted:.0f} s", 0, server, seconds, commits))


def _load(name: str, requests: int, server: Server, seconds: float, commits: int) -> str:
    return f"| {name} | {requests} | {server.commits - commits} | {server.seconds - seconds:.2f} s |"


def _requests(page: Page) -> list[str]:
    """Return a list to which the page's requests to the API will be added."""
    requests: list[str] = []

    def add(request: Request) -> None:
        if "/api/" in request.url:
            requests.append(request.url)

    page.on("request", add)
    return requests


if __name__ == "__main__":
    typer.run(main)
