"""Puzzles: the day's, by theme, at one's level and from one's own games, by mouse, touch and keys."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import Locator, expect

import kingdomino as kd
from browser.player import DESK, LANDSCAPE, PHONE, TABLET, Device, Player, Sit
from browser.test_access import faultless
from browser.test_mistakes import judged, press, store
from browser.test_reach import with_safe_areas
from browser.test_review import FOUR, RECORD, quick
from browser.test_words import leftovers

PUZZLES = {
    "claim": (RECORD, 39, 3, "crowns,ending"),
    "place": (RECORD, 44, 4, "room"),
    "room": (RECORD, 42, 2, "room,ending"),
    "four": (FOUR, 82, 6, "harmony"),
}
"""Decisions of endings: record, ply, level, themes."""
OLD = kd.Record.from_game(RECORD.replay(), RECORD.players, tags={"date": "2026-01-02"})
DAY = "2026-12-01"
"""A day with `claim` as its puzzle."""
CLAIMED = 41
"""The solution of `claim`."""


def line_of(name: str) -> str:
    """Write a puzzle: a decision, and what would have been best."""
    record, ply, level, themes = PUZZLES[name]
    decision = judged(record).decisions[ply]
    position = [*record.positions()][ply]
    fields = (name, level, f"{decision.cost_points:.1f}", themes, decision.best, position.to_text())
    return "\t".join(map(str, fields))


def offer(player: Player, *names: str, end: str | None = None) -> None:
    """Let the site have only these puzzles."""
    end = f"end {len(names)}" if end is None else end
    file = "\n".join(["kingdomino puzzles 1", *map(line_of, names), end, ""])
    player.page.context.unroute("**/puzzles.txt")
    player.page.context.route("**/puzzles.txt", lambda route: route.fulfill(body=file))


def spot(player: Player, number: int) -> None:
    """Choose a spot with the mouse or a finger, and answer with it."""
    spots = player.page.locator("#kingdom .spots use")
    expect(spots.first).to_be_attached()
    box = spots.nth(number).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3
    if player.device.touch:
        player.page.touchscreen.tap(x, y)
        player.button("puzzle.answer").tap()
    else:
        player.page.mouse.click(x, y)
        player.page.mouse.click(x, y)


def series(player: Player, name: str) -> Locator:
    """Find the link to a series of puzzles."""
    return player.page.locator(f"#series [data-key={name}], #themes [data-key={name}]")


def solved(player: Player, tries: int) -> None:
    """Assert that the puzzle is solved."""
    expect(player.title).to_have_text(player.say("puzzle.right"))
    found = player.say("puzzle.found_first") if tries == 1 else player.say("puzzle.found", n=tries)
    expect(player.page.locator("#why")).to_contain_text(found)


def test_a_theme_with_the_mouse(sit: Sit) -> None:
    ida = sit(permissions=["clipboard-read", "clipboard-write"])
    offer(ida, *PUZZLES)
    page = ida.page
    page.clock.set_fixed_time(DAY)
    ida.go("/puzzles")
    expect(page.locator("#where")).to_contain_text(ida.say("puzzle.today"))
    expect(ida.title).to_have_text(ida.say("puzzle.which"))
    series(ida, "room").click()
    expect(ida.title).to_have_text(ida.say("puzzle.where", n=3))
    expect(page).to_have_url(re.compile("#room/place$"))
    spot(ida, 0)
    expect(ida.title).to_have_text(ida.say("review.cost_you", n=4))
    expect(page.locator("#caption")).not_to_be_empty()
    expect(page.locator("#parts .total")).to_have_text(ida.say("end.points", n=4))
    ida.button("mistakes.try_again").click()
    spot(ida, 1)
    solved(ida, 2)
    expect(page.locator("#why")).to_contain_text(ida.say("puzzle.others_cost", points="4 points"))
    expect(series(ida, "level")).to_contain_text(ida.say("puzzle.level_now", level=2))
    ida.button("puzzle.copy").click()
    expect(ida.button("wait.copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{ida.address}/puzzles#level/place"
    ida.button("mistakes.goes_on").click()
    step = page.locator("#walked")
    expect(step).to_contain_text("1 of 4")
    for _ in range(3):
        ida.button("mistakes.step_on").click()
    expect(step).to_contain_text("4 of 4")
    expect(page.locator("#caption")).to_have_text(re.compile(r"\d+ to \d+\.$"))
    page.locator("#next").click()
    expect(page).to_have_url(re.compile("#room/room$"))
    ida.button("review.show_me").click()
    expect(ida.title).to_have_text(ida.say("puzzle.solution"))
    expect(series(ida, "room").locator("small")).to_have_text("0")
    page.reload()
    expect(ida.title).to_have_text(ida.say("puzzle.where", n=45))
    expect(series(ida, "room").locator("small")).to_have_text("0")
    expect(series(ida, "level")).to_contain_text(ida.say("puzzle.level_now", level=1))


def test_a_press_while_the_lists_change(sit: Sit) -> None:
    ida = sit()
    offer(ida, *PUZZLES)
    ida.go("/puzzles#room/place")
    page = ida.page
    expect(ida.title).to_have_text(ida.say("puzzle.where", n=3))
    box = series(ida, "harmony").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.evaluate("location.hash = '#room/room'")
    expect(ida.title).to_have_text(ida.say("puzzle.where", n=45))
    page.mouse.up()
    expect(page).to_have_url(re.compile("#harmony/four$"))


def test_todays_puzzle_by_touch_is_stored(sit: Sit) -> None:
    ida = sit(PHONE)
    offer(ida, "place")
    ida.go("/puzzles")
    page = ida.page
    expect(page.locator("#week .empty")).to_have_count(7)
    spot(ida, 1)
    solved(ida, 1)
    for _ in range(2):
        expect(series(ida, "day")).to_contain_text(ida.say("puzzle.solved"))
        expect(page.locator("#week .empty")).to_have_count(6)
        expect(series(ida, "level")).to_contain_text(ida.say("puzzle.level_now", level=3))
        page.reload()
    expect(page.locator("#why")).to_have_text(ida.say("puzzle.solved_before"))
    page.locator("#week a").first.tap()
    expect(page).to_have_url(re.compile(r"#\d{4}-\d\d-\d\d$"))
    expect(page.locator("#week a").first).to_have_attribute("aria-current", "true")


def test_puzzles_at_your_level_get_harder(sit: Sit) -> None:
    ida = sit()
    offer(ida, *PUZZLES)
    ida.go("/puzzles#level")
    page = ida.page
    expect(page).to_have_url(re.compile("#level/claim$"))
    ida.focus(page.locator("#claims button").filter(has=page.locator("svg")).last)
    ida.press("Enter")
    expect(ida.title).to_have_text(ida.pattern("review.cost_you"))
    expect(ida.button("mistakes.try_again")).to_be_focused()
    ida.press("Enter")
    ida.focus(
        page.locator("#claims li", has=page.get_by_text(str(CLAIMED), exact=True)).get_by_role("button")
    )
    ida.press("Enter")
    solved(ida, 2)
    ida.press("n")
    expect(page).to_have_url(re.compile("#level/room$"))
    ida.press("n")
    expect(page).to_have_url(re.compile("#level/place$"))
    squares = ida.kingdom.get_by_role("gridcell")
    ida.focus(squares.and_(page.locator("[tabindex='0']")))
    names: list[str] = squares.evaluate_all("all => all.map((each) => each.ariaLabel)")
    can_hold = ida.say("kingdom.can_hold").partition("{")[0]
    ida.walk_to([name for name in names if can_hold in name][-1])
    ida.press("Enter")
    solved(ida, 1)
    expect(series(ida, "level")).to_contain_text(ida.say("puzzle.level_now", level=3))
    expect(page.locator("#next")).to_have_class(re.compile("primary"))


def test_your_mistake_becomes_a_puzzle_after_a_week(sit: Sit) -> None:
    ida = sit()
    offer(ida, "place")
    own = [one for one in judged().decisions if one.seat == 0 and one.cost_points >= 4]
    ida.go("/puzzles#own")
    expect(ida.title).to_have_text(ida.say("puzzle.own_none"))
    store(ida, judged())  # of today
    game = store(ida, judged(), OLD)
    ida.go("/puzzles")
    expect(series(ida, "own")).to_contain_text(ida.say("puzzle.left", n=len(own)))
    series(ida, "own").click()
    page = ida.page
    expect(page).to_have_url(re.compile(rf"#own/{game}\.1\.\d+$"))
    expect(ida.title).to_have_text(ida.pattern("review.find_you"))
    expect(page.locator("#why")).to_contain_text("Sorrel")
    ida.button("review.show_me").click()
    expect(page.locator("#why")).to_have_text(ida.pattern("mistakes.in_game_you"))
    expect(series(ida, "own")).to_contain_text(ida.say("puzzle.left", n=len(own) - 1))


def test_errors_get_a_sentence_with_a_link(sit: Sit) -> None:
    ida = sit()
    page = ida.page
    ida.trouble.forgive("404|Failed to load")
    offer(ida, "place", end="")
    ida.go("/puzzles")
    expect(ida.title).to_have_text(ida.say("puzzle.damaged"))
    offer(ida, "place")
    ida.button("offline.again").click()
    expect(ida.title).to_have_text(ida.say("puzzle.where", n=3))
    for address, key in (
        ("2999-01-01", "future"),
        ("2026-02-31", "none"),
        ("level/x", "none"),
        ("%", "none"),
    ):
        page.goto(f"{ida.address}/puzzles#{address}")
        expect(ida.title).to_have_text(ida.say(f"puzzle.{key}"))
        ida.link("puzzle.to_today").click()
        expect(ida.title).to_have_text(ida.say("puzzle.where", n=3))
    for kept in ("7", '{"version": 2}', '{"version": 1, "level": 3, "tries": {}, "days": {"x": 99}}', "{"):
        page.evaluate("(kept) => { localStorage['kingdomino.puzzles'] = kept; }", kept)
        page.reload()
        expect(series(ida, "level")).to_contain_text(ida.say("puzzle.level_now", level=3))
    page.context.route("**/puzzles.txt", lambda route: route.fulfill(status=404))
    page.reload()
    expect(ida.title).to_have_text(ida.say("puzzle.not_loaded"))
    page.context.unroute("**/puzzles.txt")
    page.context.route("**/kingdomino.wasm", lambda route: route.fulfill(status=404))
    page.reload()
    expect(ida.title).to_have_text(ida.say("engine.unbuilt"))
    expect(ida.link("common.home").first).to_be_visible()


@pytest.mark.parametrize(
    ("device", "language"),
    [(DESK, "en"), (TABLET, "fr"), (PHONE, "es"), (LANDSCAPE, "fr")],
    ids=["desk", "tablet", "phone", "landscape"],
)
def test_the_page_fits_and_every_text_is_translated(sit: Sit, device: Device, language: str) -> None:
    ida = sit(device, language=language)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    quick(ida)
    offer(ida, *PUZZLES)
    store(ida, judged(), OLD)
    page = ida.page

    def look(where: str) -> None:
        faultless(ida, where)
        leftovers(ida, language)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
        if uncovered:
            uncovered(where)

    uncovered = with_safe_areas(ida) if device in (PHONE, LANDSCAPE) else None
    for name in ("four", "claim"):
        ida.go(f"/puzzles#level/{name}")
        page.reload()
        expect(page.locator("#kingdom .spots use, #claims button").first).to_be_attached()
        expect(series(ida, "own")).to_be_visible()
        look(name)
        if name == "claim":
            press(ida, page.locator("#claims button").last)
            expect(page.locator("#parts")).to_be_visible()
            look("a wrong try")
        press(ida, ida.button("review.show_me"))
        expect(ida.title).to_have_text(ida.say("puzzle.solution"))
        look(f"{name}, the solution")
    press(ida, ida.button("mistakes.goes_on"))
    expect(page.locator("#walk")).to_be_visible()
    look("how it goes on")
    page.goto(f"{ida.address}/puzzles#2999-01-01")
    expect(page.locator("#ways a").first).to_be_visible()
    look("no puzzle")
