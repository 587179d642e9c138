"""Placing a domino: the score of each spot, the reason for each refusal, and taking it back."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from browser.player import COME_TO_REST, PHONE, TABLET, Device, Json, Player, Sit

PLAIN: Json = {"kind": "bot", "bot": "greedy"}


def to_place(stands: Json) -> bool:
    """Return whether it is our turn to place a domino that fits, in midgame, with a choice of claims."""
    turn = stands["turn"]
    mine = turn["seat"] == 0 and turn["phase"] == "place" and turn["fits"]
    free = sum(each["seat"] is None for each in stands["next_line"])
    return bool(mine and free > 1 and stands["round"] in (3, 4, 5))


def to_turn(stands: Json) -> bool:
    """Return whether the domino to place has different ends, so that a turn shows."""
    return to_place(stands) and bool(stands["turn"]["domino"] > 12)


@pytest.fixture
def ida(sit: Sit) -> Player:
    """Return a player who has to place a domino in the middle of a game."""
    return at_work(sit())


def at_work(player: Player, until: Callable[[Json], bool] = to_place) -> Player:
    """Create tables until one of them reaches such a moment, and go there."""
    while True:
        table = player.create("me", PLAIN)
        player.program(table, until)
        if player.snapshot(table)["turn"]:
            break
    player.go(f"/t/{table}")
    assert player.task() == "place"
    return player


def choices(player: Player) -> Json:
    told: Json = player.ask(f"/api/tables/{player.table}/choices?ply={player.snapshot()['turn']['ply']}")
    return told


def box(locator: Locator) -> FloatRect:
    found = locator.bounding_box()
    assert found
    return found


def middle(rect: FloatRect) -> tuple[float, float]:
    return rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2


def square(player: Player, x: int, y: int) -> Locator:
    return player.mine.locator(f"[data-x='{x}'][data-y='{y}'][role=gridcell]")


def joint(player: Player, placement: list[int]) -> tuple[float, float]:
    left, right = (middle(box(square(player, *placement[at : at + 2]))) for at in (0, 2))
    return (left[0] + right[0]) / 2, (left[1] + right[1]) / 2


def points(player: Player) -> int:
    return int(player.bubble.inner_text())


def test_every_legal_joint_has_a_ring_with_points(ida: Player) -> None:
    told = choices(ida)
    score = ida.mine.locator(".score")
    expect(score).to_have_accessible_name(ida.say("table.score_by_territory", n=told["score"]))
    best: dict[Any, int] = {}
    for each in told["placements"]:
        where = tuple(sorted(map(tuple, (each["left"], each["right"]))))
        best[where] = max(best.get(where, 0), each["points"])
    expect(ida.rings).to_have_count(len(best))
    for (left, right), most in best.items():
        ida.page.mouse.move(*joint(ida, [*left, *right]))
        total = told["score"] + most
        expect(ida.bubble).to_have_text(f"+{most}")
        expect(score).to_contain_text(f"→ {total}")
        expect(score).to_have_accessible_name(ida.say("table.score_preview", n=told["score"], total=total))
    for x, y in sorted({end for where in best for end in where}):  # the middle of a square shows a legal one
        ida.page.mouse.move(5, 5)
        ida.page.mouse.move(*middle(box(square(ida, x, y))))
        expect(ida.bubble).to_have_text(re.compile(r"^\+"))


def test_an_illegal_spot_says_why(ida: Player) -> None:
    legal = [(*each["left"], *each["right"]) for each in choices(ida)["placements"]]
    spots = {tuple(sorted((one[:2], one[2:]))) for one in legal}
    words = {"too_wide": "kingdom.too_wide", "too_tall": "kingdom.too_tall"}
    said = 0
    for refusal in choices(ida)["refused"]:
        if refusal["code"] == "taken":
            continue
        key = words.get(refusal["code"], "kingdom.no_match_two")
        if len(refusal["terrains"]) == 1:
            key = "kingdom.no_match"
        for placement in refusal["placements"]:
            ends = tuple(placement[:2]), tuple(placement[2:])
            if tuple(sorted(ends)) in spots or not all(square(ida, *end).count() for end in ends):
                continue  # it fits there when turned, or lies outside the picture
            ida.page.mouse.move(5, 5)
            ida.page.mouse.move(*joint(ida, placement))
            ida.page.mouse.down()
            ida.page.mouse.up()
            expect(ida.mine.get_by_role("status")).to_have_text(ida.pattern(key))
            expect(ida.bubble).to_have_text("✕")
            expect(ida.place).to_have_attribute("aria-disabled", "true")
            said += 1
            break
    assert said


def test_keys_wheel_and_buttons_rotate_the_domino(sit: Sit) -> None:
    ida = at_work(sit(), to_turn)
    ida.point_at_ring()
    ghost = ida.mine.locator(".ghost")

    def changes(turn: Callable[[], None]) -> None:
        before = ghost.inner_html()
        turn()
        expect(ghost).not_to_have_js_property("innerHTML", before)

    changes(lambda: ida.press("r"))
    changes(lambda: ida.page.mouse.wheel(0, 120))
    changes(lambda: ida.press("f"))
    for name in ("Flip", "Turn"):
        button = ida.mine.get_by_role("button", name=re.compile(f"^{name}"))
        button.hover()  # a misplaced ghost goes back when the mouse leaves it
        changes(button.click)


def test_a_placement_can_be_taken_back_until_the_claim(ida: Player) -> None:
    before = ida.snapshot()
    told = choices(ida)
    ida.point_at_ring()
    bringing = points(ida)
    ida.place.click()
    expect(ida.title).to_have_text(ida.say("table.claim_you"))
    expect(ida.mine.locator(".score")).to_contain_text(str(told["score"] + bringing))
    ida.take_back.click()
    expect(ida.title).to_have_text(ida.say("table.place_you", domino=told["domino"]))
    expect(ida.rings).not_to_have_count(0)
    assert ida.snapshot() == before
    ida.turn()
    assert ida.snapshot()["number"] > before["number"]


def test_a_held_key_places_but_claims_nothing(ida: Player) -> None:
    before = ida.snapshot()
    ida.press("k")
    expect(ida.kingdom.locator(":focus")).to_have_count(1)
    ida.walk_to_spot()
    ida.page.keyboard.down("Enter")
    expect(ida.offered.first).to_be_focused()
    ida.page.keyboard.down("Enter")  # a held key repeats
    ida.page.keyboard.up("Enter")
    expect(ida.take_back).to_be_visible()
    assert ida.snapshot() == before
    ida.press("Enter")
    expect(ida.take_back).to_be_hidden()


def test_enter_shows_the_ghost_on_the_focused_square(ida: Player) -> None:
    ida.press("k")
    ida.walk_to_spot()
    ida.press("Escape")
    expect(ida.place).to_be_disabled()
    ida.press("Enter")
    expect(ida.place).to_be_enabled()
    ida.press("Enter")
    expect(ida.take_back).to_be_visible()


def test_opening_a_kingdom_keeps_the_ghost(ida: Player) -> None:
    ida.point_at_ring()
    ghost = ida.mine.locator(".ghost").inner_html()
    ida.mine.locator(".score").click()
    expect(ida.page.locator(".details")).to_be_visible()
    ida.press("Escape")
    expect(ida.page.locator(".details")).to_be_hidden()
    expect(ida.mine.locator(".ghost")).to_have_js_property("innerHTML", ghost)


def test_a_mouse_drags_the_domino_from_the_line(ida: Player) -> None:
    told = choices(ida)
    best = max(told["placements"], key=lambda each: each["points"])
    face = ida.page.locator("section.this .now .face")
    ida.page.mouse.move(*middle(box(face)))
    ida.page.mouse.down()
    ida.page.mouse.move(600, 300)
    ida.page.mouse.move(*joint(ida, [*best["left"], *best["right"]]), steps=4)
    expect(ida.bubble).to_have_text(re.compile(r"^\+"))
    ida.page.mouse.up()
    expect(ida.title).to_have_text(ida.say("table.claim_you"))
    ida.click_claim()
    expect(ida.title).not_to_have_text(ida.say("table.claim_you"))
    assert told["domino"] in [each[0] for each in ida.snapshot()["kingdoms"][0]["dominoes"]]


def test_a_drag_snaps_to_the_ring_under_the_finger(sit: Sit) -> None:
    ida = at_work(sit(PHONE))
    ida.mine.evaluate(COME_TO_REST)
    rings = [middle(box(ring)) for ring in ida.rings.all()]
    unit = box(square(ida, 0, 0))["width"]

    def is_alone(x: float, y: float) -> bool:
        """Return whether no other ring is near the domino, 56 pixels above the finger."""
        return all(math.dist((x, y - 56), other) > 0.7 * unit for other in rings)

    x, y = next(ring for ring in rings if is_alone(*ring))
    finger = ida.page.context.new_cdp_session(ida.page)
    start = middle(box(ida.page.locator("section.this .now .face")))
    for kind, (left, top) in (("touchStart", start), ("touchMove", (x, y + 20)), ("touchMove", (x, y))):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": left, "y": top}]})
    expect(ida.bubble).to_have_text(re.compile(r"^\+"))
    ida.page.wait_for_function(
        """([handle, x, y]) => {
          const { left, top, width, height } = handle.getBoundingClientRect();
          return Math.hypot(left + width / 2 - x, top + height / 2 - y) < 2;
        }""",
        arg=[ida.mine.locator(".handle").element_handle(), x, y],
    )
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(ida.place).to_have_attribute("aria-disabled", "false")


def test_an_illegal_ghost_is_drawn_beyond_the_edge(ida: Player) -> None:
    ends = [
        (placement[at : at + 2], placement[2 - at : 4 - at])
        for refusal in choices(ida)["refused"]
        for placement in refusal["placements"]
        for at in (0, 2)
    ]
    (x, y), _ = next(
        (end, other)
        for end, other in ends
        if other == [end[0], end[1] + 1] and square(ida, *end).count() and not square(ida, *other).count()
    )
    where = box(square(ida, x, y))
    ida.page.mouse.click(where["x"] + where["width"] / 2, where["y"] + 1)
    expect(ida.bubble).to_have_text("✕")
    kingdom = ida.mine.locator("kd-kingdom")
    assert box(kingdom)["y"] - box(kingdom.locator(".ghost"))["y"] > where["height"] / 2
    expect(kingdom).to_have_css("overflow", "visible")


def test_a_finger_shows_and_the_button_places(sit: Sit) -> None:
    ida = at_work(sit(PHONE), to_turn)
    expect(ida.place).to_have_attribute("aria-disabled", "true")
    ida.tap_ring()
    expect(ida.place).not_to_have_attribute("aria-disabled", "true")
    expect(ida.title).to_have_text(ida.pattern("table.place_you"))  # a tap alone places nothing
    ghost = ida.page.locator(".mine .ghost")
    before = ghost.inner_html()
    ida.page.touchscreen.tap(*middle(box(ida.page.locator(".mine .handle"))))
    expect(ghost).not_to_have_js_property("innerHTML", before)
    ida.press("Escape")
    ida.tap_ring()
    ida.place.tap()
    expect(ida.title).to_have_text(ida.say("table.claim_you"))


def test_a_screen_reader_places_with_two_clicks(ida: Player) -> None:
    x, y = choices(ida)["placements"][0]["left"]
    click = "(square) => square.click()"  # a click without a position on the screen
    square(ida, x, y).evaluate(click)
    expect(ida.bubble).to_have_text(re.compile(r"^\+\d+$"))
    square(ida, x, y).evaluate(click)
    expect(ida.title).to_have_text(ida.say("table.claim_you"))


def test_an_illegal_ghost_does_not_hide_the_castle(ida: Player) -> None:
    over = next(
        placement
        for refusal in choices(ida)["refused"]
        for placement in refusal["placements"]
        if refusal["code"] == "taken" and [0, 0] in (placement[:2], placement[2:])
    )
    ida.page.mouse.click(*joint(ida, over))
    corner = ida.mine.locator(".scene > svg").first.locator("use[href='#castle']")
    place = {name: corner.get_attribute(name) for name in ("x", "y")}
    drawn = ida.mine.locator(f".ghost .art use[x='{place['x']}'][y='{place['y']}']")
    expect(drawn).to_have_count(0)


def test_a_double_click_on_a_domino_claims_nothing(ida: Player) -> None:
    before = ida.snapshot()["number"]
    ida.point_at_ring()
    ida.place.click()
    assert ida.task() == "claim"
    ida.offered.first.dblclick()
    expect(ida.offered.first).to_have_attribute("aria-pressed", "true")
    expect(ida.take_back).to_be_visible()
    assert ida.snapshot()["number"] == before


def test_a_single_free_domino_is_claimed_at_once(sit: Sit) -> None:
    def last(stands: Json) -> bool:
        turn = stands["turn"]
        free = sum(each["seat"] is None for each in stands["next_line"])
        return bool(turn["seat"] == 0 and turn["phase"] == "place" and turn["fits"] and free == 1)

    ida = at_work(sit(), last)
    (free,) = (each["domino"] for each in ida.snapshot()["next_line"] if each["seat"] is None)
    expect(ida.page.get_by_text(ida.say("table.then_get", domino=free))).to_be_visible()
    with ida.page.expect_response(re.compile(r"/actions$")) as told:
        ida.click_place()
    assert told.value.ok
    events = ida.ask(f"/api/tables/{ida.table}/events")["events"]
    assert free in [each["domino"] for each in events if each["kind"] == "claimed" and each["seat"] == 0]


def test_the_line_marks_a_discarded_domino(sit: Sit) -> None:
    ida = at_work_discarding(sit(), again=True)
    lost = ida.snapshot()["turn"]["domino"]
    slot = ida.page.locator(f"section.this li[data-domino='{lost}'] .gone")
    with ida.page.expect_response(re.compile(r"/actions$")):
        ida.discard.click()
        expect(slot).to_contain_text(ida.say("table.discarded"))
        if ida.task() == "claim":
            ida.click_claim()
    expect(ida.take_back).to_be_hidden()
    expect(slot).to_contain_text(ida.say("table.discarded"))


WATCH_THE_END = """() => {
  window.atTheEnd = [];
  new MutationObserver(() => {
    const text = (selector) => document.querySelector(selector)?.textContent;
    if (text(".play h1") === "OVER") atTheEnd.push(text(".opponents"));
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
"""Records the text about the opponents while the title says that the game is over."""


def test_placing_ends_with_the_game(sit: Sit) -> None:
    def last(stands: Json) -> bool:
        seats = [each["seat"] for each in stands["line"] if not each["done"]]
        return stands["turn"]["seat"] == 0 and not stands["next_line"] and seats.count(0) == 1 < len(seats)

    ida = sit()
    while True:
        table = ida.create("me", PLAIN)
        ida.program(table, last)
        if ida.snapshot(table)["turn"]:
            break
    over = ida.say("table.over")
    ida.page.add_init_script(f"({WATCH_THE_END.replace('OVER', over)})()")
    ida.go(f"/t/{table}")
    ida.by_hand(ida.task())
    assert ida.task() == "over"
    seen = ida.page.evaluate("atTheEnd")
    assert seen
    assert not [text for text in seen if ida.say("table.places_now", domino="") in text]


def test_enter_discards_a_domino_that_fits_nowhere(sit: Sit) -> None:
    ida = at_work_discarding(sit())
    expect(ida.discard).to_be_focused()
    with ida.page.expect_response(re.compile(r"/actions$|/choices")):
        ida.press("Enter")


def must_discard(stands: Json) -> bool:
    """Return whether our domino fits nowhere and the game goes on after it."""
    turn = stands["turn"]
    left = sum(not each["done"] for each in stands["line"])
    return bool(turn["seat"] == 0 and turn["fits"] is False and left > 1)


def at_work_discarding(player: Player, *, again: bool = False) -> Player:
    """Create tables until the player has to discard a domino at one of them, and go there.

    again: the player has another domino in the same line, so that the line stays on the table.
    """

    def waits(stands: Json) -> bool:
        own = [each for each in stands["line"] if each["seat"] == 0 and not each["done"]]
        return must_discard(stands) and len(own) > again

    while True:
        table = player.create("me", PLAIN)
        player.program(table, waits)
        if player.snapshot(table)["turn"]:
            break
    player.go(f"/t/{table}")
    assert player.task() == "discard"
    return player


@pytest.mark.parametrize("device", [PHONE, TABLET], ids=["phone", "tablet"])
def test_the_table_fits_the_screen(sit: Sit, device: Device) -> None:
    ida = at_work(sit(device))

    def fits() -> None:
        wide, tall = ida.page.evaluate(
            "(({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight])(document.documentElement)"
        )
        assert wide <= device.width
        assert tall <= device.height

    fits()
    ida.point()
    fits()
    ida.place.click()
    assert ida.task() == "claim"
    fits()
    ida.offered.first.click()
    fits()
