"""Scoring a real game in the browser: painting kingdoms, placing dominoes, who wins and by what, what cannot be.

The engine in the page counts; `kingdomino` counts the same.
"""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import Locator, expect

import kingdomino as kd
from browser.player import DESK, LANDSCAPE, LANGUAGES, PHONE, TABLET, Device, Json, Player, Sit
from browser.test_access import faultless
from browser.test_reach import EXTENT, TARGETS
from browser.test_words import leftovers

KEPT = "localStorage['kingdomino.score']"
CLIPBOARD = ("clipboard-read", "clipboard-write")
TAPS = 60
"""The most taps for a kingdom of 5×5: a minute, at a second each."""

SCORE = """async (kingdoms) => {
  const { src } = document.querySelector("script[type=module]");
  const { engine } = await import(src.replace("pages/score", "engine/study"));
  const { kingdoms: scored } = await engine.ask("score_kingdoms", {
    size: 5, edition: "second", harmony: true, middle_kingdom: true, kingdoms,
  });
  return scored.map(({ score, text }) => [score.total, score.harmony, score.middle_kingdom, text]);
}"""


@cache
def kingdoms(seed: int = 3, bot: str = "greedy") -> tuple[kd.Kingdom, ...]:
    """Play a game of four bots, and return their kingdoms."""
    game, player = kd.Game(kd.Rules(players=4), seed=seed), kd.bots.make(bot, seed=seed)
    while not game.is_over:
        game.play(player.choose(game.position))
    return game.position.kingdoms


def land(kingdom: kd.Kingdom) -> list[Json]:
    """List the squares of a kingdom without its castle."""
    return [
        {"x": x, "y": y, "terrain": square.terrain.value, "crowns": square.crowns}
        for (x, y), square in kingdom.squares.items()
        if (x, y) != (0, 0)
    ]


def sheet(
    *lands: list[Json], names: tuple[str, ...] = ("Ida", "Oskar", "Ann", "Mara"), **rules: object
) -> Json:
    """Write a sheet as the page keeps it, with these finished kingdoms in its game."""
    empty = {"squares": [], "dominoes": [], "isDone": False}
    games = [[{"squares": one, "dominoes": [], "isDone": True} for one in lands]]
    if rules.get("dynasty"):
        games += [[empty for _ in lands] for _ in range(2)]
    plain = {"version": 1, "size": 5, "edition": "second", "harmony": False, "middle_kingdom": False}
    shown = {"dynasty": None, "how": "squares", "game": 0, "seat": 0}
    return {"sheet": {**plain, **shown, **rules, "names": names[: len(lands)], "games": games}, "past": []}


def open_sheet(player: Player, kept: object) -> None:
    """Open the page with a sheet that the device has kept."""
    player.go("/rules")
    player.page.evaluate(f"(kept) => {{ {KEPT} = JSON.stringify(kept); }}", kept)
    player.go("/score")


def square(player: Player, x: int, y: int) -> Locator:
    """Find a square by its place from the castle."""
    return player.page.locator(f'.mine [role=gridcell][data-x="{x}"][data-y="{y}"]')


def terrain(player: Player, name: str) -> Locator:
    """Find a terrain of the palette."""
    return player.page.get_by_role("radio", name=player.say(f"kingdom.{name}"), exact=True)


def total(player: Player) -> Locator:
    """Find the points of the kingdom that is large."""
    return player.page.locator(".counted .sum b")


def tab(player: Player, seat: int) -> Locator:
    """Find a player's tab."""
    return player.page.get_by_role("tab").nth(seat)


def result(player: Player) -> Locator:
    """Find the sentence about who leads or has won."""
    return player.page.locator(".result")


def paint_by_taps(player: Player, kingdom: kd.Kingdom) -> int:
    """Paint a kingdom terrain by terrain, from the castle outwards; return the number of taps."""
    taps, left = 0, sorted(land(kingdom), key=lambda one: abs(one["x"]) + abs(one["y"]))
    for name in dict.fromkeys(one["terrain"] for one in left):
        terrain(player, name).tap(force=True)
        taps += 1
        for one in (one for one in left if one["terrain"] == name):
            for _ in range(1 + one["crowns"]):
                square(player, one["x"], one["y"]).tap(force=True)
                taps += 1
    return taps


def test_sixty_taps_paint_a_kingdom(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go("/score")
    kingdom = max(kingdoms(), key=lambda one: len(one.squares))
    taps = paint_by_taps(ida, kingdom)
    expect(total(ida)).to_have_text(str(kingdom.score().territories))
    assert taps <= TAPS
    expect(ida.page.locator(".palette")).to_be_in_viewport(ratio=1)
    expect(ida.kingdom).to_be_in_viewport(ratio=1)
    for territory in kingdom.territories():
        if territory.score and len(territory.squares) > 1:
            label = f"{len(territory.squares)} × {territory.crowns} = {territory.score}"
            expect(ida.page.locator(".mine .count").filter(has_text=label).first).to_be_attached()


def test_a_drag_paints_and_is_undone_as_one_step(sit: Sit) -> None:
    ida = sit()
    ida.go("/score")
    undo = ida.button("score.undo")
    expect(undo).to_be_disabled()
    terrain(ida, "lake").check(force=True)
    square(ida, -2, 2).hover(force=True)
    ida.page.mouse.down()
    square(ida, 2, 2).hover(force=True)
    ida.page.mouse.move(0, 0)
    ida.page.mouse.up()
    lake = re.compile(ida.say("kingdom.lake"))
    expect(square(ida, -2, 2)).to_have_attribute("aria-label", lake)
    square(ida, -2, 2).click(force=True)
    expect(square(ida, -2, 2)).to_have_attribute("aria-label", re.compile("lake, 1 crown"))
    undo.click()
    undo.click()
    expect(undo).to_be_disabled()
    expect(square(ida, -2, 2)).to_have_attribute("aria-label", re.compile(ida.say("kingdom.empty")))


def test_the_castle_is_dragged_to_its_place(sit: Sit) -> None:
    ida = sit()
    ida.go("/score")
    square(ida, 1, 0).click(force=True)
    square(ida, 0, 0).drag_to(square(ida, -1, 1), force=True)
    wheat = re.compile(ida.say("kingdom.wheat"))
    expect(square(ida, 2, -1)).to_have_attribute("aria-label", wheat)
    ida.button("score.undo").click()
    expect(square(ida, 1, 0)).to_have_attribute("aria-label", wheat)


def test_keys_paint_and_count_a_kingdom(sit: Sit) -> None:
    ida = sit()
    ida.go("/score")
    ida.focus(terrain(ida, "wheat"))
    ida.press("ArrowRight", "ArrowRight")
    expect(terrain(ida, "lake")).to_be_checked()
    ida.focus(square(ida, 0, 0))
    expect(ida.kingdom.locator(":focus")).to_have_attribute(
        "aria-label", re.compile(ida.say("kingdom.castle"))
    )
    ida.press("ArrowRight", "Enter", "Enter", "ArrowUp", "Space")
    expect(total(ida)).to_have_text("2")
    expect(ida.page.locator("#announcer span").last).to_contain_text(ida.say("kingdom.lake"))
    ida.press("ArrowLeft", "ArrowDown", "Enter")
    expect(ida.page.locator(".caption")).to_have_text(ida.say("kingdom.put_castle"))
    ida.press("Escape", "Enter", "ArrowLeft", "Enter")
    expect(square(ida, 2, 0)).to_have_attribute("aria-label", re.compile(ida.say("kingdom.lake")))
    ida.focus(tab(ida, 0))
    ida.press("Tab", "Enter")
    expect(tab(ida, 1)).to_be_focused()
    ida.press("ArrowLeft")
    expect(tab(ida, 0)).to_have_attribute("aria-selected", "true")
    expect(total(ida)).to_have_text("2")


def test_a_thumb_places_and_takes_back_dominoes(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go("/score")
    ida.page.get_by_role("radio", name=ida.say("score.dominoes")).tap(force=True)
    dominoes = ida.page.locator(".picker button")
    dominoes.nth(47).tap()
    ida.page.locator(".mine .spots use").first.tap(force=True)
    expect(ida.page.locator(".mine .bubble")).to_have_text("+3")
    ida.button("score.put_here").tap()
    expect(total(ida)).to_have_text("3")
    expect(ida.page.locator(".picker .used")).to_have_count(1)
    ida.button("score.add").tap()
    name = ida.say("analysis.seat_0")
    dominoes.nth(47).tap()
    caption = ida.page.locator(".caption")
    expect(caption).to_contain_text(ida.say("score.lies_in", number=48, name=name))
    ida.button("score.take_out").tap()
    expect(ida.page.locator(".picker .used")).to_have_count(0)
    expect(tab(ida, 0)).to_have_attribute("aria-selected", "true")
    ida.button("score.undo").tap()
    expect(ida.page.locator(".picker .used")).to_have_count(1)
    ida.page.get_by_role("radio", name=ida.say("score.squares")).tap(force=True)
    expect(ida.page.locator(".palette")).to_be_visible()
    expect(tab(ida, 0)).to_contain_text("3")


@pytest.mark.parametrize("size", [5, 7])
def test_a_domino_fits_where_the_rules_allow_it(sit: Sit, size: int) -> None:
    ida = sit()
    kingdom = kd.Kingdom.parse("w1w./.Cf/..f", size)
    kept = sheet(land(kingdom), size=size, how="dominoes")
    open_sheet(ida, kept)
    for number in (1, 25, 48):
        ida.page.locator(".picker button").nth(number - 1).click()
        joints = {frozenset((one.left, one.right)) for one in kingdom.placements(kd.DOMINOES[number - 1])}
        expect(ida.page.locator(".mine .spots use")).to_have_count(len(joints))


def test_keys_place_a_domino(sit: Sit) -> None:
    ida = sit()
    ida.go("/score")
    ida.page.get_by_role("radio", name=ida.say("score.dominoes")).check(force=True)
    ida.press("l")
    expect(ida.page.locator(".picker button").first).to_be_focused()
    ida.page.locator(".picker button").nth(47).focus()
    ida.press("Enter")
    expect(ida.kingdom.locator(":focus")).to_have_count(1)
    ida.press("ArrowRight", "Enter")
    expect(total(ida)).to_have_text("3")
    expect(ida.page.locator(".picker button").nth(47)).to_be_focused()


def test_the_sentence_names_the_leader_and_the_winner(sit: Sit) -> None:
    ida = sit()
    lands = [land(kingdom) for kingdom in kingdoms()[:3]]
    kept = sheet(*lands)
    kept["sheet"]["games"][0][0]["isDone"] = False
    kept["sheet"]["games"][0][0]["squares"] = lands[0][:6]
    open_sheet(ida, kept)
    names, scores = ["Ida", "Oskar", "Ann"], [kingdom.score().territories for kingdom in kingdoms()[:3]]
    expect(result(ida)).to_have_text(ida.pattern("score.leads"))
    kept["sheet"]["games"][0][0]["squares"] = lands[0]
    open_sheet(ida, kept)
    if len(lands[0]) < 24:
        ida.button("score.go_on").or_(ida.page.locator("#done")).first.click()
    order = sorted(range(3), key=lambda seat: -scores[seat])
    assert len(set(scores)) == 3
    first, second, third = ((names[seat], scores[seat]) for seat in order)
    expect(result(ida)).to_have_text(
        f"{first[0]} wins with {first[1]}, then {second[0]} with {second[1]} and {third[0]} with {third[1]}."
    )


def test_each_edition_has_its_tie_break(sit: Sit) -> None:
    ida = sit()
    one, other = (land(kd.Kingdom.parse(text, 5)) for text in ("wl1/Cl/w.", "s..m2/sCww"))
    open_sheet(ida, sheet(one, other, edition="second"))
    expect(result(ida)).to_contain_text("Ida and Oskar share the victory with 2.")
    ida.page.locator(".more summary").click()
    ida.page.get_by_role("radio", name=ida.say("common.edition_first"), exact=True).check(force=True)
    expect(result(ida)).to_contain_text("Oskar wins with 2, then Ida with 2.")
    expect(result(ida)).to_contain_text("Crowns decide: Oskar 2 crowns and Ida 1 crown.")


@pytest.mark.parametrize("dynasty", ["total", "best"])
def test_three_games_of_a_dynasty_are_added_up(sit: Sit, dynasty: str) -> None:
    ida = sit()
    games = [kingdoms(seed)[:2] for seed in (1, 2, 4)]
    kept = sheet(*map(land, games[0]), dynasty=dynasty)
    for at, (one, other) in enumerate(games):
        kept["sheet"]["games"][at] = [
            {"squares": land(each), "dominoes": [], "isDone": True} for each in (one, other)
        ]
    open_sheet(ida, kept)
    points = [[kingdom.score().territories for kingdom in game] for game in games]
    count = sum if dynasty == "total" else max
    sums = [count(game[seat] for game in points) for seat in range(2)]
    winner = ["Ida", "Oskar"][sums.index(max(sums))]
    assert sums[0] != sums[1]
    told = ida.say(f"end.match_{dynasty}_other", who=winner, points=f"{max(sums)} points")
    expect(result(ida)).to_contain_text(told)
    ida.page.locator(".more summary").click()
    ida.page.get_by_role("radio", name=ida.say("end.game_n", game=3), exact=True).check(force=True)
    expect(total(ida)).to_have_text(str(points[2][0]))


def test_impossible_kingdoms_get_a_doubt(sit: Sit) -> None:
    ida = sit(PHONE)
    three = [
        {"x": 1, "y": 0, "terrain": "mine", "crowns": 3},
        {"x": 2, "y": 0, "terrain": "mine", "crowns": 3},
    ]
    kept = sheet(three)
    kept["sheet"]["games"][0][0]["isDone"] = False
    open_sheet(ida, kept)
    caption = ida.page.locator(".caption")
    expect(caption).to_have_text(ida.say("score.doubt_end_count", n=3, found=2, terrain="mine", expected=1))
    expect(ida.page.locator(".mine .fault")).to_have_count(2)
    expect(total(ida)).to_have_text("12")
    terrain(ida, "empty").tap(force=True)
    square(ida, 2, 0).tap(force=True)
    expect(caption).to_have_text(ida.say("analysis.tap_empty"))
    expect(ida.page.locator(".mine .fault")).to_have_count(0)
    ida.page.locator("#done").tap()
    expect(caption).to_have_text(ida.say("score.doubt_square_count", found=1))


def test_the_page_finds_the_librarys_best_kingdom(sit: Sit) -> None:
    ida = sit(PHONE)
    rules = kd.Rules(harmony=True, middle_kingdom=True)
    done, other = kingdoms(seed=1, bot="random")[:2]
    open_sheet(ida, sheet(land(done), land(other), harmony=True, middle_kingdom=True))
    what_if, possible = ida.page.locator("#what-if"), ida.page.locator(".possible")
    expect(possible).to_be_hidden()
    what_if.tap()
    best = kd.analysis.best_arrangement(done, rules, steps=20_000, seed=1).score.total
    more = best - done.score(rules).total
    expect(possible.locator("p")).to_have_text(ida.say("score.possible_more", best=best, n=more))
    expect(possible.locator("kd-kingdom .marks")).to_be_visible()
    expect(what_if).to_be_hidden()
    ida.page.get_by_role("tab", name="Oskar").tap()
    expect(possible).to_be_hidden()
    expect(what_if).to_be_visible()


def test_the_page_counts_kingdoms_like_the_library(sit: Sit) -> None:
    ida = sit()
    ida.go("/score")
    rules = kd.Rules(players=4, harmony=True, middle_kingdom=True)
    for seed in range(5):
        lands = kingdoms(seed, "random" if seed % 2 else "greedy")
        squares = [[*land(one), {"x": 0, "y": 0, "terrain": "castle", "crowns": 0}] for one in lands]
        found = ida.page.evaluate(SCORE, [{"squares": each} for each in squares])
        expected = [one.score(rules) for one in lands]
        assert found == [
            [each.total, each.harmony, each.middle_kingdom, one.to_text()]
            for each, one in zip(expected, lands, strict=True)
        ]


@pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)
def test_axe_finds_no_violation_and_every_target_is_large_enough(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    open_sheet(ida, sheet(*(land(one) for one in kingdoms()[:3]), harmony=True, middle_kingdom=True))
    expect(result(ida)).not_to_be_empty()
    assert ida.page.evaluate(TARGETS) == []
    assert ida.page.evaluate(EXTENT)[0] == device.width
    ida.page.locator(".more summary").click()
    faultless(ida, "squares")
    ida.page.get_by_role("radio", name=ida.say("score.dominoes")).check(force=True)
    ida.page.locator(".picker button").first.click()
    expect(ida.page.locator(".hand .place")).to_be_visible()
    assert ida.page.evaluate(TARGETS) == []
    faultless(ida, "dominoes")
    assert ida.page.evaluate("document.documentElement.scrollWidth") <= device.width


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language_of_the_browser(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    kept = sheet(*(land(one) for one in kingdoms()[:2]), harmony=True, middle_kingdom=True, dynasty="total")
    open_sheet(ida, kept)
    expect(result(ida)).not_to_be_empty()
    ida.page.locator(".more summary").click()
    ida.page.get_by_label(ida.say("score.text"), exact=True).fill("desert, w9")
    ida.button("score.read").click()
    faults = ida.page.locator("#text-faults li")
    expect(faults).to_have_text(
        [ida.say("score.text_square", row=1, column=1), ida.say("score.text_crowns", row=1, column=2)]
    )
    leftovers(ida, language)
    ida.page.get_by_role("radio", name=ida.say("score.dominoes")).check(force=True)
    ida.page.locator(".picker button").first.click()
    leftovers(ida, language)


def test_a_pasted_kingdom_lists_all_faults(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go("/score")
    ida.page.locator(".more summary").tap()
    field = ida.page.get_by_label(ida.say("score.text"), exact=True)
    field.fill("desert wheat w4\nlake ? C\nCw9")
    ida.button("score.read").tap()
    faults = ida.page.locator("#text-faults li")
    expect(faults).to_have_text(
        [
            ida.say("score.text_square", row=1, column=1),
            ida.say("score.text_crowns", row=1, column=3),
            ida.say("score.text_square", row=2, column=2),
            ida.say("score.text_crowns", row=3, column=2),
        ]
    )
    expect(field).to_have_value("desert wheat w4\nlake ? C\nCw9")
    field.fill("CwC")
    ida.button("score.read").tap()
    expect(faults).to_have_text([ida.say("score.text_castles", n=2)])
    field.fill("C.......w")
    ida.button("score.read").tap()
    expect(faults).to_have_text([ida.say("score.text_large", n=5)])
    field.fill("x " * 300)
    ida.button("score.read").tap()
    expect(faults).to_have_count(20)
    field.fill("W1wf/.Cl2\n")
    ida.button("score.read").tap()
    expect(faults).to_have_count(0)
    expect(total(ida)).to_have_text("4")


def test_the_sheet_survives_reload_rotation_and_a_closed_tab(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go("/score")
    square(ida, 1, 0).tap(force=True)
    square(ida, 1, 0).tap(force=True)
    expect(total(ida)).to_have_text("1")
    ida.page.set_viewport_size(LANDSCAPE.size)
    expect(total(ida)).to_have_text("1")
    expect(ida.kingdom).to_be_in_viewport(ratio=0.9)
    ida.page.reload()
    expect(total(ida)).to_have_text("1")
    ida.button("score.undo").tap()
    expect(total(ida)).to_have_text("0")
    page = ida.page.context.new_page()
    ida.page.close()
    page.goto(f"{ida.address}/score")
    wheat = page.get_by_role("gridcell", name=ida.say("kingdom.wheat"))
    expect(wheat).to_have_count(1)


@pytest.mark.parametrize("kept", [{"sheet": {"version": 2}, "past": []}, {"sheet": "x"}, 7])
def test_a_sheet_of_another_version_is_reported_and_kept(sit: Sit, kept: object) -> None:
    ida = sit()
    open_sheet(ida, kept)
    expect(ida.page.locator("#refused")).to_have_text(ida.say("score.other_version"))
    square(ida, 1, 0).click(force=True)
    expect(ida.page.locator("#refused")).to_be_hidden()
    assert json.loads(ida.page.evaluate("localStorage['kingdomino.score-other']")) == kept
    ida.page.reload()
    expect(ida.page.get_by_role("gridcell", name=ida.say("kingdom.wheat"))).to_have_count(1)
    expect(ida.page.locator("#refused")).to_be_hidden()


def test_the_sheet_is_shared_and_opened_on_the_board(sit: Sit) -> None:
    ida = sit(permissions=CLIPBOARD)
    lands = kingdoms()[:2]
    open_sheet(ida, sheet(*map(land, lands)))
    expect(result(ida)).not_to_be_empty()
    ida.page.locator(".more summary").click()
    with ida.page.expect_download() as download:
        ida.button("end.share").click()
    assert download.value.suggested_filename == "kingdomino-score.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    ida.button("score.copy").click()
    expect(ida.button("wait.copied")).to_be_visible()
    expect(ida.page.locator("#announcer")).to_contain_text(ida.say("wait.copied"))
    text: str = ida.page.evaluate("navigator.clipboard.readText()")
    for kingdom in lands:
        assert kingdom.to_text() in text
    ida.button("score.analyse").click()
    ida.page.wait_for_url(re.compile("/analysis"))
    expect(ida.title).to_have_text(ida.say("analysis.set_up_head"))
    expect(ida.page.get_by_role("gridcell", name=ida.say("kingdom.empty"))).to_have_count(
        ida.page.locator(".mine .empty").count()
    )


def test_players_change_and_the_sheet_restarts(sit: Sit) -> None:
    ida = sit()
    open_sheet(ida, sheet(*(land(one) for one in kingdoms()[:3])))
    ida.page.locator(".more summary").click()
    field = ida.page.get_by_label(ida.say("score.name", n=2), exact=True)
    field.fill("Zoé")
    field.press("Enter")
    expect(tab(ida, 1)).to_contain_text("Zoé")
    ida.page.get_by_role("button", name=ida.say("score.remove", name="Ida"), exact=True).click()
    expect(ida.page.get_by_role("tab")).to_have_count(2)
    ida.button("score.again").click()
    expect(total(ida)).to_have_text("0")
    expect(tab(ida, 0)).to_contain_text("Zoé")
    ida.button("score.undo").click()
    expect(total(ida)).not_to_have_text("0")


def test_home_links_to_the_scorer(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go()
    ida.link("home.nav_score").tap()
    expect(ida.title).to_have_text(re.compile(ida.say("score.paint_short")))
