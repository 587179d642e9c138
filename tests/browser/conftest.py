"""A server and a browser for the tests of the pages. A test fails if its page does something forbidden.

Without Chromium or the engine for the page pytest skips these tests and says why; where CI is set, they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from support.engine import needs_engine

from browser.clocked import ClockedServer
from browser.player import DESK, SLOW, Device, Player, Sit, Trouble
from browser.served import Served

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first has no windows, and takes a third less of the processor."""
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
NEEDLESS = [
    # Each new context would start an address bar page and a spare process, which take half of the time.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
    # Playwright's own list, which this one replaces, without the features of other browsers and systems.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]
# Without a graphics card, Chromium would emulate one in software.
FLAGS = ["--disable-dev-shm-usage", "--disable-gpu", f"--disable-features={','.join(NEEDLESS)}"]
MISSING = "no browser tests without Chromium; get it with: apt-get install chromium-headless-shell"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests that need Chromium where Chromium or the engine for its pages is missing."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(needs_engine)
            item.add_marker(pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason=MISSING))


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve for all tests of this process."""
    served = Served(tmp_path_factory.mktemp("served"))
    served.start()
    yield served
    assert served.stop() == 0
    assert served.logged == ""


@pytest.fixture
def own_server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Serve for one test, which may kill the server; the fixture's parameter adds options."""
    served = Served(tmp_path, *getattr(request, "param", ()))
    served.start()
    yield served
    served.kill()


@pytest.fixture
def clocked(tmp_path: Path) -> Iterator[ClockedServer]:
    """Serve for one test, which moves the clock of the server."""
    with ClockedServer(tmp_path) as server:
        yield server


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Start Debian's Chromium; its sandbox does not run as root."""
    assert CHROMIUM, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, chromium_sandbox=os.geteuid() != 0, args=FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def large_chromium(chromium: Browser) -> Iterator[Browser]:
    """Start Chromium with text twice as large, a setting that users may choose."""
    browser = chromium.browser_type.launch(
        executable_path=CHROMIUM,
        chromium_sandbox=os.geteuid() != 0,
        args=[*FLAGS, "--blink-settings=defaultFontSize=32"],
    )
    yield browser
    browser.close()


@pytest.fixture
def sit(chromium: Browser, served: Served, request: pytest.FixtureRequest) -> Iterator[Sit]:
    """Return ``sit()``, which makes a `Player`; fail at the end if a page did something forbidden."""
    troubles: list[Trouble] = []
    contexts = []

    def sit(
        device: Device = DESK,
        *,
        language: str = "en",
        address: str | None = None,
        permissions: Sequence[str] = (),
        moving: bool = False,
        large_text: bool = False,
        keeping: bool = False,
    ) -> Player:
        address = address or served.address
        browser: Browser = request.getfixturevalue("large_chromium") if large_text else chromium
        context = browser.new_context(
            viewport=device.size,
            has_touch=device.touch,
            is_mobile=device.touch,
            device_scale_factor=2 if device.touch else 1,
            locale=language,
            reduced_motion="no-preference" if moving else "reduce",
            permissions=permissions,
            service_workers="allow" if keeping else "block",
        )
        context.set_default_timeout(SLOW)
        contexts.append(context)
        trouble = Trouble(address)
        troubles.append(trouble)
        context.on("page", trouble.watch)
        return Player(context.new_page(), trouble, address, device, language)

    yield sit
    seen = [each for trouble in troubles for each in trouble.seen]
    for context in contexts:
        context.close()
    assert not seen, "\n".join(seen)
