"""A player at a browser, who finds elements by roles and names, and plays with a mouse, keys or a finger.

Waits for elements to appear on the page, never for a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias
from urllib.parse import urlencode

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, Route, ViewportSize, expect

from kingdomino.server.http.release import STATIC

Json: TypeAlias = dict[str, Any]
Task: TypeAlias = Literal["place", "discard", "claim", "over"]

SLOW: Final = 30_000
"""Milliseconds after which a missing element fails the test."""
expect.set_options(timeout=SLOW)
MOST_TASKS: Final = 100
"""Tasks after which a game on one screen fails the test: two people have 48 in 12 rounds."""
THINKING: Final = 120_000
"""Milliseconds for the server's searches: their threads give way to every other process."""

COME_TO_REST: Final = """async (element) => {
  await Promise.allSettled(element.getAnimations({ subtree: true }).map(({ finished }) => finished));
}"""

UNTIL_CAUGHT: Final = """async (address) => {
  while (await (await fetch(address, { cache: "no-store" })).text() !== "caught");
}"""

BASE: Final = 'document.querySelector("script[type=module]").src.replace(/(?<=\\/js\\/).*/, "")'
CREATE: Final = f'async (settings) => (await import({BASE} + "local/store.js")).createTable(settings)'
AT_TABLE: Final = (
    f'async ([id, method, args]) => (await import({BASE} + "table/client.js")).clientOf(id)[method](...args)'
)

FULL_DISK: Final = """() => {
  IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError"); };
}"""
"""Makes further writes by the page fail."""

LANGUAGES: Final = ("en", "fr", "es")
TRANSLATIONS: Final = LANGUAGES[1:]
"""All other tests read the first."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device to play on: the size of its screen, and whether it has touch."""

    width: int
    height: int
    touch: bool = False

    @property
    def size(self) -> ViewportSize:
        """The screen."""
        return {"width": self.width, "height": self.height}


DESK: Final = Device(1440, 900)
TABLET: Final = Device(820, 1180)
PHONE: Final = Device(360, 740, touch=True)
LANDSCAPE: Final = Device(740, 360, touch=True)
"""A phone in landscape."""


def catalogue(language: str) -> dict[str, str | dict[str, str]]:
    """Read the words of a language, which no two files have."""
    entries: dict[str, str | dict[str, str]] = {}
    for file in sorted((STATIC / "words").glob(f"{language}.*json")):
        words: dict[str, str | dict[str, str]] = json.loads(file.read_text())
        assert not entries.keys() & words.keys(), file
        entries |= words
    return entries


def is_here(table: str) -> bool:
    """Return whether a table is on the player's device."""
    return table.startswith("here-")


class Trouble:
    """Forbidden events on a page: failures, complaints, security violations, and requests to other hosts.

    The content security policy lets no request to another host out, so it fails.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._seen: list[str] = []
        self._forgiven = ["Service Worker registration blocked by Playwright"]

    def forgive(self, pattern: str) -> None:
        """Ignore complaints that match this pattern, because the test itself provokes them."""
        self._forgiven.append(pattern)

    def watch(self, page: Page) -> None:
        """Record every trouble on a page."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._seen.append(f"{page.url}: {error}\n{error.stack}"))
        page.on("requestfailed", self._follow)

    @property
    def seen(self) -> list[str]:
        """Every trouble that is not forgiven."""
        return [each for each in self._seen if not any(re.search(one, each) for one in self._forgiven)]

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._seen.append(f"{message.text} ({message.location['url']})")

    def _follow(self, request: Request) -> None:
        if not request.url.startswith((self._address, "data:", "blob:")):
            self._seen.append(f"a request to another host: {request.url}")


class Reader:
    """A person who reads a language; ``words`` are its texts."""

    def __init__(self, language: str) -> None:
        self.words = catalogue(language)

    def say(self, key: str, **params: object) -> str:
        """Return the words of the catalogue, in the plural form that ``n`` needs."""
        entry = self.words[key]
        text = entry if isinstance(entry, str) else entry["one" if params.get("n") == 1 else "other"]
        return re.sub(r"\{(\w+)\}", lambda hole: str(params.get(hole[1], hole[0])), text)

    def pattern(self, *keys: str) -> re.Pattern[str]:
        """Return a pattern of any of these words that matches anything in their holes."""
        entries = [self.words[key] for key in keys]
        forms = [
            form for entry in entries for form in ([entry] if isinstance(entry, str) else entry.values())
        ]
        holes = re.compile(r"\\\{\w+\\\}")
        return re.compile("|".join(f"^{holes.sub('.+', re.escape(form))}$" for form in forms))


class Player(Reader):
    """A person with a page."""

    def __init__(self, page: Page, trouble: Trouble, address: str, device: Device, language: str) -> None:
        super().__init__(language)
        self.page = page
        self.device = device
        self.trouble = trouble
        self.address = address
        self.title = page.get_by_role("heading", level=1)
        self.kingdom = page.get_by_role("grid")
        self.mine = page.locator(".play .mine")
        self.place = self.button("table.place")
        self.discard = self.button("table.discard")
        self.claim = page.get_by_role("button", name=self.pattern("table.claim_n"))
        self.claim_which = self.button("table.claim")
        self.take_back = self.button("table.take_back")
        self.again = self.button("end.again")
        self.next_game = self.button("end.next_game")
        self.offered = page.locator("section.coming").get_by_role("listitem").get_by_role("button")
        self.rings = page.locator(".play .mine .spots use")
        self.bubble = page.locator(".play .mine .bubble")

    # Words

    def button(self, key: str) -> Locator:
        """Find a button by its name."""
        return self.page.get_by_role("button", name=self.say(key), exact=True)

    def link(self, key: str) -> Locator:
        """Find a link by its name."""
        return self.page.get_by_role("link", name=self.say(key), exact=True)

    def stop_clock(self) -> None:
        """Stop this page's clock, which must be installed: short-lived messages stay."""
        now: float = self.page.evaluate("Date.now()")
        self.page.clock.pause_at(now / 1000 + 10)  # a moment that has not passed yet

    def settle(self) -> None:
        """Let the page process an answer that it has received."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    # Pages

    def go(self, path: str = "/") -> None:
        """Open a page of the server."""
        self.page.goto(self.address + path)
        expect(self.title.first).not_to_be_empty()

    def go_to_offline_page(self) -> None:
        """Open the page for people who are offline; it stays open, because the server seems not to answer."""

        def answer(route: Route) -> None:
            if route.request.method == "HEAD":
                route.fulfill(status=502)
            else:
                route.continue_()

        self.trouble.forgive("status of 502")
        self.catch("**/offline", answer)
        self.go("/offline")

    def catch(
        self, pattern: str | re.Pattern[str], handler: Callable[[Route], object], times: int | None = None
    ) -> None:
        """Handle the page's requests to these addresses here.

        In an open page this takes effect a moment later: until then its requests go to the server.
        """
        self.page.route(pattern, handler, times=times)
        if self.page.url != "about:blank":
            probe = f"{self.address}/health"
            self.page.route(probe, lambda route: route.fulfill(body="caught"))
            self.page.evaluate(UNTIL_CAUGHT, probe)
            self.page.unroute(probe)

    @property
    def table(self) -> str:
        """The id of the table where this page is."""
        found = re.search(r"/t/(\w+)|\?id=([\w-]+)", self.page.url)
        assert found, self.page.url
        return found[1] or found[2]

    def arrive(self) -> str:
        """Wait for the page of a table, and return the table's id."""
        self.page.wait_for_url(re.compile(r"/t/\w+|/play/?\?id="))
        expect(self.title).not_to_be_empty()
        return self.table

    def ask(self, path: str, body: object = None) -> Json:
        """Send a request as this browser's own script would."""
        request = self.page.context.request
        url = self.address + path
        # The server may close an idle connection at the moment when the browser uses it again.
        answer = request.get(url, max_retries=2) if body is None else request.post(url, data=body)
        assert answer.ok, f"{answer.status} {answer.text()}"
        told: Json = answer.json()
        return told

    def create(self, *seats: str | Json, **wishes: object) -> str:
        """Create a table with these seats (a kind, or a whole wish) without its page; return its id."""
        wanted = [{"kind": seat} if isinstance(seat, str) else seat for seat in seats]
        told = self.ask("/api/tables", {"players": max(2, len(wanted)), "seats": wanted, **wishes})
        table: str = told["table"]["id"]
        return table

    def create_here(
        self,
        *bots: str | None,
        rules: str = "2.second.random",
        dynasty: str | None = None,
        start: str | None = None,
    ) -> str:
        """Create a table on this device: a person, and these bots (``None``: a person); return its id.

        ``start``: the position at which the game begins.
        """
        names = [None, *bots]
        seats = [
            {
                "seat": seat,
                "kind": "bot" if bot else "person",
                "name": f"Player {seat}",
                "bot": bot,
                "away": None,
            }
            for seat, bot in enumerate(names)
        ]
        settings = {"rules": rules, "dynasty": dynasty, "seats": seats, "start": start}
        told: str = self.page.evaluate(CREATE, settings)
        return told

    def client(self, table: str, method: str, *arguments: object) -> Json:
        """Call a method of the table's client, as its page would."""
        told: Json = self.page.evaluate(AT_TABLE, [table, method, arguments])
        return told

    def snapshot(self, table: str | None = None) -> Json:
        """Read the table's snapshot."""
        table = table or self.table
        told: Json = self.client(table, "read") if is_here(table) else self.ask(f"/api/tables/{table}")
        stands: Json = told["table"]
        return stands

    def choices_left(self) -> int:
        """Count the dominoes of the next line that are still free."""
        return sum(each["seat"] is None for each in self.snapshot()["next_line"])

    # Tasks

    def task(self) -> Task:
        """Wait until there is something to do here, and return it."""
        tasks: dict[Task, Locator] = {
            "place": self.place,
            "discard": self.discard,
            "claim": self.claim.or_(self.claim_which),
            "over": self.again.or_(self.next_game),
        }
        some = self.place.or_(self.discard).or_(tasks["claim"]).or_(tasks["over"])
        expect(some.first).to_be_visible()
        return next(task for task, locator in tasks.items() if locator.first.is_visible())

    def tasks(self) -> Iterator[Task]:
        """Yield one task after another until the game is over; fail if it does not come to an end."""
        for _ in range(MOST_TASKS):
            if (task := self.task()) == "over":
                return
            yield task
        raise AssertionError(f"not over after {MOST_TASKS} tasks: {self.snapshot()['turn']}")

    def by_hand(self, task: Task) -> None:
        """Carry out a task with this device's finger or mouse."""
        if self.device.touch:
            self.tap_through(task)
        else:
            self.click_through(task)

    def point(self) -> None:
        """Point at a ring, where the ghost shows its points."""
        if self.device.touch:
            self.tap_ring()
        else:
            self.point_at_ring()

    def play(self, doing: Callable[[Task], None]) -> None:
        """Play the game to its end."""
        for task in self.tasks():
            doing(task)

    def turn(self, doing: Callable[[Task], None] | None = None, stands: Json | None = None) -> None:
        """Play a whole turn, a placement and its claim, until the server has it.

        ``stands`` is the snapshot that showed the caller this player's turn: the page may claim the last
        domino before a second snapshot arrives.
        """
        doing = doing or self.by_hand
        stands = stands or self.snapshot()
        if self.is_forced(stands):
            while self.snapshot()["turn"]["ply"] == stands["turn"]["ply"]:
                pass  # the page claims
            return
        task = self.task()
        more = task != "claim" and self.choices_left() > 1  # the page claims the only one unasked
        doing(task)
        if more:
            doing(self.task())
        # Not the first answer: that may be to a claim that the page made before.
        ply = stands["turn"]["ply"]
        while (turn := self.snapshot()["turn"]) and ply <= turn["ply"] <= ply + more:
            pass

    @staticmethod
    def is_forced(stands: Json) -> bool:
        """Return whether the player claims, and only one domino is left: the page claims it without asking."""
        is_claim = stands["turn"]["phase"] == "claim"
        return is_claim and sum(each["seat"] is None for each in stands["next_line"]) == 1

    # With a mouse

    def click_through(self, task: Task) -> None:
        """Carry out a task with the mouse alone."""
        if task == "discard":
            self.discard.click()
        elif task == "claim":
            self.click_claim()
        else:
            self.click_place()

    def click_place(self) -> None:
        """Point at a ring, and click on the ghost that appears there."""
        self.point_at_ring()
        self.page.mouse.down()
        self.page.mouse.up()

    def point_at_ring(self) -> None:
        """Point at a ring once nothing moves; the ghost comes there and shows its points."""
        self.mine.evaluate(COME_TO_REST)
        box = self.rings.first.bounding_box()
        assert box
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(self.bubble).to_have_text(re.compile(r"^\+\d+$"))

    def click_claim(self) -> None:
        """Choose the first offered domino, and claim it."""
        self.offered.first.click()
        self.claim.click()

    # With keys

    def press_through(self, task: Task) -> None:
        """Carry out a task with keys alone."""
        if task == "discard":
            self.focus(self.discard)
            self.press("Enter")
        elif task == "claim":
            self.press_claim()
        else:
            self.press_place()

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def focus(self, wanted: Locator) -> None:
        """Press Tab until this element has the focus."""
        for _ in range(60):
            if wanted.first.evaluate("element => element === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"Tab never comes to {wanted}")

    def press_place(self) -> None:
        """Walk over the kingdom to a square that can hold the domino, and place the domino there."""
        self.press("k")
        expect(self.kingdom.locator(":focus")).to_have_count(1)
        self.walk_to_spot()
        self.press("Enter")

    def walk_to_spot(self) -> None:
        """Walk over the kingdom to the first square that can hold the domino."""
        squares = self.kingdom.get_by_role("gridcell")
        names: list[str] = squares.evaluate_all("all => all.map((each) => each.ariaLabel)")
        can_hold = self.say("kingdom.can_hold").split("{")[0]
        good = next(name for name in names if can_hold in name)
        self.walk_to(good)

    def walk_to(self, name: str) -> None:
        """Walk over the kingdom with the arrow keys to the square with this name."""
        here = self.kingdom.locator(":focus").get_attribute("aria-label")
        assert here
        (column, row), (x, y) = self._where(name), self._where(here)
        self.press(*["ArrowRight" if column > x else "ArrowLeft"] * abs(column - x))
        self.press(*["ArrowDown" if row > y else "ArrowUp"] * abs(row - y))
        expect(self.kingdom.locator(":focus")).to_have_attribute("aria-label", name)

    def press_claim(self) -> None:
        """Go to the line and claim its first free domino."""
        self.press("l")
        expect(self.offered.first).to_be_focused()
        self.press("Enter")

    @staticmethod
    def _where(name: str) -> tuple[int, int]:
        column, row = map(int, re.findall(r"\d+", name)[-2:])
        return column, row

    # With a finger

    def tap_through(self, task: Task) -> None:
        """Carry out a task with one finger."""
        if task == "discard":
            self.discard.tap()
        elif task == "claim":
            self.offered.first.tap()
            self.claim.tap()
        else:
            self.tap_ring()
            self.place.tap()

    def tap_ring(self) -> None:
        """Tap a ring once nothing moves; the ghost comes there and shows its points."""
        self.mine.evaluate(COME_TO_REST)
        self.rings.first.tap(force=True)
        expect(self.bubble).to_have_text(re.compile(r"^\+\d+$"))

    # With a program

    def program(self, table: str, until: Callable[[Json], bool] = lambda _: False) -> None:
        """Play this player's turns by the API to the end, or until ``until`` holds for the table.

        Every other seat must be a bot or a seat of this browser. Leaves a table's page first, because it
        would play too.
        """
        if "/t/" in self.page.url:
            self.page.goto("about:blank")
        while True:
            told = self.client(table, "read") if is_here(table) else self.ask(f"/api/tables/{table}")
            stands, mine = told["table"], told["you"]["seats"]
            turn = stands["turn"]
            if turn is None or until(stands):
                return
            if turn["seat"] in mine:
                self.program_turn(table, turn)

    def program_turn(self, table: str, turn: Json) -> None:
        """Play one turn by the API: the placement that scores most, and the first claim.

        An open page of this player plays forced actions by itself, so the turn may be over already.
        """
        try:
            self._program_turn(table, turn)
        except (AssertionError, Error):
            if self.snapshot(table)["turn"] == turn:
                raise

    def _program_turn(self, table: str, turn: Json) -> None:
        ply = turn["ply"]

        def ask(after: str = "") -> Json:
            if is_here(table):
                told: Json = self.client(table, "choices", ply, after)
                return told
            return self.ask(f"/api/tables/{table}/choices?{urlencode({'ply': ply, 'after': after})}")

        choices = ask()
        actions = []
        if choices["phase"] == "place":
            best = max(choices["placements"], key=lambda each: each["points"], default={"action": "discard"})
            actions.append(best["action"])
            if any(offer["seat"] is None for offer in self.snapshot(table)["next_line"]):
                choices = ask(actions[0])
        if choices["phase"] == "claim":
            actions.append(choices["claims"][0]["action"])
        if is_here(table):
            self.client(table, "play", ply, actions)
        else:
            self.ask(f"/api/tables/{table}/actions", {"ply": ply, "actions": actions})


class Sit(Protocol):
    """Lets a player in, with a separate browser profile."""

    def __call__(
        self,
        device: Device = DESK,
        *,
        language: str = "en",
        address: str | None = None,
        permissions: Sequence[str] = (),
        moving: bool = False,
        large_text: bool = False,
        keeping: bool = False,
    ) -> Player:
        """Let a player in.

        keeping: whether the browser runs the service worker, which downloads the whole release.
        """
        ...
