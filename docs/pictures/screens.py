"""Photographs the pages: ``python docs/pictures/screens.py`` writes ``screens/``.

``--all FOLDER`` writes every page at every size, light and dark, for inspection. It needs Chromium
(``apt-get install chromium``) and serves on a free port, with a deck that is the same each time.
"""

from __future__ import annotations

import argparse
import base64
import os
import random
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from unittest import mock
from urllib.parse import quote, urlencode

import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

import kingdomino as kd
from kingdomino.server.http.app import create_app
from kingdomino.server.settings import DEFAULT_PORT, Limits, Settings
from kingdomino.server.tables.core import commands, registry
from kingdomino.server.tables.people import secrets

Json: TypeAlias = dict[str, Any]
Scheme: TypeAlias = Literal["light", "dark"]

HERE = Path(__file__).parent / "screens"
SIZES: Final = {"phone": (360, 740), "lying": (740, 360), "tablet": (820, 1180), "desk": (1440, 900)}
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
KEPT: Final = {
    "home": ["desk-light", "phone-dark"],
    "new": ["tablet-light"],
    "learn": ["desk-light", "phone-light"],
    "waiting": ["desk-dark"],
    "placing": ["desk-light", "desk-dark", "tablet-light", "phone-light", "phone-dark", "lying-light"],
    "illegal": ["desk-light"],
    "claiming": ["desk-dark", "phone-light"],
    "unseen": ["desk-light"],
    "end": ["desk-light", "phone-light"],
    "replay": ["tablet-light"],
    "games": ["desk-light", "phone-dark"],
    "rules": ["desk-light"],
    "review": ["desk-light", "phone-light"],
    "analysis": ["desk-light", "phone-dark"],
    "hint": ["desk-light"],
}
BRAMBLE: Final = {"kind": "bot", "bot": "greedy"}
OTHERS: Final = [BRAMBLE, {**BRAMBLE, "name": "Mara"}, {**BRAMBLE, "name": "Oskar"}]
CODES: Final = ("amber", "copper", "silver", "golden", "hazel", "olive", "coral", "ivory")
QUALITY: Final = 0.8
THOUGHT: Final = 180_000.0  # milliseconds until a review or an analysis is there
SMALLER: Final = """async ([picture, quality]) => {
  const image = await createImageBitmap(await (await fetch(picture)).blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality);
}"""


@contextmanager
def served() -> Iterator[str]:
    """Serve in a thread, with the same deals each time. Return the address."""
    chance = random.Random(48)

    def secret() -> str:
        return f"{chance.getrandbits(256):064x}"

    def table_id() -> str:
        return "".join(chance.choices("abcdefghijkmnpqrstuvwxyz23456789", k=12))

    with tempfile.TemporaryDirectory() as folder, socket.socket() as listener:
        try:
            listener.bind(("127.0.0.1", DEFAULT_PORT))
        except OSError:  # the default port is in use
            listener.bind(("127.0.0.1", 0))
        settings = Settings(database=f"sqlite:///{folder}/tables.db", pause=0, limits=Limits(enforced=False))
        server = uvicorn.Server(uvicorn.Config(create_app(settings), log_level="warning"))
        thread = threading.Thread(target=server.run, args=([listener],))
        with (
            mock.patch.object(commands, "new_secret", secret),
            mock.patch.object(secrets, "new_table_id", table_id),
            mock.patch.object(registry, "new_code", side_effect=(f"{word} otter gate" for word in CODES)),
        ):
            thread.start()
            try:
                yield f"http://127.0.0.1:{listener.getsockname()[1]}"
            finally:
                server.should_exit = True
                thread.join()


class Visit:
    """A player at a browser of one size, in light or dark colours."""

    def __init__(self, browser: Browser, address: str, size: str, scheme: Scheme) -> None:
        width, height = SIZES[size]
        self.touch = size in ("phone", "lying")
        self.context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            device_scale_factor=2 if self.touch else 1,
            has_touch=self.touch,
            is_mobile=self.touch,
            color_scheme=scheme,
            reduced_motion="reduce",
            locale="en",
        )
        self.page = self.context.new_page()
        self.scenes: dict[str, Callable[[], None]] = {
            "home": lambda: self.go("/"),
            "new": lambda: self.go("/new"),
            "learn": lambda: self.go("/learn"),
            "waiting": self.waiting,
            "placing": self.placing,
            "illegal": self.illegal,
            "claiming": self.claiming,
            "unseen": self.unseen,
            "end": self.end,
            "replay": self.replay,
            "games": self.games,
            "rules": lambda: self.go("/rules"),
            "review": self.review,
            "analysis": self.analysis,
            "hint": self.hint,
        }

    def go(self, path: str) -> None:
        """Open a page and wait until it is complete."""
        self.page.goto(path, wait_until="networkidle")
        self.page.evaluate("document.fonts.ready")

    def ask(self, path: str, body: object = None) -> Json:
        """Ask the server, as the page's own script would."""
        request = self.context.request
        answer = request.get(path) if body is None else request.post(path, data=body)
        assert answer.ok, answer.text()
        told: Json = answer.json()
        return told

    def create(self, *others: Json, **wishes: object) -> str:
        """Create a table for Ida and others. Return the path of its page."""
        seats = [{"kind": "me", "name": "Ida"}, *others]
        told = self.ask("/api/tables", {"players": len(seats), "seats": seats, **wishes})
        return f"/t/{told['table']['id']}"

    def play(self, table: str, until: Callable[[Json], bool]) -> bool:
        """Play Ida's highest-scoring actions up to a moment. Return whether it came."""
        self.page.goto("about:blank")
        api = f"/api/tables{table.removeprefix('/t')}"
        while (stands := self.ask(api)["table"])["turn"] and not until(stands):
            turn = stands["turn"]
            if turn["seat"] != 0:
                continue
            choices, actions = self.ask(f"{api}/choices?ply={turn['ply']}"), []
            if choices["phase"] == "place":
                best = max(choices["placements"], key=_points, default={"action": "discard"})
                actions.append(best["action"])
                if stands["next_line"]:
                    choices = self.ask(f"{api}/choices?ply={turn['ply']}&after={quote(actions[0])}")
            if choices["claims"]:
                actions.append(max(choices["claims"], key=_points)["action"])
            self.ask(f"{api}/actions", {"ply": turn["ply"], "actions": actions})
        return stands["turn"] is not None

    def point(self, x: float, y: float) -> None:
        """Point at a place of the kingdom, with this device's pointer."""
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.move(x, y)
            self.page.wait_for_timeout(50)

    # The scenes

    def waiting(self) -> None:
        """A room where two seats are free."""
        self.go(self.create({"kind": "invited"}, {"kind": "invited"}, BRAMBLE, harmony=True))

    def choosing(self) -> None:
        """Ida is to place a domino, late enough that her kingdom is one."""
        while not self.play(table := self.create(*OTHERS, harmony=True), _late):
            pass
        self.go(table)
        self.page.locator(".spots use").first.wait_for()

    def placing(self) -> None:
        """The ghost is where it scores most."""
        self.choosing()
        rings = self.page.locator(".spots use")
        boxes = [rings.nth(at).bounding_box() for at in range(rings.count())]
        found: list[tuple[int, float, float]] = []
        for box in filter(None, boxes):
            at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            self.point(*at)
            found.append((int(self.page.locator(".bubble").inner_text()), *at))
        self.point(*max(found)[1:])

    def illegal(self) -> None:
        """The ghost is in an illegal place, and the caption gives the reason."""
        self.choosing()
        squares = self.page.locator(".mine [role=gridcell][aria-label^=empty]")
        caption = self.page.locator(".mine .caption")
        for at in range(squares.count()):
            box = squares.nth(at).bounding_box()
            assert box
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"]
            self.point(x, y)
            if self.page.locator(".bubble.no").is_visible() and "taken" not in caption.inner_text():
                return

    def claiming(self) -> None:
        """The domino is placed, and the next one is chosen."""
        self.placing()
        self.page.locator(".hand .place").click()
        self.page.locator("section.coming button.face").last.click()

    def unseen(self) -> None:
        """The dominoes not seen yet, shown."""
        self.choosing()
        self.page.locator(".peek" if self.touch else ".unseen summary").click()

    def ended(self) -> str:
        """Play a whole game. Return the path of its table."""
        table = self.create(*OTHERS, harmony=True)
        self.play(table, lambda _: False)
        return table

    def end(self) -> None:
        """The end of a game."""
        self.go(self.ended())
        self.page.locator("kd-end .stage > *").first.wait_for()

    def games(self) -> None:
        """The list of your games: one in progress, two finished."""
        for _ in range(2):
            self.ended()
        self.play(self.create(*OTHERS, harmony=True), _late)
        self.go("/games")

    def replay(self) -> None:
        """A replay, in the middle of a game."""
        table = self.ended()
        self.go(f"{table}/replay")
        self.page.get_by_role("slider").fill("60")

    def review(self) -> None:
        """The review of a game, and one of its costliest decisions."""
        table = self.create(BRAMBLE, harmony=True)
        self.play(table, lambda _: False)
        self.go(table.replace("/t/", "/review/"))
        self.page.locator(".facts").first.wait_for()
        expect(self.page.locator(".progress")).to_have_count(0, timeout=THOUGHT)
        mark = self.page.locator("#lines .tri").first.bounding_box()
        assert mark
        self.page.mouse.click(mark["x"] + mark["width"] / 2, mark["y"] + 20)

    def analysis(self) -> None:
        """The value of each action of a position."""
        record = kd.Record.parse((HERE.parent / "two.txt").read_text(encoding="utf-8"))
        position = next(one for one in record.positions() if one.round == 3 and one.phase == "place")
        self.go(f"/analysis?{urlencode({'position': position.to_text()})}")
        expect(self.page.get_by_role("button", name="Stop")).to_have_count(0, timeout=THOUGHT)
        self.page.locator(".values .pick").first.click()

    def hint(self) -> None:
        """The move that a hint shows when it is asked for again."""
        self.choosing()
        self.page.get_by_role("button", name="Hint").click()
        self.page.get_by_role("button", name="Show it").click()


def _points(choice: Json) -> int:
    points: int = choice["points"]
    return points


def _late(stands: Json) -> bool:
    turn = stands["turn"]
    mine = turn["seat"] == 0 and turn["phase"] == "place" and turn["fits"]
    free = sum(each["seat"] is None for each in stands["next_line"])
    return bool(mine and free > 1 and stands["round"] >= 7)


def photograph(folder: Path, *, everything: bool) -> None:
    """Write the pictures of the documentation, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            chromium_sandbox=os.geteuid() != 0,
        )
        painter = browser.new_page()
        Visit(browser, address, "desk", "light").create({"kind": "open"}, public=True)
        for size in SIZES:
            for scheme in SCHEMES:
                visit = Visit(browser, address, size, scheme)
                for scene, show in visit.scenes.items():
                    if everything or f"{size}-{scheme}" in KEPT[scene]:
                        show()
                        _write(folder / f"{scene}-{size}-{scheme}.webp", visit.page, painter)
                visit.context.close()
        browser.close()


def _write(file: Path, page: Page, painter: Page) -> None:
    shot = base64.b64encode(page.screenshot()).decode()
    small: str = painter.evaluate(SMALLER, [f"data:image/png;base64,{shot}", QUALITY])
    file.write_bytes(base64.b64decode(small.partition(",")[2]))
    print(f"{file}  {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="write every picture there")
    elsewhere: Path | None = parser.parse_args().all
    photograph(elsewhere or HERE, everything=elsewhere is not None)
