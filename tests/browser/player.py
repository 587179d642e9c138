"""A player at a browser: finds elements by roles and names, and plays with a mouse, keys or a finger.

Waits for what appears on the page, never for a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias
from urllib.parse import urlencode

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, Route, ViewportSize, expect

from kingdomino.server.http.release import STATIC

Json: TypeAlias = dict[str, Any]
Task: TypeAlias = Literal["place", "discard", "claim", "over"]

SLOW: Final = 15_000
"""Milliseconds after which what is not to be seen fails the test."""
expect.set_options(timeout=SLOW)
THINKING: Final = 120_000
"""Milliseconds for what the server thinks about: its threads give way to every other process."""

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
"""Lets the page store nothing more."""

LANGUAGES: Final = ("en", "fr", "es")


@dataclass(frozen=True, slots=True)
class Device:
    """What one plays on: how large its screen is, and whether it is touched."""

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
LYING: Final = Device(740, 360, touch=True)
"""A phone in landscape."""


def catalogue(language: str) -> dict[str, str | dict[str, str]]:
    """Read the words of a language."""
    entries: dict[str, str | dict[str, str]] = json.loads((STATIC / f"words/{language}.json").read_text())
    return entries


def is_here(table: str) -> bool:
    """Whether a table is on the player's device."""
    return table.startswith("here-")


class Trouble:
    """What no page may do: fail, complain, break its own security policy, or speak to another host."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._seen: list[str] = []
        self._forgiven = ["Service Worker registration blocked by Playwright"]

    def forgive(self, pattern: str) -> None:
        """Expect complaints that match this, because the test itself provokes them."""
        self._forgiven.append(pattern)

    def watch(self, page: Page) -> None:
        """Write down all that goes wrong on a page."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._seen.append(f"{page.url}: {error}\n{error.stack}"))
        page.on("request", self._follow)

    @property
    def seen(self) -> list[str]:
        """All that went wrong and is not forgiven."""
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
        """Return the words of the catalogue, of the plural that ``n`` asks for."""
        entry = self.words[key]
        text = entry if isinstance(entry, str) else entry["one" if params.get("n") == 1 else "other"]
        return re.sub(r"\{(\w+)\}", lambda hole: str(params.get(hole[1], hole[0])), text)

    def pattern(self, key: str) -> re.Pattern[str]:
        """Return what matches these words with anything in their holes."""
        entry = self.words[key]
        forms = [entry] if isinstance(entry, str) else entry.values()
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

    # What it says

    def button(self, key: str) -> Locator:
        """Find a button by its name."""
        return self.page.get_by_role("button", name=self.say(key), exact=True)

    def link(self, key: str) -> Locator:
        """Find a link by its name."""
        return self.page.get_by_role("link", name=self.say(key), exact=True)

    def stop_clock(self) -> None:
        """Let no more time pass at this page, whose clock is installed: what it shows for some seconds stays."""
        now: float = self.page.evaluate("Date.now()")
        self.page.clock.pause_at(now / 1000 + 10)  # a moment that has not passed yet

    def settle(self) -> None:
        """Let the page do what follows from an answer that it has got."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    # Where it goes

    def go(self, path: str = "/") -> None:
        """Open a page of the server."""
        self.page.goto(self.address + path)
        expect(self.title.first).not_to_be_empty()

    def go_to_offline_page(self) -> None:
        """Open the page for people who are offline; it stays, because no server seems to answer it."""

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
        """Have the page's requests to these addresses handled here.

        An open page learns a moment later that its requests are caught; what it asks for until then goes to the server.
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
        """Wait until the page of a table is there; gives its id."""
        self.page.wait_for_url(re.compile(r"/t/\w+|/play/?\?id="))
        expect(self.title).not_to_be_empty()
        return self.table

    def ask(self, path: str, body: object = None) -> Json:
        """Ask the server as this browser's own script would."""
        request = self.page.context.request
        url = self.address + path
        # The server may close an idle connection at the moment when the browser takes it up again.
        answer = request.get(url, max_retries=2) if body is None else request.post(url, data=body)
        assert answer.ok, f"{answer.status} {answer.text()}"
        told: Json = answer.json()
        return told

    def create(self, *seats: str | Json, **wishes: object) -> str:
        """Create a table with these seats (a kind, or a whole wish) without its page; gives its id."""
        wanted = [{"kind": seat} if isinstance(seat, str) else seat for seat in seats]
        told = self.ask("/api/tables", {"players": max(2, len(wanted)), "seats": wanted, **wishes})
        table: str = told["table"]["id"]
        return table

    def create_here(
        self, *bots: str | None, rules: str = "2.second.random", dynasty: str | None = None
    ) -> str:
        """Create a table on this device, for a person in the first seat and these bots (or people); gives its id."""
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
        settings = {"rules": rules, "dynasty": dynasty, "seats": seats, "start": None}
        told: str = self.page.evaluate(CREATE, settings)
        return told

    def client(self, table: str, method: str, *arguments: object) -> Json:
        """Do something at a table as its page would."""
        told: Json = self.page.evaluate(AT_TABLE, [table, method, arguments])
        return told

    def snapshot(self, table: str | None = None) -> Json:
        """Read how the table stands."""
        table = table or self.table
        told: Json = self.client(table, "read") if is_here(table) else self.ask(f"/api/tables/{table}")
        stands: Json = told["table"]
        return stands

    def choices_left(self) -> int:
        """Count the dominoes of the next line that are still free."""
        return sum(each["seat"] is None for each in self.snapshot()["next_line"])

    # What there is to do

    def task(self) -> Task:
        """Wait until there is something to do here, and say what."""
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
        """Return one task after another, until the game is over."""
        while (task := self.task()) != "over":
            yield task

    def by_hand(self, task: Task) -> None:
        """Do what is to be done with what points here."""
        if self.device.touch:
            self.tap_through(task)
        else:
            self.click_through(task)

    def point(self) -> None:
        """Let the ghost come to one of the rings, and say what it brings."""
        if self.device.touch:
            self.tap_ring()
        else:
            self.point_at_ring()

    def play(self, doing: Callable[[Task], None]) -> None:
        """Play the game to its end."""
        for task in self.tasks():
            doing(task)

    def turn(self, doing: Callable[[Task], None] | None = None, stands: Json | None = None) -> None:
        """Do a whole turn, a placement and its claim; then the server has it.

        ``stands`` is the snapshot from which the caller knows that it is this player's turn: the page may have
        claimed the last domino before another one is read.
        """
        doing = doing or self.by_hand
        stands = stands or self.snapshot()
        if self.is_forced(stands):
            while self.snapshot()["turn"]["ply"] == stands["turn"]["ply"]:
                pass  # the page claims
            return
        with nullcontext() if is_here(stands["id"]) else self.page.expect_response(re.compile(r"/actions$")):
            task = self.task()
            more = task != "claim" and self.choices_left() > 1  # one alone is claimed without asking
            doing(task)
            if more:
                doing(self.task())
        while is_here(stands["id"]) and self.snapshot()["turn"] == stands["turn"]:
            pass  # it is being stored

    @staticmethod
    def is_forced(stands: Json) -> bool:
        """Whether one domino alone is left in the opening: the page claims it without asking."""
        return not stands["round"] and sum(each["seat"] is None for each in stands["next_line"]) == 1

    # With a mouse

    def click_through(self, task: Task) -> None:
        """Do what is to be done with the mouse alone."""
        if task == "discard":
            self.discard.click()
        elif task == "claim":
            self.click_claim()
        else:
            self.click_place()

    def click_place(self) -> None:
        """Point at a ring, and click on the ghost that stands there then."""
        self.point_at_ring()
        self.page.mouse.down()
        self.page.mouse.up()

    def point_at_ring(self) -> None:
        """Point at a ring when nothing moves any more; the ghost comes there and says what it brings."""
        self.mine.evaluate(COME_TO_REST)
        box = self.rings.first.bounding_box()
        assert box
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(self.bubble).to_have_text(re.compile(r"^\+\d+$"))

    def click_claim(self) -> None:
        """Choose the first domino that is offered, and claim it."""
        self.offered.first.click()
        self.claim.click()

    # With keys

    def press_through(self, task: Task) -> None:
        """Do what is to be done with keys alone."""
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
        """Go on with Tab until this has the focus."""
        for _ in range(60):
            if wanted.first.evaluate("element => element === document.activeElement"):
                return
            self.press("Tab")
        raise AssertionError(f"Tab never comes to {wanted}")

    def press_place(self) -> None:
        """Walk over the kingdom to a square that can hold the domino, and put it there."""
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
        """Walk over the kingdom with the arrow keys, to the square of this name."""
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
        """Do what is to be done with one finger."""
        if task == "discard":
            self.discard.tap()
        elif task == "claim":
            self.offered.first.tap()
            self.claim.tap()
        else:
            self.tap_ring()
            self.place.tap()

    def tap_ring(self) -> None:
        """Tap one of the rings when nothing moves any more; the ghost comes there and says what it brings."""
        self.mine.evaluate(COME_TO_REST)
        self.rings.first.tap(force=True)
        expect(self.bubble).to_have_text(re.compile(r"^\+\d+$"))

    # With a program

    def program(self, table: str, until: Callable[[Json], bool] = lambda _: False) -> None:
        """Play one's own turns by the API, to the end or to a table for which ``until`` holds.

        Every other seat must be a bot or a seat of this browser. A page at a table is left first, because it
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
        """Play one turn by the API, the placement that scores most and the first claim.

        An open page of this player plays by itself what can be done in only one way: then the turn may be over.
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
