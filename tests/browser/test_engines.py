"""The pages work in Firefox and WebKit, too, and tell an older browser that it is too old."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import expect
from support.engine import needs_engine

from browser.engines import Engine, Visitor, missing, started, watched
from browser.plain import PlainSite
from browser.player import LANGUAGES, Sit
from browser.served import Served
from kingdomino.server.http.release import STATIC

# WebKitGTK's own process may crash on a busy machine. Only a crash gets a second try.
pytestmark = [
    needs_engine,
    pytest.mark.flaky(reruns=1, only_rerun=["page crash or hang", "Could not parse"]),
]


CREATE = """
const body = JSON.stringify({ seats: [{ kind: "me" }, { kind: "bot", bot: "greedy" }] });
const headers = { "Content-Type": "application/json" };
return fetch("/api/tables", { method: "POST", headers, body })
  .then((answer) => answer.json()).then(({ table }) => table.id);
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve pages that record their own errors."""
    server = watched(tmp_path_factory.mktemp("watched"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=get_args(Engine))
def browser(
    request: pytest.FixtureRequest, server: Served, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visitor]:
    """Start one of the browsers. Each test needs a new one, because a crashed browser never answers."""
    if why := missing(request.param):
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    with started(request.param, tmp_path_factory.mktemp(request.param)) as driver:
        yield Visitor(driver, server.address)


@pytest.fixture
def visitor(browser: Visitor) -> Iterator[Visitor]:
    """Return a person who uses the browser; fail at the end if a page had an error in its scripts."""
    yield browser
    assert browser.overheard() == ""


def test_a_game_and_its_review(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.named("home.play").click()
    visitor.play()
    visitor.named("review.look").click()
    visitor.shows("#lines svg .knob")


def test_the_analysis_board_searches_and_plays(visitor: Visitor) -> None:
    visitor.go("/analysis")
    visitor.shows(".sources [aria-current]")
    visitor.run("document.querySelector('.start > .big').click()")
    visitor.shows(".values meter")
    visitor.run("document.querySelector('.values .pick').click()")
    visitor.named("analysis.play_it").click()
    visitor.shows(".path .lv1 [aria-current]")
    visitor.shows(".values meter")
    visitor.named("analysis.set_up").click()
    visitor.shows(".palette")
    visitor.named("analysis.analyse_it").click()
    visitor.shows(".values meter")


def test_a_hint_and_a_warning(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.run("localStorage['kingdomino.warning'] = '1'")
    visitor.named("home.play").click()
    visitor.task()
    hint = visitor.find(".hand .hint")
    hint.click()
    visitor.until("return arguments[0].textContent.includes(arguments[1])", hint, visitor.say("hint.show"))
    hint.click()
    warned = False
    while not warned and (task := visitor.task()) != "over":
        warned = task == "keep"
        if task == "claim":  # at once: the warning may take its place at any moment
            visitor.run(
                "for (const one of ['.coming li button', '.hand .claim']) document.querySelector(one)?.click()"
            )
        else:
            visitor.do(task)
    assert warned


def test_offline_games_work_and_shared_tables_say_why_not(visitor: Visitor, server: Served) -> None:
    visitor.go("/rules")
    visitor.shows("#nine > li")
    visitor.run("return navigator.serviceWorker.ready.then(({ active }) => active !== null)")
    server.kill()
    try:
        visitor.go("/learn")
        visitor.reads("h1", "learn.place_what")
        visitor.go("/")
        visitor.reads("h1", "away.headline")  # until then, the button may still move
        visitor.named("home.play").click()
        visitor.task()
        visitor.go("/t/q3v7n2kd8wjm")
        visitor.reads("h1", "offline.headline")
    finally:
        server.start()  # the tests that follow need it
    visitor.named("offline.again").click()
    visitor.reads("h1", "lost.table")


def test_a_site_of_plain_files_works(visitor: Visitor, tmp_path: Path) -> None:
    site = PlainSite(tmp_path)
    site.publish()
    site.start()
    try:
        visitor.address = site.address
        visitor.go("/")
        visitor.reads("#why-alone span", "away.friends_no_server")
        visitor.named("home.play").click()
        visitor.do(visitor.task())
        visitor.task()
        visitor.go("/no/such/page")
        visitor.reads("h1", "lost.page")
    finally:
        site.stop()


def test_words_load_once(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.shows("#picture .fan")
    loads = "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/words/')).length"
    assert visitor.run(loads) == 1


def test_no_empty_line_beside_your_name(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.shows("#name")
    edges = (
        "return ['#me', '#name'].map((each) => document.querySelector(each).getBoundingClientRect().right)"
    )
    form, field = visitor.run(edges)
    assert form == pytest.approx(field, abs=1)


def test_a_click_copies_a_requested_link(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.go(f"/t/{visitor.run(CREATE)}")
    visitor.task()
    visitor.named("table.more").click()
    visitor.named("table.take_along").click()
    visitor.reads("#menu [role=status]", "table.copied_seat")


def test_an_old_browser_gets_a_sentence(visitor: Visitor) -> None:
    visitor.go("/rules#old")
    visitor.reads(".too-old p", "common.too_old")
    assert not visitor.run("return document.querySelector('script[type=module], nav')")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_browser_without_popovers_is_too_old(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    ida.page.add_init_script("delete HTMLElement.prototype.popover")
    ida.go("/games")
    expect(ida.page.locator(".too-old p")).to_have_text(ida.say("common.too_old"))
    expect(ida.page.locator("html")).to_have_attribute("lang", language)
    expect(ida.page.locator("script[type=module], nav")).to_have_count(0)


def test_the_code_for_old_browsers_is_old_javascript() -> None:
    script = (STATIC / "js/old.js").read_text()
    assert not re.search(r"=>|`|\?\?|\?\.|\b(const|let|async|import) ", script)
