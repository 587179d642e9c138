"""Firefox and WebKit (Safari's engine), which WebDriver controls for a test.

Their drivers do not report messages on the console, so the pages of `watched` keep them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from selenium.webdriver import (
    Firefox,
    FirefoxOptions,
    FirefoxService,
    WebKitGTK,
    WebKitGTKOptions,
    WebKitGTKService,
)
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from browser.player import DESK, SLOW, Reader
from browser.served import PROGRAM, Served

Engine: TypeAlias = Literal["firefox", "webkit"]
Value: TypeAlias = Any
"""The result of a script in a page."""

_DRIVERS: Final = Path(__file__).parents[2] / ".venv/bin"
_PATH: Final = f"{_DRIVERS}:{os.environ['PATH']}"
_NEEDED: Final = {
    "firefox": ({"firefox-esr", "geckodriver"}, "apt-get install firefox-esr; make .venv/bin/geckodriver"),
    "webkit": ({"WebKitWebDriver", "Xvfb"}, "apt-get install webkit2gtk-driver xvfb"),
}

_HEAR: Final = """{
  let isLeft = false; // what was still loading then fails
  addEventListener("beforeunload", () => { isLeft = true; });
  const hear = (words) => {
    if (!isLeft) localStorage.overheard = `${localStorage.overheard ?? ""}${location.pathname}: ${words}\\n`;
  };
  addEventListener("error", ({ error, message, target }) =>
    hear(message ? `${message}\\n${error?.stack}` : `${target.src ?? target.href} did not load`), true);
  addEventListener("unhandledrejection", ({ reason }) => hear(`${reason}\\n${reason?.stack}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    hear(`${violatedDirective} blocked ${blockedURI}`));
  if (location.hash === "#old") delete HTMLElement.prototype.popover;
  for (const level of ["error", "warn"]) {
    const write = console[level];
    console[level] = (...words) => { hear(words.join(" ")); write.apply(console, words); };
  }
}"""
_WATCHED: Final = f"""
from kingdomino.server.http import release
release._FILES["overheard.js"] = {_HEAR!r}.encode()
release._FILES["head.html"] = b'<script src="/static/overheard.js"></script>\\n' + release._FILES["head.html"]
{PROGRAM}"""

_TASK: Final = """
  if (document.querySelector("kd-end:not(.counting) .go-on")) return "over";
  const isSeen = (task) => document.querySelector(`.play .hand .${task}`)?.checkVisibility();
  return ["keep", "place", "discard", "claim"].find(isSeen);
"""
_RING: Final = """
  const mine = document.querySelector(".play .mine");
  const ring = mine.querySelector(".spots use");
  if (!ring || mine.getAnimations({ subtree: true }).length) return null;
  const { x, y, width, height } = ring.getBoundingClientRect();
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
"""


def missing(engine: Engine) -> str:
    """Return what this machine lacks and how to get it; "" if nothing."""
    programs, how = _NEEDED[engine]
    lacking = sorted(each for each in programs if not shutil.which(each, path=_PATH))
    return f"no {engine} without {' and '.join(lacking)}; get what it needs with: {how}" if lacking else ""


def watched(folder: Path) -> Served:
    """Prepare a server whose pages keep script errors, complaints and missing files in their local storage.

    From an address with ``#old`` on, the browser seems too old for the pages.
    """
    return Served(folder, program=_WATCHED)


@contextmanager
def started(engine: Engine, folder: Path) -> Iterator[WebDriver]:
    """Start a browser with a profile of its own."""
    if engine == "firefox":
        with _firefox(folder) as driver:
            yield driver
    else:
        with _webkit(folder) as driver:
            yield driver


@contextmanager
def _firefox(folder: Path) -> Iterator[WebDriver]:
    options = FirefoxOptions()
    options.binary_location = shutil.which("firefox-esr") or ""
    options.add_argument("-headless")
    for width_or_height in (f"--width={DESK.width}", f"--height={DESK.height}"):
        options.add_argument(width_or_height)
    driver = Firefox(
        options, FirefoxService(str(_DRIVERS / "geckodriver"), log_output=str(folder / "firefox.log"))
    )
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def _webkit(folder: Path) -> Iterator[WebDriver]:
    with _screen() as display:
        # without a graphics card Mesa would draw, and its threads crashed WebKit in one game of eleven
        environment = {**os.environ, "DISPLAY": display, "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        log = str(folder / "webkit.log")
        service = WebKitGTKService(shutil.which("WebKitWebDriver"), log_output=log, env=environment)
        with warnings.catch_warnings():
            warnings.filterwarnings(
                "ignore", "setting remote_server_addr", DeprecationWarning
            )  # Selenium's own
            driver = WebKitGTK(WebKitGTKOptions(), service)
        try:
            driver.set_window_size(DESK.width, DESK.height)
            yield driver
        finally:
            driver.quit()


@contextmanager
def _screen() -> Iterator[str]:
    """Start the X server that WebKit needs; it has no screen."""
    reading, writing = os.pipe()
    size = f"{DESK.width + 100}x{DESK.height + 100}x24"
    command: Sequence[str] = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as number:
                yield f":{number.readline().strip()}"
        finally:
            server.terminate()


class Visitor(Reader):
    """A person with a page in one of these browsers, and a mouse."""

    def __init__(self, driver: WebDriver, address: str) -> None:
        super().__init__("en")
        self.driver, self.address = driver, address

    def go(self, path: str) -> None:
        """Open a page of the server."""
        self.driver.get(self.address + path)

    def run(self, script: str, *arguments: object) -> Value:
        """Run the body of a function in the page."""
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments: object) -> Value:
        """Run a script until its result is true, and return the result."""
        wait = WebDriverWait(self.driver, SLOW / 1000, poll_frequency=0.02)
        return wait.until(lambda _: self.run(script, *arguments), script)

    def find(self, selector: str) -> WebElement:
        """Wait until one of these elements is visible, and return it."""
        script = "return [...document.querySelectorAll(arguments[0])].find((each) => each.checkVisibility())"
        found: WebElement = self.until(script, selector)
        return found

    def shows(self, selector: str) -> None:
        """Wait until the first of these elements is visible."""
        self.until("return document.querySelector(arguments[0])?.checkVisibility()", selector)

    def named(self, key: str) -> WebElement:
        """Wait for the button or link with this name, and return it."""
        script = """return [...document.querySelectorAll("a, button")].find((each) =>
          each.checkVisibility() && (each.ariaLabel ?? each.textContent).trim() === arguments[0])"""
        found: WebElement = self.until(script, self.say(key))
        return found

    def reads(self, selector: str, key: str) -> None:
        """Wait until an element has this text."""
        self.until(
            "return document.querySelector(arguments[0])?.textContent === arguments[1]",
            selector,
            self.say(key),
        )

    def task(self) -> str:
        """Wait until there is something to do at the table, and return it."""
        task: str = self.until(_TASK)
        return task

    def play(self) -> None:
        """Play the game to its end: place at the first ring, despite warnings, and claim the first domino."""
        for task in iter(self.task, "over"):
            self.do(task)

    def do(self, task: str) -> None:
        """Carry out a task."""
        if task == "keep":
            self.find(".hand .keep").click()
        elif task == "place":
            self.click_ring()
        elif task == "claim":
            self.find(".coming li button").click()
            self.find(".hand .claim:enabled").click()
        else:
            self.find(".hand .discard").click()

    def click_ring(self) -> None:
        """Point at a ring once nothing moves, and click on the ghost that appears there."""
        pointer = ActionBuilder(self.driver, duration=0)
        pointer.pointer_action.move_to_location(*self.until(_RING))  # type: ignore[no-untyped-call]
        pointer.perform()
        self.until(r"return /^\+\d+$/.test(document.querySelector('.play .mine .bubble')?.textContent)")
        pointer.pointer_action.click()
        pointer.perform()

    def overheard(self) -> str:
        """Return the errors on the pages of a watched server since the last call."""
        heard = "const { overheard = '' } = localStorage; delete localStorage.overheard; return overheard"
        return str(self.run(heard))
