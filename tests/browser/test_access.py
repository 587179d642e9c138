"""Accessibility: no faults by axe, an announcement of every event, and everything possible without a mouse."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_FILE_PATH, AxeResults  # type: ignore[import-untyped]
from playwright.sync_api import expect

from browser.player import DESK, LANDSCAPE, PHONE, TABLET, Device, Player, Sit

BOT = {"kind": "bot", "bot": "greedy"}
AUDIT = """async (rules) => {
  const options = { resultTypes: ["violations"], preload: false, ...rules };
  const { violations } = await axe.run({ exclude: [["svg > *"]] }, options);
  return { violations };
}"""
"""Runs axe, but not inside drawings, which contain nothing that it checks."""
SCHEMES: list[tuple[Literal["light", "dark"], dict[str, list[str]]]] = [
    ("light", {}),
    ("dark", {"runOnly": ["color-contrast", "link-in-text-block"]}),
]


WORDS_STAY = """() => {
  const { setTimeout } = window;
  window.setTimeout = (work, ms = 0) => (ms < 1000 ? setTimeout(work, ms) : 0);
}"""
"""Removes the timers that would hide a word; axe needs the others."""


def faultless(player: Player, where: str) -> None:
    """Assert that axe finds no violation on the visible page. The dark scheme changes only colours.

    A tablet and a phone in landscape show the same elements in other places, so only desks and phones are checked.
    """
    if player.device in (TABLET, LANDSCAPE):
        return
    for scheme, rules in SCHEMES:
        player.page.emulate_media(color_scheme=scheme)
        results = AxeResults(player.page.evaluate(AUDIT, rules))
        assert results.violations_count == 0, f"{where}, {scheme}\n{results.generate_report()}"


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_no_violation(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    ida.go()
    faultless(ida, "home")
    ida.page.locator("#fold summary").click()
    faultless(ida, "home with its rules")
    ida.button("settings.headline").click()
    faultless(ida, "the settings")
    for path in (
        "/new",
        "/learn",
        "/rules#2,harmony,middle_kingdom,mighty_duel,dynasty,first,snake",
    ):
        ida.go(path)
        faultless(ida, path)
    ida.go_to_offline_page()
    faultless(ida, "offline")
    ida.go("/you#link=AAAA")
    faultless(ida, "a link from another device")
    ida.page.reload()
    ida.button("you.make_link").click()
    expect(ida.page.get_by_label(ida.say("you.link"))).to_be_visible()
    ida.button("you.forget_me").click()
    faultless(ida, "this device and others")
    ida.go(f"/t/{ida.create({'kind': 'me', 'name': 'Ida'}, 'invited', 'open', BOT, public=True)}")
    expect(ida.title).to_have_text(ida.say("wait.host"))
    faultless(ida, "the waiting room")

    table = ida.create({"kind": "me", "name": "Ida"}, BOT, {"kind": "bot", "bot": "random"}, seconds=300)
    ida.go(f"/t/{table}")
    ida.task()
    faultless(ida, "the opening")
    while ida.task() == "claim":
        ida.turn()
    faultless(ida, "placing")
    ida.point()
    faultless(ida, "a ghost")
    ida.page.locator(".opponent .mini").first.click()
    faultless(ida, "an opponent's kingdom")
    ida.press("Escape")
    ida.mine.locator(".score").click()
    faultless(ida, "the score by territory")
    ida.press("Escape")
    ida.button("table.more").click()
    faultless(ida, "the menu")
    ida.button("table.all_moves").first.click()
    faultless(ida, "all moves")
    ida.press("Escape")
    ida.page.locator(".peek" if device.touch else ".unseen summary").click()
    faultless(ida, "the unseen dominoes")
    ida.page.locator(".unseen summary").click()
    ida.point()
    ida.place.click()
    ida.task()
    ida.offered.first.click()
    faultless(ida, "claiming")

    other = ida.create({"kind": "me", "name": "Ida"}, BOT, {"kind": "bot", "bot": "random"})
    ida.program(other)
    ida.go(f"/t/{other}")
    expect(ida.again).to_be_visible()
    faultless(ida, "the end")
    ida.go(f"/t/{other}/replay")
    ida.press("End")
    faultless(ida, "the replay")


def test_axe_finds_no_violation_in_quick_words(sit: Sit) -> None:
    ida, oskar = sit(PHONE), sit()
    ida.page.add_init_script(path=AXE_FILE_PATH)
    table = ida.create({"kind": "me", "name": "Ida"}, "open", public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    ida.go(f"/t/{table}")
    expect(ida.mine).to_be_visible()
    ida.page.evaluate(WORDS_STAY)
    ida.button("table.more").click()
    ida.page.locator("#menu").get_by_role("button", name=ida.say("table.say")).click()
    faultless(ida, "the choice of words")
    ida.button("say.hello").click()
    oskar.ask(f"/api/tables/{table}/say", {"word": "thanks"})
    expect(ida.page.locator(".opponent .said")).to_be_visible()
    faultless(ida, "two words")
    expect(ida.page.locator(".said:visible")).to_have_count(2)


def test_a_kingdom_is_a_grid_of_named_squares(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", BOT)
    ida.program(table, lambda stands: stands["round"] == 3 and stands["turn"]["phase"] == "place")
    ida.go(f"/t/{table}")
    ida.task()
    squares = ida.kingdom.get_by_role("gridcell")
    names: list[str] = squares.evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert all(re.fullmatch(r".+, column \d, row \d", name) for name in names)
    assert sum(name.startswith("castle") for name in names) == 1
    lands = [name for name in names if re.match("(wheat|forest|lake|grassland|swamp|mine)", name)]
    assert len(lands) == 2 * len(ida.snapshot()["kingdoms"][0]["dominoes"])
    expect(ida.kingdom.locator("[tabindex='0']")).to_have_count(1)


def test_events_are_announced_to_screen_readers(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    for player in (ida, oskar):
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
    told = ida.page.locator("[aria-live=polite]")
    for _ in range(6):
        stands = ida.snapshot()
        player = (ida, oskar)[stands["turn"]["seat"]]
        player.turn(stands=stands)
        if player is oskar:  # meanwhile Ida's page may have claimed the last domino of the opening
            event = next(one for one in reversed(ida.snapshot()["recent"]) if one["seat"] == 1)
            expect(told).to_contain_text(re.compile(rf"Oskar .*{event['domino']}"))


def test_the_keyboard_reaches_every_control_of_the_table(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", BOT)
    ida.go(f"/t/{table}")
    while ida.task() == "claim":
        ida.turn(ida.press_through)
    for wanted in (
        ida.mine.locator(".score"),
        ida.button("table.more"),
        ida.page.locator(".opponent .mini"),
        ida.page.locator(".unseen summary"),
        ida.button("table.all_moves"),
    ):
        ida.focus(wanted)
    ida.press("Enter")
    panel = ida.page.locator(".details")
    expect(panel).to_be_visible()
    ida.press("Escape")
    expect(panel).to_be_hidden()
    expect(ida.button("table.all_moves")).to_be_focused()


def test_play_now_moves_the_focus_to_the_sentence(sit: Sit) -> None:
    ida = sit()
    ida.go()
    ida.button("home.play").click()
    ida.arrive()
    expect(ida.title).to_be_focused()
    ida.task()
    expect(ida.title).to_be_focused()


def test_the_end_is_announced_and_gets_the_focus(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", BOT)
    ida.program(table, lambda stands: bool(stands["round"] == stands["rules"]["rounds"]))
    ida.go(f"/t/{table}")
    ida.play(ida.press_through)
    expect(ida.title).to_be_focused()
    expect(ida.page.locator("#announcer")).to_contain_text(ida.say("table.over"))


@pytest.mark.parametrize("page", ["", "/replay"], ids=["table", "replay"])
def test_opening_a_small_kingdom_keeps_the_focus(sit: Sit, page: str) -> None:
    ida, mara = sit(), sit()
    table = ida.create("me", "me")
    mara.go(f"/t/{table}{page}")
    small = mara.page.locator(".opponent .mini")
    mara.focus(small)
    opened = small.get_attribute("aria-label") or ""
    mara.press("Enter")
    expect(small).not_to_have_accessible_name(opened)
    expect(small).to_be_focused()


def test_keys_scroll_unseen_dominoes(sit: Sit) -> None:
    ida = sit(PHONE, large_text=True)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    ida.go(f"/t/{ida.create('me', BOT)}")
    while ida.task() == "claim":
        ida.turn()
    ida.page.locator(".peek").click()
    expect(ida.page.locator(".unseen ol")).to_be_visible()
    faultless(ida, "the unseen dominoes, with large text")
