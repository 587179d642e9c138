"""Everything fits on the screen: a phone in landscape, large text, a small laptop, large fingers."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from browser.player import DESK, LANDSCAPE, LANGUAGES, PHONE, TABLET, TRANSLATIONS, Device, Json, Player, Sit
from browser.served import Served

BOT: Json = {"kind": "bot", "bot": "greedy"}
LAPTOP = Device(1366, 640)
LEAST = 40
"""Pixels: the smallest target for a finger or an unsteady mouse."""

TARGETS = """() => {
  const usable = "button, a[href], summary, select, input, [role=switch]";
  const small = [];
  for (const element of document.querySelectorAll(usable)) {
    // One clicks on the label of an input, and anywhere on an opponent.
    const target = element.closest("label") ?? (element.matches(".mini") ? element.parentElement : element);
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("[inert]")) continue;
    if (element.matches("p a, small a")) continue;  // a link within a sentence is as tall as its line
    const { width, height } = target.getBoundingClientRect();
    if (width < 40 || height < 40) {
      small.push(`${element.textContent.trim() || element.ariaLabel || element.id}: ${width} × ${height}`);
    }
  }
  return small;
}"""

EXTENT = "(({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight])(document.documentElement)"

OUTSIDE = """([width, height]) => {
  const parts = document.querySelectorAll(
    ".play :is(h1, .caption, .hand button, .line .face, .mini, .score, .round b)",
  );
  return [...parts].filter((part) => part.checkVisibility()).flatMap((part) => {
    const box = part.getBoundingClientRect();
    const fits = box.width < 2 || (box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height);
    return fits ? [] : [`${part.className || part.localName}: ${JSON.stringify(box)}`];
  });
}"""

BROKEN = """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
  if (!element.checkVisibility() || element.getBoundingClientRect().width <= 2) return false;
  element.style.overflowWrap = "normal";  // a word that does not fit stands out now
  const isBroken = element.scrollWidth > element.clientWidth;
  element.style.overflowWrap = "";
  return isBroken;
}).map((element) => element.textContent)"""

OVERLAPS = """(selector) => {
  const texts = [];
  const isAside = (element) => {  // it is only for screen readers, or stays in view over the rest
    for (let each = element; each; each = each.parentElement) {
      const { position } = getComputedStyle(each);
      if (each.getBoundingClientRect().width <= 2 || position === "fixed" || position === "sticky") return true;
    }
    return false;
  };
  const walk = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const parent = walk.currentNode.parentElement;
    const isHidden = !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      || parent.closest("svg, kd-kingdom, .no, option") || isAside(parent);
    if (isHidden || !walk.currentNode.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const box of range.getClientRects()) {
      if (box.width > 2) texts.push({ box, words: walk.currentNode.data.trim() });
    }
  }
  const found = [];
  for (const [at, one] of texts.entries()) {
    for (const other of texts.slice(at + 1)) {
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      const least = Math.min(one.box.height, other.box.height);
      if (across > 2 && down > least * 0.4) found.push(`${one.words} / ${other.words}`);
    }
  }
  return found;
}"""


LINES = """(selector) => [...document.querySelectorAll(selector)].map((element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
})"""


def with_a_choice(stands: Json) -> bool:
    """Return whether it is our turn to place a domino that fits, late enough, with a choice of claims."""
    turn = stands["turn"]
    free = sum(each["seat"] is None for each in stands["next_line"])
    return bool(
        turn["seat"] == 0 and turn["phase"] == "place" and turn["fits"] and free > 1 and stands["round"] > 3
    )


def at_work(player: Player, **wishes: object) -> None:
    """Go to a table where the player has to place a domino."""
    while True:
        table = player.create({"kind": "me", "name": "Ida"}, BOT, BOT, BOT, **wishes)
        player.program(table, with_a_choice)
        if player.snapshot(table)["turn"]:
            break
    player.go(f"/t/{table}")
    assert player.task() == "place"


def through_a_turn(player: Player, look: Callable[[], None]) -> None:
    """Call ``look`` at each step of a turn: before, with a ghost, before a claim, and with a chosen claim."""
    look()
    player.point()
    look()
    player.place.click()
    assert player.task() == "claim"
    look()
    player.offered.first.click()
    look()


@pytest.mark.parametrize("device", [LANDSCAPE, LAPTOP], ids=["phone in landscape", "small laptop"])
def test_the_table_fits_without_scrolling(sit: Sit, device: Device) -> None:
    ida = sit(device, language="fr")  # the longest words
    at_work(ida)

    def whole() -> None:
        wide, tall = ida.page.evaluate(EXTENT)
        assert (wide, tall) <= (device.width, device.height)
        assert tall <= device.height
        assert ida.page.evaluate(OUTSIDE, [device.width, device.height]) == []

    through_a_turn(ida, whole)


def test_popups_fit_on_a_small_laptop(sit: Sit) -> None:
    ida, ann = sit(LAPTOP, language="fr"), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, "open", public=True)
    ann.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Ann"})
    while (stands := ida.snapshot(table))["round"] == 0:
        (ida, ann)[stands["turn"]["seat"]].program_turn(table, stands["turn"])
    ida.go(f"/t/{table}")
    expect(ida.page.locator(".line.coming li")).to_have_count(4)
    ann.ask(f"/api/tables/{table}/end", {"wish": True})
    expect(ida.button("table.end_yes")).to_be_visible()
    assert ida.page.evaluate(EXTENT) == [LAPTOP.width, LAPTOP.height]
    ida.mine.locator(".score").click()
    expect(ida.page.locator(".details")).to_be_visible()
    assert ida.page.evaluate(EXTENT) == [LAPTOP.width, LAPTOP.height]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_word_breaks_beside_the_lines(sit: Sit, language: str) -> None:
    ida = sit(LANDSCAPE, language=language)
    ida.go(f"/t/{ida.create('me', BOT)}")
    for _ in range(3):
        ida.task()
        assert ida.page.evaluate(BROKEN, ".line h2") == []
        ida.turn()


def test_no_place_breaks_beside_its_kingdom(sit: Sit) -> None:
    ida = sit(large_text=True)
    at_a_page(ida, "end 4")
    for device in (DESK, LAPTOP, TABLET, LANDSCAPE):
        ida.page.set_viewport_size(device.size)
        assert ida.page.evaluate(BROKEN, ".ranks .place") == []
        assert ida.page.evaluate(LINES, ".ranks .place") == [1, 1, 1, 1]


def test_the_clock_stays_on_one_line(sit: Sit) -> None:
    ida = sit()
    ida.go(f"/t/{ida.create('me', 'me', seconds=90)}")
    expect(ida.page.locator(".clock")).not_to_be_empty()
    for width in (360, 820, 1200, 1440):
        ida.page.set_viewport_size({"width": width, "height": 800})
        lines = ida.page.evaluate(f"""() => Array.from({{ length: 60 }}, (_, length) => {{
          document.querySelector(".next span").textContent = "a ".repeat(length);
          return ({LINES})(".clock");
        }}).flat()""")
        assert set(lines) == {1}, width


CORNERS, BAR = 47, 34
"""Pixels that a phone's round corners may cover at its sides, and a bar at its bottom."""

COVERED = """([width, height, corners, bar]) => {
  const isAtBottom = (element) => {
    for (let each = element; each; each = each.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(each).position)) return true;
    }
    return false;
  };
  const all = document.querySelectorAll("h1, h2, b, .button, .face, .mini, kd-kingdom, .score, input, summary, .graph");
  return [...all].filter((each) => each.checkVisibility()).flatMap((each) => {
    const box = each.getBoundingClientRect();
    const isAside = corners && (box.left < corners || box.right > width - corners);
    const isCovered = box.width > 2 && (isAside || (bar && isAtBottom(each) && box.bottom > height - bar));
    return !isCovered ? [] : [`${each.localName}.${each.className}: ${JSON.stringify(box)}`];
  });
}"""


def with_safe_areas(player: Player) -> Callable[[str], None]:
    """Let the phone have round corners or a bar, and return a check that they cover nothing of a page."""
    width, height = player.device.width, player.device.height
    corners, bar = (CORNERS, 0) if width > height else (0, BAR)
    insets = {"top": 0, "left": corners, "right": corners, "bottom": bar}
    session = player.page.context.new_cdp_session(player.page)
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})

    def uncovered(where: str) -> None:
        assert player.page.evaluate(COVERED, [width, height, corners, bar]) == [], where

    return uncovered


@pytest.mark.parametrize("device", [LANDSCAPE, PHONE], ids=["landscape", "phone"])
def test_the_safe_areas_stay_empty(sit: Sit, device: Device) -> None:
    ida = sit(device)
    uncovered = with_safe_areas(ida)
    at_work(ida)
    uncovered("play")
    ida.button("table.more").click()
    uncovered("menu")
    for page in ("waiting 2", "end 4", "end 2"):
        at_a_page(ida, page)
        uncovered(page)
    for key in ("end.look_back", "review.look"):
        ida.link(key).click()
        ida.page.locator(".steps input, #lines .knob").wait_for()
        uncovered(key)
        ida.page.go_back()
        ida.page.locator(".end .stage > *").wait_for()


def test_the_next_button_of_a_page_is_in_view_on_a_phone_in_landscape(sit: Sit) -> None:
    ida = sit(LANDSCAPE, language="es")
    ida.trouble.forgive("404")
    for path in ("/", "/nowhere", "/t/nowhere"):
        ida.go(path)
        for main in ida.page.locator("main .do > *").all():
            if main.is_visible():
                expect(main).to_be_in_viewport(ratio=1)


def at_a_page(player: Player, page: str, **wishes: object) -> None:
    """Open one of the pages around a game; ``wishes`` are settings for the table of a finished game."""
    me, players = {"kind": "me", "name": "Ida"}, int(page[-1])
    if page.startswith("home"):
        player.go()
        for part in ("#bot option", "#picture .fan"):
            player.page.locator(part).first.wait_for(state="attached")
    elif page.startswith("new"):
        player.go("/new")
        player.page.locator("#seats li").first.wait_for()
        player.page.locator(f"#players input[value='{players}']").check(force=True)
    elif page.startswith("waiting"):
        player.go(f"/t/{player.create(me, *['invited'] * (players - 1))}")
    else:
        table = player.create(me, *[BOT] * (players - 1), **wishes)
        player.program(table)
        player.go(f"/t/{table}")
        player.page.locator(".end .stage > *").wait_for()
    player.page.evaluate("document.fonts.ready.then(() => {})")


PAGES = ["home 2", "new 2", "new 4", "waiting 2", "waiting 4", "end 2", "end 4"]


def test_the_pages_around_a_game_do_not_scroll(sit: Sit, own_server: Served) -> None:
    # On its own server, home lists no public tables of other tests.
    ida = sit(language="fr", address=own_server.address)
    for page in PAGES:
        at_a_page(ida, page)
        for device in (DESK, LAPTOP):
            ida.page.set_viewport_size(device.size)
            ida.settle()
            assert ida.page.evaluate(EXTENT) == [device.width, device.height], page


# A bot's kingdom may have no territory with points.
MANY_TERRITORIES = """() => {
  const row = document.querySelector(".end .terr > *");
  for (const list of document.querySelectorAll(".end .terr")) {
    while (list.children.length < 10) list.prepend(row.cloneNode(true));
  }
}"""


def test_the_end_has_room_for_many_territories(sit: Sit) -> None:
    ida = sit(language="fr")
    at_a_page(ida, "end 2", harmony=True, middle_kingdom=True)
    ida.page.evaluate(MANY_TERRITORIES)
    for device in (DESK, LAPTOP):
        ida.page.set_viewport_size(device.size)
        ida.settle()
        assert ida.page.evaluate(EXTENT) == [device.width, device.height]


def test_the_main_button_and_its_subject_are_in_view_on_a_phone_in_landscape(sit: Sit) -> None:
    ida = sit(LANDSCAPE, language="fr")
    for page in PAGES:
        at_a_page(ida, page)
        expect(ida.page.locator("main .button.primary:visible").first).to_be_in_viewport(ratio=1)
        about = "#seats li:nth-child(-n + 2), .who-sits li:nth-child(-n + 2), .end .stage, .end .head"
        for part in ida.page.locator(about).all():
            expect(part).to_be_in_viewport(ratio=0.95)
        wide, tall = ida.page.evaluate(EXTENT)
        assert wide == LANDSCAPE.width, page
        assert tall == LANDSCAPE.height or page.startswith("home"), page


def test_the_kingdom_leaves_room_for_a_long_verdict_on_a_phone_in_landscape(sit: Sit) -> None:
    ida = sit(LANDSCAPE, language="fr")
    at_a_page(ida, "end 4", harmony=True, middle_kingdom=True)
    tie = "Sorrel et Juniper ont chacun 59 points, un plus grand territoire de 12 cases et 14 couronnes."
    for part in (".end h1", ".end .why"):
        ida.page.locator(part).evaluate("(part, text) => { part.textContent = text; }", tie)
    assert ida.page.evaluate(EXTENT) == [LANDSCAPE.width, LANDSCAPE.height]


def test_a_lesson_is_in_view_on_a_phone_in_landscape(sit: Sit) -> None:
    ida = sit(LANDSCAPE, language="fr")
    ida.go("/learn")
    go_on = ida.button("learn.next")
    for _ in range(2):
        ida.page.locator("#kingdom .spots use").first.tap(force=True)
        for part in (ida.title, ida.kingdom, ida.button("learn.place")):
            expect(part).to_be_in_viewport(ratio=0.99)
        ida.button("learn.place").tap()
        expect(go_on).to_be_in_viewport(ratio=1)
        go_on.tap()
    assert ida.page.evaluate(EXTENT) == [LANDSCAPE.width, LANDSCAPE.height]


def test_a_whole_turn_with_a_finger_in_landscape(sit: Sit) -> None:
    ida = sit(LANDSCAPE)
    at_work(ida)
    ida.turn(ida.tap_through)


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["1440", "360"])
def test_large_text_neither_overlaps_nor_is_cut(sit: Sit, device: Device) -> None:
    ida = sit(device, language="fr", large_text=True)
    at_work(ida)

    def readable() -> None:
        assert ida.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
        wide, _ = ida.page.evaluate(EXTENT)
        assert wide <= device.width
        assert ida.page.evaluate(OVERLAPS, ".play") == []
        expect(ida.title).to_be_in_viewport()
        assert ida.page.evaluate(BROKEN, ".head h1") == []
        main = ida.page.locator(".hand .primary:visible")
        expect(main).to_be_in_viewport(ratio=0.9)
        for button in ida.page.locator(".hand .button:visible").all():
            expect(button).to_be_in_viewport(ratio=0.9)

    through_a_turn(ida, readable)


@pytest.mark.parametrize("large", [False, True], ids=["", "large"])
def test_the_choices_of_the_settings_do_not_overlap(sit: Sit, large: bool) -> None:
    for language in ("fr", "es"):
        ida = sit(language=language, large_text=large)
        ida.go()
        ida.button("settings.headline").click()
        expect(ida.page.get_by_role("dialog")).to_be_visible()
        for device in (DESK, PHONE):
            ida.page.set_viewport_size(device.size)
            assert ida.page.evaluate(OVERLAPS, "dialog") == [], device


def test_the_list_of_games_is_readable_at_200_percent(sit: Sit) -> None:
    ida = sit(PHONE, language="fr", large_text=True)
    ida.program(ida.create("me", BOT))
    ida.go("/games")
    expect(ida.page.locator(".played li")).to_have_count(1)
    wide, _ = ida.page.evaluate(EXTENT)
    assert wide == PHONE.width
    assert ida.page.evaluate(OVERLAPS, "main") == []


def test_other_pages_are_readable_at_200_percent(sit: Sit) -> None:
    ida = sit(large_text=True)
    ida.create("me", "me", "open", public=True)  # home lists it
    for path in ("/", "/new", "/learn"):
        ida.go(path)
        ida.page.wait_for_load_state("networkidle")
        for device in (DESK, PHONE):
            ida.page.set_viewport_size(device.size)
            ida.settle()
            wide, _ = ida.page.evaluate(EXTENT)
            assert wide <= device.width, path
            assert ida.page.evaluate(OVERLAPS, "main") == [], path


def test_every_control_is_at_least_40_pixels_wide_and_high(sit: Sit) -> None:
    ida = sit(PHONE)

    def large() -> None:
        for device in (DESK, TABLET, LANDSCAPE, PHONE):
            ida.page.set_viewport_size(device.size)
            ida.settle()
            assert ida.page.evaluate(TARGETS) == [], device

    for path in ("/", "/new", "/learn", "/rules"):
        ida.go(path)
        ida.page.wait_for_load_state("networkidle")
        large()
    ida.go_to_offline_page()
    large()
    ida.go("/")
    ida.page.locator("#fold summary").click()
    large()
    ida.button("settings.headline").click()
    large()
    ida.go(f"/t/{ida.create({'kind': 'me', 'name': 'Ida'}, 'invited', 'open', BOT, public=True)}")
    expect(ida.title).to_have_text(ida.say("wait.host"))
    large()
    at_work(ida)
    through_a_turn(ida, large)
    ida.button("table.more").click()
    large()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT)
    ida.program(table)
    ida.go(f"/t/{table}")
    expect(ida.again).to_be_visible()
    large()
    ida.go(f"/t/{table}/replay")
    large()


def test_a_phone_shows_the_bar_only_with_news(sit: Sit) -> None:
    ida, ann = sit(), sit(PHONE)
    table = ida.create("me", "me", public=True)
    ann.go(f"/t/{table}")
    news = ann.page.locator(".recent")
    expect(ann.page.locator(".line.coming li").first).to_be_visible()
    expect(news).to_be_hidden()
    ida.program_turn(table, ida.snapshot(table)["turn"])
    expect(news).to_be_visible()


CONTROLS = """() => {
  const all = document.querySelectorAll("a, button, input, label, select, summary, textarea");
  return [...all].filter((element) => {
    const { touchAction, fontSize } = getComputedStyle(element);
    const isPressed = ["checkbox", "radio", "range", "file"].includes(element.type);
    const isTyped = element.matches("select, textarea, input") && !isPressed;
    return touchAction === "auto" || (isTyped && parseFloat(fontSize) < 16);
  }).map((element) => element.outerHTML);
}"""
"""Elements that zoom in after a tap: after a double tap, or on iOS at small text."""


def test_tapping_a_control_does_not_zoom(sit: Sit) -> None:
    ida = sit(PHONE)
    table = ida.create("me", "invited", "open", public=True)
    for path in (
        "/",
        "/new",
        "/learn",
        "/rules",
        "/games",
        "/analysis",
        "/score",
        "/photo",
        "/puzzles",
        "/you",
        f"/t/{table}",
    ):
        ida.go(path)
        if path == "/you":
            ida.button("you.make_link").tap()
            expect(ida.page.get_by_label(ida.say("you.link"))).to_be_visible()
        assert ida.page.evaluate(CONTROLS) == []
    at_work(ida)
    assert ida.page.evaluate(CONTROLS) == []


def test_home_links_to_every_page_and_shows_the_choice_above_the_button(sit: Sit) -> None:
    ida = sit()
    ida.go()
    ida.page.locator("#fold summary").click()
    for device in (DESK, TABLET, PHONE, LANDSCAPE):
        ida.page.set_viewport_size(device.size)
        for key in (
            "home.nav_learn",
            "home.nav_rules",
            "analysis.title",
            "home.nav_puzzles",
            "home.nav_score",
            "home.nav_bots",
        ):
            expect(ida.link(key)).to_be_visible()
        options, play = ida.page.locator("#rules").bounding_box(), ida.button("home.play").bounding_box()
        assert options
        assert play
        assert options["y"] + options["height"] <= play["y"], device


ENDS = """(length) => {
  const text = document.querySelector("#headline").firstChild;
  const range = document.createRange();
  range.setStart(text, text.length - length);
  range.setEnd(text, text.length);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_headline_does_not_break_domino_by_domino(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    ida.go()
    end = re.split(r", ", ida.say("home.headline"))[-1]
    for width in (360, 740, 820, 1180, 1280, 1366, 1440):
        ida.page.set_viewport_size({"width": width, "height": 800})
        assert ida.page.evaluate(ENDS, len(end)) == 1, width


FACES = """(faces) => {
  faces.find((face) => face.matches("button")).parentElement.querySelector(".note").textContent =
    "a note that certainly takes more than one line of text";
  return faces.map((face) => face.getBoundingClientRect().top);
}"""


def test_a_note_of_several_lines_moves_no_domino(sit: Sit) -> None:
    ida = sit()
    at_work(ida)
    ida.by_hand("place")
    assert ida.task() == "claim"
    for device in (DESK, TABLET, PHONE, LANDSCAPE):
        ida.page.set_viewport_size(device.size)
        tops: list[float] = ida.page.locator("section.coming .face").evaluate_all(FACES)
        rows = sorted(set(tops))
        assert all(tops.count(top) == tops.count(rows[0]) for top in rows), device
        gaps = [after - before for before, after in pairwise(rows)] or [0]
        assert max(gaps) - min(gaps) < 0.1, device
