"""A browser keeps one whole release. After one visit everything but shared tables works without a network."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import CHROMIUM, FLAGS
from browser.plain import PlainSite
from browser.player import DESK, SLOW, Player, Sit, Trouble
from browser.served import Served
from kingdomino.server.http import release

READY = "navigator.serviceWorker.ready.then(({ active }) => active !== null)"
UPDATE = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update().catch(() => {});
  const { installing } = registration;
  if (installing) await new Promise((done) => installing.addEventListener("statechange", done));
  return registration.waiting !== null;
}"""
"""Downloads the next release. Returns whether a whole one is waiting."""
WAITS = "navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)"
CANNOT_LOAD = r"ERR_|Failed to load resource|Failed to fetch dynamically"
TABLE = "/t/q3v7n2kd8wjm"
KEPT = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(caches_.map((cache) => cache.keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname);
}"""
NEWER = (release.STATIC / "words/en.json").read_bytes().replace(b"A small kingdom,", b"A newer kingdom,")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PlainSite]:
    """Serve plain files for one test."""
    site = PlainSite(tmp_path)
    site.publish()
    site.start()
    yield site
    site.stop()


def test_after_one_visit_every_page_opens_without_the_server(sit: Sit, own_server: Served) -> None:
    ida = sit(address=own_server.address, keeping=True)
    ida.trouble.forgive(CANNOT_LOAD)
    ida.go()
    assert ida.page.evaluate(READY)
    own_server.kill()
    table = ida.create_here("king:level=1")
    shown = {
        "/": "#picture svg",
        "/learn": "#what:not(:empty)",
        "/rules": "#nine > li",
        "/analysis": ".study .sources",
        "/score": ".counted .sum",
        "/photo": "h1:not(:empty)",
        "/games": "h1:not(:empty)",
        "/new?from=home#here": "#seats > li",
        "/you": "#headline:not(:empty)",
        f"/play?id={table}": ".play .mine",
        f"/replay?id={table}": "input[type=range]",
        "/g": "h1:not(:empty)",
        "/review": "h1:not(:empty)",
        "/mistakes": "h1:not(:empty)",
        "/points": "h1:not(:empty)",
        "/puzzles": ".mine .spots use, #claims button",
    }
    assert {path.split("?")[0] for path in shown} == {*release.KEPT_PAGES} - {"/offline"}
    for path, what in shown.items():
        ida.page.goto(own_server.address + path)
        expect(ida.page.locator(what).first).to_be_visible()
    own_server.start()


def test_a_game_and_its_review_work_offline_from_a_cold_start(
    chromium: Browser, own_server: Served, tmp_path: Path
) -> None:
    trouble = Trouble(own_server.address)
    trouble.forgive(CANNOT_LOAD)

    def started() -> Page:
        context = chromium.browser_type.launch_persistent_context(
            tmp_path / "profile",
            executable_path=CHROMIUM,
            chromium_sandbox=os.geteuid() != 0,
            args=FLAGS,
            viewport=DESK.size,
            reduced_motion="reduce",
        )
        context.set_default_timeout(SLOW)
        return context.pages[0]

    page = started()
    page.goto(own_server.address)
    assert page.evaluate(READY)
    page.context.close()
    own_server.kill()
    page = started()
    trouble.watch(page)
    ida = Player(page, trouble, own_server.address, DESK, "en")
    ida.go()
    ida.button("home.play").click()
    ida.arrive()
    ida.play(ida.click_through)
    ida.link("review.look").click()
    expect(ida.page.locator("#lines svg .knob")).to_be_visible()
    ida.page.context.close()
    assert not trouble.seen
    own_server.start()


def test_a_shared_table_waits_for_the_server(sit: Sit, own_server: Served) -> None:
    ida = sit(address=own_server.address, language="fr", keeping=True)
    ida.trouble.forgive(CANNOT_LOAD)
    ida.go()
    assert ida.page.evaluate(READY)
    own_server.kill()
    ida.page.clock.install()
    ida.page.goto(own_server.address + TABLE)
    expect(ida.title).to_have_text(ida.say("offline.headline"))
    assert ida.page.evaluate(
        "document.fonts.ready.then((all) => [...all].some((one) => one.status === 'loaded'))"
    )
    own_server.start()
    ida.page.clock.fast_forward(5000)
    expect(ida.title).to_have_text(ida.say("lost.table"))


class Gateway(BaseHTTPRequestHandler):
    """A proxy whose server does not answer."""

    def do_HEAD(self) -> None:
        """Answer as nginx does."""
        self.send_response(502)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def do_GET(self) -> None:
        """Answer with the same status, and a page."""
        self.do_HEAD()
        self.wfile.write(b"<h1>502 Bad Gateway</h1>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_proxy_without_its_server_counts_as_offline(sit: Sit, own_server: Served) -> None:
    ida = sit(address=own_server.address, keeping=True)
    ida.trouble.forgive(CANNOT_LOAD)
    ida.go()
    assert ida.page.evaluate(READY)
    own_server.kill()
    port = urlsplit(own_server.address).port
    assert port
    with ThreadingHTTPServer(("127.0.0.1", port), Gateway) as gateway:
        Thread(target=gateway.serve_forever).start()
        ida.page.clock.install()
        ida.page.goto(own_server.address + TABLE)
        expect(ida.title).to_have_text(ida.say("offline.headline"))
        ida.page.evaluate("window.isSame = true")
        with ida.page.expect_response(lambda answer: answer.request.method == "HEAD"):
            ida.page.clock.fast_forward(5000)
        assert ida.page.evaluate("window.isSame")  # it did not reload in vain
        gateway.shutdown()
    own_server.start()
    ida.page.clock.fast_forward(5000)
    expect(ida.title).to_have_text(ida.say("lost.table"))


def test_no_answer_of_the_api_is_cached(sit: Sit) -> None:
    ida = sit(keeping=True)
    ida.go()
    assert ida.page.evaluate(READY)
    kept = ida.page.evaluate(KEPT)
    pages = [path for path in kept if not re.match(r"/static/[0-9a-f]{12}/", path)]
    assert sorted(pages) == sorted(release.KEPT_PAGES)


def test_each_engine_is_loaded_once(sit: Sit, site: PlainSite) -> None:
    ida = sit(address=site.address, keeping=True)
    ida.go("/analysis")
    expect(ida.page.locator(".study .sources")).to_be_visible()
    assert ida.page.evaluate(READY)
    ida.go("/play/?id=" + ida.create_here("king:level=1"))
    ida.task()
    files = sorted(path.rpartition("/")[2] for path in site.asked if path.endswith(".wasm"))
    assert files == ["kingdomino.wasm", "play.wasm"]


def test_home_offers_friends_once_the_connection_is_back(sit: Sit, own_server: Served) -> None:
    ida = sit(address=own_server.address, keeping=True)
    ida.trouble.forgive(CANNOT_LOAD)
    ida.go()
    friends, play = ida.page.locator("#friends"), ida.page.locator("#play")
    expect(friends).to_be_visible()
    place = play.bounding_box()
    assert ida.page.evaluate(READY)
    own_server.kill()
    ida.page.clock.install()
    ida.go()
    expect(ida.title).to_have_text(ida.say("away.headline"))
    assert play.bounding_box() == place  # if the button moved, a press could miss it
    expect(ida.page.locator("#why-alone")).to_have_text(ida.say("away.friends_offline"))
    expect(ida.page.locator("#ways a")).to_have_count(5)
    expect(friends).to_be_hidden()
    expect(ida.page.locator(".needs-server:visible")).to_have_count(0)
    own_server.start()
    ida.page.clock.fast_forward(5000)
    expect(friends).to_be_visible()
    expect(ida.page.locator("#why-alone")).to_be_hidden()


@pytest.mark.parametrize("path", ["/", "/new/", "/you/", "/games/", "/lost/"])
def test_a_site_of_plain_files_hides_what_needs_a_server(sit: Sit, site: PlainSite, path: str) -> None:
    ida = sit(address=site.address)
    ida.go(path)
    expect(ida.title).not_to_be_empty()
    shared = "#friends, #code, #make, #make-passkey, #shared"
    expect(ida.page.locator(shared).filter(visible=True)).to_have_count(0)
    if path in ("/", "/new/"):
        expect(ida.link("away.hosting")).to_have_attribute("href", re.compile("/docs/guides/hosting/$"))


def test_a_site_of_plain_files_has_an_error_page(sit: Sit, site: PlainSite) -> None:
    ida = sit(address=site.address)
    ida.trouble.forgive("404")
    ida.page.goto(f"{site.address}/no/such/page")
    ida.page.wait_for_url("**/kingdomino/lost/")
    expect(ida.title).to_have_text(ida.say("lost.page"))
    ida.button("home.play").click()
    ida.arrive()


def test_a_site_of_plain_files_forgets_a_player(sit: Sit, site: PlainSite) -> None:
    ida = sit(address=site.address)
    ida.go()
    ida.create_here("king:level=1")
    ida.go("/you/")
    ida.button("you.forget_me").click()
    ida.button("you.forget_yes").click()
    expect(ida.title).to_have_text(ida.say("you.forgotten"))
    ida.go("/games/")
    expect(ida.page.locator("#unfinished li")).to_have_count(0)


def in_a_game(ida: Player, site: PlainSite) -> None:
    """Keep the release, begin a game, and publish a newer release."""
    ida.go()
    assert ida.page.evaluate(READY)
    ida.go("/play/?id=" + ida.create_here("king:level=1"))
    ida.turn()
    site.publish({"words/en.json": NEWER})


def test_an_update_takes_over_when_no_page_is_open(sit: Sit, site: PlainSite) -> None:
    ida = sit(address=site.address, keeping=True)
    in_a_game(ida, site)
    assert ida.page.evaluate(UPDATE)
    for _ in range(10):  # a page that was left may count as open for a moment
        ida.page.goto("about:blank")
        ida.page.goto(f"{site.address}/learn/")
        expect(ida.page.locator("#what:not(:empty)")).to_be_visible()
        if release.VERSION not in ida.page.evaluate("document.scripts[1].src"):
            return
    pytest.fail("the update still waits")


def test_an_update_waits_for_the_end_of_a_game(sit: Sit, site: PlainSite) -> None:
    ida = sit(address=site.address, keeping=True)
    in_a_game(ida, site)
    assert ida.page.evaluate(UPDATE)
    ida.turn()
    ida.page.reload()
    ida.turn()
    assert release.VERSION in ida.page.evaluate("document.scripts[1].src")
    ida.page.goto(f"{site.address}/")
    expect(ida.title).to_have_text(re.compile("A newer kingdom,"))
    expect(ida.page.locator("#go-on")).to_be_visible()
    ida.page.locator("#go-on").click()
    ida.turn()
    assert release.VERSION not in ida.page.evaluate("document.scripts[1].src")


def test_an_update_waits_while_a_game_is_open_in_another_tab(sit: Sit, site: PlainSite) -> None:
    ida = sit(address=site.address, keeping=True)
    in_a_game(ida, site)
    other = ida.page.context.new_page()
    other.goto(f"{site.address}/")
    assert ida.page.evaluate(UPDATE)
    other.clock.install()
    other.reload()
    expect(other.locator("h1")).to_have_text(re.compile("A small kingdom,"))
    other.clock.fast_forward(1000)  # by now the page has asked for updates
    ida.turn()
    assert other.evaluate(WAITS)
    other.close()
    ida.turn()


@pytest.mark.parametrize("lost", ["words/es.json", "/sw.js", "/rules/"])
def test_a_half_downloaded_release_is_not_used(sit: Sit, site: PlainSite, lost: str) -> None:
    ida = sit(address=site.address, keeping=True)
    ida.trouble.forgive("503|ServiceWorker|Failed to")
    in_a_game(ida, site)
    site.lost.append(lost)
    assert not ida.page.evaluate(UPDATE)
    ida.go()
    expect(ida.title).to_have_text(re.compile("A small kingdom,"))
    site.lost.clear()
    assert ida.page.evaluate(UPDATE)
    ida.go()
    expect(ida.title).to_have_text(re.compile("A newer kingdom,"))


def test_pages_of_two_releases_are_not_mixed(sit: Sit, site: PlainSite) -> None:
    """Update the site between the download of the worker and the download of its pages."""
    ida = sit(address=site.address, keeping=True)
    ida.trouble.forgive("updated meanwhile|ServiceWorker")
    in_a_game(ida, site)
    page = site.file("rules/index.html")
    newest = re.sub(rb"/static/\w+/", b"/static/0123456789ab/", page.read_bytes())
    page.write_bytes(newest)
    assert not ida.page.evaluate(UPDATE)
