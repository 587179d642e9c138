"""Whole games, from the first click to the final score: with a mouse, with keys alone, with a finger."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.player import PHONE, Json, Player, Sit

NO_TIME = """() => new MutationObserver((_, observer) => {
  if (!document.querySelector("kd-end.counting")) return;
  observer.disconnect();
  const { setTimeout } = window;
  window.setTimeout = (work, ms) => (ms ? 0 : setTimeout(work));
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ["class"] })"""
"""Stops timers once the kingdoms are being counted, so that the count does not end by itself."""


def counted(player: Player) -> None:
    """Assert that the end shows the winner and the server's scores."""
    table = player.snapshot()
    assert table["state"] == "over"
    for seat in table["seats"]:
        expect(player.page.locator("kd-end")).to_contain_text(seat["name"] or player.say("common.guest"))
    for score in table["finished"]["scores"]:
        expect(player.page.locator("kd-end")).to_contain_text(str(score["total"]))
    expect(player.title).to_have_text(re.compile(r"[Ww]ins|[Ss]hare|[Yy]ou |A draw"))


def test_a_game_with_the_mouse(sit: Sit) -> None:
    ida = sit()
    ida.go()
    ida.button("home.play").click()
    ida.arrive()
    ida.play(ida.click_through)
    counted(ida)


def test_a_game_with_keys(sit: Sit) -> None:
    ida = sit()
    ida.go()
    ida.focus(ida.button("home.play"))
    ida.press("Enter")
    ida.arrive()
    ida.play(ida.press_through)
    counted(ida)


def test_a_game_with_animations(sit: Sit) -> None:
    def last_but_one(stands: Json) -> bool:
        return bool(stands["round"] == stands["rules"]["rounds"])

    ida = sit(moving=True)
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "bot", "bot": "greedy"})
    ida.go(f"/t/{table}")
    while ida.snapshot()["round"] < 2:
        ida.turn()
    ida.program(table, last_but_one)
    ida.go(f"/t/{table}")
    ida.page.evaluate(NO_TIME)
    ida.play(ida.by_hand)
    counting = ida.page.get_by_text(ida.say("end.skip"))
    expect(counting).to_be_visible()
    place = ida.page.locator(".ranks .place")
    by_seat = [ida.snapshot()["seats"][seat]["name"] for seat in (0, 1)]
    for each in place.all():
        expect(each).to_have_css("opacity", "0")
    expect(ida.page.locator(".ranks .name")).to_have_text(by_seat)
    ida.press("a")
    expect(counting).to_be_hidden()
    for each in place.all():
        expect(each).to_have_css("opacity", "1")
    expect(ida.page.locator(".ranks .name")).to_have_text(
        [by_seat[seat] for seat in ida.snapshot()["finished"]["ranking"]]
    )
    counted(ida)


def test_a_game_on_a_phone(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go()
    ida.button("home.play").tap()
    ida.arrive()
    ida.play(ida.tap_through)
    counted(ida)
