"""Measures reviews and hints in the page: ``python -m benches.page_review ADDRESS``.

ADDRESS names a running server (``kingdomino serve``). Each visit uses a new browser profile. With ``--slower
4`` the browser's processes run for a quarter of the time, as on a slower device. It needs Chromium and Linux,
and prints Markdown.
"""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from playwright.sync_api import Browser, Page, sync_playwright

import kingdomino as kd

_PERIOD = 0.04
"""The period of a slowed process, in seconds: it runs once in each."""
_RULES = {
    "2 players": kd.Rules(2, harmony=True),
    "3 players": kd.Rules(3, harmony=True),
    "4 players": kd.Rules(4, harmony=True),
    "Mighty Duel": kd.Rules(2, mighty_duel=True, harmony=True),
}


def main(
    server: Annotated[str, typer.Argument(metavar="ADDRESS")],
    slower: Annotated[float, typer.Option(help="how many times slower the browser is")] = 1,
    hints: Annotated[int, typer.Option(help="how many hints to take")] = 12,
    reviews: Annotated[bool, typer.Option(help="whether to measure reviews")] = True,
) -> None:
    """Review a game under each rules set, and take hints at a table with a bot."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), chromium_sandbox=os.geteuid() != 0
        )
        with slowed(slower):
            if reviews:
                print("| game | first figure | first pass | all |\n|---|---|---|---|")
                for name, rules in _RULES.items():
                    print(
                        f"| {name} |",
                        " | ".join(f"{one:.1f} s" for one in _review(browser, server, rules)),
                        "|",
                    )
            first, *others = _hints(browser, server, hints)
            median = statistics.median(others)
            print(
                f"\nhints: the first {first:.2f} s; then median {median:.2f} s, at most {max(others):.2f} s"
            )
        browser.close()


def _page(browser: Browser, server: str) -> Page:
    page = browser.new_context(base_url=server, viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(600_000)
    page.goto("/")
    return page


def _review(browser: Browser, server: str, rules: kd.Rules) -> Iterator[float]:
    """Yield the seconds until the first figure, the end of the first pass, and the end."""
    page = _page(browser, server)
    kept = page.context.request.post("/api/me/games", data={"records": [{"text": _record(rules), "seat": 0}]})
    began = time.perf_counter()
    page.goto(f"/review/{kept.json()['games'][0]}#1", wait_until="commit")
    for until in (
        "() => document.querySelector('.choices')",
        "() => !/so far/.test(document.querySelector('#others')?.textContent ?? 'so far')",
        "() => !document.querySelector('.progress')",
    ):
        page.wait_for_function(until, polling=20)
        yield time.perf_counter() - began
    page.context.close()


def _record(rules: kd.Rules) -> str:
    """Return the record of a game of quick bots."""
    game, bot = kd.Game(rules, seed=5), kd.bots.make("greedy")
    while not game.is_over:
        game.play(bot.choose(game.position))
    return kd.Record.from_game(game, [f"P{seat}" for seat in range(rules.players)]).to_text()


def _hints(browser: Browser, server: str, count: int) -> Iterator[float]:
    """Yield how long each hint takes in some games, in seconds."""
    page = _page(browser, server)
    while count:
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        table = page.context.request.post("/api/tables", data={"seats": seats}).json()["table"]["id"]
        page.goto(f"/t/{table}")
        while count and _is_playing(page, table):
            if not _turn(page, table)["fits"]:  # there is no hint for a discard
                _play(page, table)
                continue
            ask, show = (page.get_by_role("button", name=name, exact=True) for name in ("Hint", "Show it"))
            ask.wait_for()
            began = time.perf_counter()
            ask.click()
            show.wait_for()
            yield time.perf_counter() - began
            count -= 1
            _play(page, table)
    page.context.close()


def _is_playing(page: Page, table: str) -> bool:
    told: object = page.context.request.get(f"/api/tables/{table}").json()["table"]["finished"]
    return told is None


def _turn(page: Page, table: str) -> Any:  # noqa: ANN401
    return page.context.request.get(f"/api/tables/{table}").json()["table"]["turn"]


def _play(page: Page, table: str) -> None:
    """Play the first action for the player, and wait until the page shows the next decision."""
    turn = _turn(page, table)
    here = f"/api/tables/{table}"
    actions: list[str] = []
    for _ in range(1 + (turn["phase"] == "place")):
        query = {"ply": turn["ply"], "after": ";".join(actions)}
        answer = page.context.request.get(f"{here}/choices", params=query)
        if not answer.ok:
            break
        told = answer.json()
        first = [*told["placements"], *told["claims"], {"action": "discard"}][0]
        actions.append(first["action"])
    page.context.request.post(f"{here}/actions", data={"ply": turn["ply"], "actions": actions})
    page.reload()


@contextmanager
def slowed(factor: float) -> Iterator[None]:
    """Slow down the renderers of this process's browsers: they run for a part of the time."""
    over = threading.Event()

    def slow() -> None:
        renderers: list[int] = []
        while not over.is_set():
            _signal(renderers, signal.SIGSTOP)
            began = time.perf_counter()
            found = _renderers(os.getpid())
            over.wait(max(0, _PERIOD * (1 - 1 / factor) - (time.perf_counter() - began)))
            _signal(renderers, signal.SIGCONT)
            time.sleep(_PERIOD / factor)
            renderers = found

    thread = threading.Thread(target=slow)
    if factor > 1:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if factor > 1:
            thread.join()


def _renderers(process: int) -> list[int]:
    """Return the descendants of a process that show pages."""
    found = []
    for child in Path(f"/proc/{process}/task").glob("*/children"):
        for one in map(int, child.read_text().split()):
            try:
                if b"--type=renderer" in Path(f"/proc/{one}/cmdline").read_bytes():
                    found.append(one)
            except OSError:
                continue
            found += _renderers(one)
    return found


def _signal(processes: list[int], sign: signal.Signals) -> None:
    for process in processes:
        try:
            os.kill(process, sign)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    typer.run(main)
