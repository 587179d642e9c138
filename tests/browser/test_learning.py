"""The lesson, from its first domino to the first game."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from browser.player import PHONE, Player, Sit


def learn(player: Player, press: str) -> None:
    """Go through all seven steps with clicks or taps, like a person who makes mistakes."""

    def do(button: Locator) -> None:
        getattr(button, press)()

    page = player.page
    rings, bubble = page.locator("kd-kingdom .spots use"), page.locator("kd-kingdom .bubble")

    def place(wanted: str | None = None) -> None:
        """Put the domino on the first ring, or on a ring with the wanted points."""
        for at in range(rings.count()):
            ring = rings.nth(at)
            if press == "tap":
                ring.tap(force=True)
            else:
                ring.hover(force=True)
            if wanted is None or bubble.inner_text() == wanted:
                break
            player.press("Escape")
            expect(bubble).to_be_hidden()
        do(player.button("learn.place"))

    def done(step: str) -> None:
        expect(page.get_by_text(player.say(f"learn.{step}_done"))).to_be_visible()
        do(player.button("learn.next"))

    player.go("/learn")
    expect(player.title).to_have_text(player.say("learn.place_what"))
    place()
    done("place")
    expect(player.title).to_have_text(player.say("learn.match_what"))
    place()
    done("match")
    expect(player.title).to_have_text(player.say("learn.crowns_what"))
    place("+7")
    expect(page.get_by_text(player.say("learn.crowns_again", points=7, best=13))).to_be_visible()
    place("+13")
    done("crowns")
    expect(player.title).to_have_text(player.say("learn.claim_what"))
    line = page.get_by_role("list", name=player.say("learn.line")).get_by_role("button")
    for domino in ("36", "11", "21"):
        do(line.filter(has_text=domino))
    done("claim")
    expect(player.title).to_have_text(player.say("learn.box_what"))
    place()
    done("box")
    expect(player.title).to_have_text(player.say("learn.discard_what"))
    do(player.button("learn.discard"))
    done("discard")
    expect(player.title).to_have_text(player.say("learn.count_what"))
    do(page.get_by_role("button", name="16", exact=True))
    expect(page.get_by_text(player.say("learn.count_again"))).to_be_visible()
    do(page.get_by_role("button", name="48", exact=True))
    expect(page.get_by_text(player.say("learn.count_done", total=58))).to_be_visible()
    expect(page.get_by_text(player.say("learn.left"))).to_be_visible()
    expect(player.link("learn.rules")).to_have_attribute("href", "/rules")
    do(player.button("learn.play"))
    player.arrive()
    player.task()


def test_the_lesson_with_a_mouse(sit: Sit) -> None:
    learn(sit(), "click")


def test_the_lesson_with_a_finger(sit: Sit) -> None:
    learn(sit(PHONE), "tap")


def test_the_lesson_with_keys(sit: Sit) -> None:
    ida = sit()
    ida.go("/learn")
    for step in ("place", "match"):
        expect(ida.title).to_have_text(ida.say(f"learn.{step}_what"))
        squares = ida.kingdom.get_by_role("gridcell")
        ida.focus(ida.kingdom.locator("[tabindex='0']"))
        names: list[str] = squares.evaluate_all("all => all.map((each) => each.ariaLabel)")
        can_hold = ida.say("kingdom.can_hold").split("{")[0]
        ida.walk_to(next(name for name in names if can_hold in name))
        ida.press("Enter")
        expect(ida.page.get_by_text(ida.say(f"learn.{step}_done"))).to_be_visible()
        expect(ida.button("learn.next")).to_be_focused()
        ida.press("Enter")
