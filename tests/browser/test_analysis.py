"""The analysis board in the browser: the value of every action, moves by hand, and setting up a position.

The engine in the page does all of it.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Route, expect
from support.setups import runs

import kingdomino as kd
from browser.player import (
    DESK,
    FULL_DISK,
    LANDSCAPE,
    LANGUAGES,
    PHONE,
    TABLET,
    THINKING,
    Device,
    Json,
    Player,
    Sit,
)
from browser.test_access import faultless
from browser.test_games import CUT_OFF
from browser.test_reach import TARGETS
from browser.test_review import FOUR, keep, show


def played(seed: int = 5) -> kd.Game:
    """Return a whole game of two greedy bots."""
    game, bot = kd.Game(kd.Rules(players=2, harmony=True), seed=seed), kd.bots.make("greedy")
    while not game.is_over:
        game.play(bot.choose(game.position))
    return game


GAME = played()
RECORD = kd.Record.from_game(GAME, players=["Ida", "Oskar"])
POSITIONS = RECORD.positions()
START = "kd1 2.second.random 0 reveal - - 1-48 C;C"


def early() -> kd.Position:
    """Find a placement in round 3 with several spots."""
    return next(
        one for one in POSITIONS if one.round == 3 and one.phase == "place" and len(one.legal_actions()) > 2
    )


def distinct(position: kd.Position) -> int:
    """Count the legal actions, and equivalent ones once."""
    return len(set(map(position.equivalent, position.legal_actions())))


def far_from(position: kd.Position) -> tuple[int, int]:
    """Find a square in the mover's kingdom that is within reach and touches nothing."""
    kingdom = position.kingdoms[position.to_move or 0]
    (left, bottom), (right, top) = kingdom.reach
    taken = set(kingdom.squares)
    return next(
        (x, y)
        for y in range(bottom, top + 1)
        for x in range(left, right + 1)
        if not taken & {(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} and in_box(x, y, kingdom)
    )


def in_box(x: int, y: int, kingdom: kd.Kingdom) -> bool:
    """Return whether the kingdom would be small enough with this square."""
    (left, bottom), (right, top) = kingdom.box
    return max(right, x) - min(left, x) < 5 and max(top, y) - min(bottom, y) < 5


CLAIMING = next(one for one in POSITIONS if one.round == 3 and one.phase == "claim")
LAST = next(one for one in reversed(POSITIONS) if one.phase == "place" and len(one.legal_actions()) > 1)


def study(player: Player, position: kd.Position | str) -> None:
    """Open a position and wait until the page shows it, or says why it cannot."""
    text = position if isinstance(position, str) else position.to_text()
    player.go(f"/analysis?{urlencode({'position': text})}")
    expect(player.page.locator(".mine .who .name")).not_to_be_empty()


def see(player: Player, part: str) -> None:
    """Choose a panel for the lower half of a phone."""
    player.page.get_by_role("radio", name=player.say(f"analysis.see_{part}"), exact=True).tap()


def start_empty(player: Player) -> None:
    """Begin to set up a new position."""
    player.go("/analysis")
    player.page.get_by_role("button", name=player.say("analysis.start_own")).click()
    expect(player.title).to_have_text(player.say("analysis.set_up_head"))


def until_exact(player: Player) -> None:
    """Wait until the engine has solved the ending."""
    progress = player.page.locator(".progress p")
    expect(progress).to_have_text(player.say("analysis.exact"), timeout=THINKING)


@pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)
def test_every_action_has_values_and_axe_finds_no_violation(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    position = early()
    study(ida, position)
    rows = ida.page.locator(".values tbody tr:not(.same)")
    expect(rows).to_have_count(distinct(position))
    expect(rows.first.locator("meter")).to_be_visible(timeout=THINKING)
    expect(ida.page.locator(".next")).not_to_be_empty()
    ida.button("analysis.stop").click()
    expect(ida.button("analysis.go_on")).to_be_visible()
    faultless(ida, "the analysis board")
    if device == PHONE:
        for part in ("lines", "moves"):
            see(ida, part)
            faultless(ida, part)
    ida.button("analysis.set_up").click()
    expect(ida.button("analysis.analyse_it")).to_be_enabled()
    faultless(ida, "setting up")
    assert ida.page.evaluate(TARGETS) == []
    if device == LANDSCAPE:
        expect(ida.kingdom).to_be_in_viewport(ratio=0.9)
    expect(ida.page.locator(".palette")).to_be_in_viewport(ratio=1)
    assert ida.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


MANY = max(POSITIONS, key=lambda one: len(one.legal_actions()))


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_many_actions_leave_kingdoms_and_lines_in_view(sit: Sit, device: Device) -> None:
    ida = sit(device)
    study(ida, MANY)
    rows = ida.page.locator(".values tbody tr:not(.same)")
    expect(rows).to_have_count(distinct(MANY))
    assert rows.count() > 15
    assert ida.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    expect(ida.kingdom).to_be_in_viewport(ratio=1)
    rows.last.scroll_into_view_if_needed()
    expect(ida.kingdom).to_be_in_viewport(ratio=1)
    if device == PHONE:
        see(ida, "lines")
    for part in (".line.this", ".line.coming", ".others kd-kingdom"):
        expect(ida.page.locator(part)).to_be_in_viewport(ratio=1)


PLACING = next(one for one in POSITIONS if one.round == 3 and one.phase == "place" and one.to_move == 0)
FEED = """async ([values, ...analyses]) => {
  const script = document.querySelector("script[type=module]").src;
  const { Values } = await import(script.replace("pages/analysis.js", "analysis/values.js"));
  const { study } = await import(script.replace("pages/analysis.js", "analysis/study.js"));
  window.list = new Values();
  window.list.show(await study(values), "Ida");
  document.querySelector(".right").replaceChildren(window.list.element);
  window.feed = (at) => window.list.update(analyses[at], true);
  window.feed(0);
}"""


BEST_FIRST = """async (analysis) => {
  const script = document.querySelector("script[type=module]").src;
  const { bestFirst } = await import(script.replace("pages/analysis.js", "analysis/values.js"));
  return bestFirst(analysis, 0);
}"""


def found(actions: list[str]) -> Json:
    """Return an analysis in which the first two of these actions are too close to call."""
    values = [
        {
            "action": one,
            "playouts": 900,
            "win_rates": [win, 1 - win],
            "mean_scores": [40.0, 40.0],
            "mean_margin": [1.0, -1.0],
            "line": [one],
        }
        for one, win in zip(actions, [0.5, 0.5, *[0.1] * len(actions)], strict=False)
    ]
    return {"actions": values, "playouts": 9000, "exact": False}


def test_sorting_rows_keeps_the_focus(sit: Sit) -> None:
    ida = sit()
    ida.go("/analysis")
    actions = [str(one) for one in PLACING.legal_actions()]
    expect(ida.page.locator(".sources")).to_be_visible()
    ida.page.evaluate(FEED, [PLACING.to_text(), found(actions), found(actions[::-1])])
    picks = ida.page.locator(".values .pick")
    names = picks.evaluate_all("all => all.map((each) => each.ariaLabel)")
    picks.nth(1).focus()
    focused = picks.nth(1).element_handle()
    body = ida.page.locator(".values tbody")
    body.evaluate("body => body.addEventListener('focusin', () => (body.dataset.again = ''))")
    note = body.locator(".same").element_handle()
    ida.page.evaluate("window.feed(1)")
    assert picks.evaluate_all("all => all.map((each) => each.ariaLabel)") == names[::-1]
    assert focused.evaluate("pick => pick === document.activeElement")
    assert note.evaluate("note => note === document.querySelector('.values tr:nth-child(3)')")
    expect(body).not_to_have_attribute("data-again", re.compile(""))


def test_hardly_tried_actions_come_last(sit: Sit) -> None:
    ida = sit()
    ida.go("/analysis")
    actions = [str(one) for one in PLACING.legal_actions()]
    values = found(actions) | {"playouts": 20_000}
    values["actions"][0]["playouts"] = 29
    values["actions"][1]["playouts"] = 39  # less than 0.2% of all
    expect(ida.page.locator(".sources")).to_be_visible()
    sorted_values = values | {"actions": ida.page.evaluate(BEST_FIRST, values)}
    ida.page.evaluate(FEED, [PLACING.to_text(), sorted_values])
    rows = ida.page.locator(".values tbody tr:not(.same)")
    orders = rows.evaluate_all("rows => rows.map((row) => row.classList.contains('hardly'))")
    assert orders == [False] * (len(actions) - 2) + [True] * 2
    expect(rows.last.locator("small")).to_have_text(ida.say("analysis.hardly"))


def test_arrow_keys_walk_a_full_kingdom(sit: Sit) -> None:
    ida = sit()
    ply = next(
        ply
        for ply, one in enumerate(POSITIONS)
        if one.to_move == 0 and one.phase == "place" and one.kingdoms[0].reach == one.kingdoms[0].box
    )
    assert len(POSITIONS[ply].legal_actions()) > 1
    ida.go(f"/analysis?game={keep(ida, RECORD)}&ply={len(RECORD.actions())}")
    expect(ida.page.get_by_label(ida.say("analysis.decision"))).to_be_visible()
    expect(ida.kingdom).to_have_count(0)  # a picture
    ida.page.get_by_label(ida.say("analysis.decision")).fill(str(ply))
    expect(ida.page.locator(".mine .spots use").first).to_be_attached()
    ida.focus(ida.kingdom.locator("[tabindex='0']"))


def test_an_ending_is_solved(sit: Sit) -> None:
    ida = sit()
    study(ida, LAST)
    until_exact(ida)
    search = kd.Search(LAST)
    search.run()
    assert search.analysis().exact
    expect(ida.button("analysis.go_on")).to_be_hidden()
    actions = search.analysis().actions
    wins = actions[0].win_rates[LAST.to_move or 0] == 1
    key = "analysis.best_spot_wins" if wins else "analysis.best_spot_loses"
    name = ida.say(f"analysis.seat_{LAST.to_move}")
    expect(ida.page.locator(".next")).to_have_text(ida.say(key, n=len(actions), name=name))
    ida.page.locator(".values .pick").first.click()
    expect(ida.page.locator("kd-kingdom .bubble").first).to_be_visible()


BARE = "kd1 2.second.random 1 place:1 5@1,16@1,42@0,46@0 6,11,43,44 1-4,7-10,12-15,17-41,45,47-48 C;C"


def test_equivalent_placements_share_a_row(sit: Sit) -> None:
    ida = sit()
    study(ida, BARE)
    rows = ida.page.locator(".values .pick")
    expect(rows).to_have_count(distinct(kd.Position.parse(BARE)))
    rows.first.click()
    chosen = ida.page.locator(".values .pick[aria-pressed=true]")
    for _ in range(4):
        expect(chosen).to_have_count(1)
        ida.press("r")
    expect(ida.page.locator(".values tr:not(.same) meter").first).to_be_visible(timeout=THINKING)


def test_moves_by_hand_become_branches(sit: Sit) -> None:
    ida = sit()
    study(ida, START)
    tiles = ida.page.locator("ol.worth button")
    for at in (2, 8, 20, 40):
        tiles.nth(at).click()
    ida.page.get_by_role("button", name=ida.say("analysis.reveal", n=4, of=4)).click()
    expect(ida.title).to_have_text(ida.say("analysis.king_due"))
    ida.page.locator(".right").get_by_role("button", name=ida.say("analysis.seat_1")).click()
    expect(ida.title).to_have_text(ida.say("analysis.to_claim", name=ida.say("analysis.seat_1")))
    assert "claim%3A1" in ida.page.url
    claimed = ida.page.url
    for at in (0, 1):
        ida.page.locator(".line.coming button").nth(at).click()
        ida.button("analysis.play_it").click()
        expect(ida.title).to_have_text(ida.say("analysis.king_due"))
        ida.press("Backspace")
        expect(ida.page).to_have_url(claimed)
    branches = ida.page.locator(".path ol button").filter(has_text=ida.say("analysis.claimed"))
    expect(branches).to_have_count(2)
    expect(branches.first).to_contain_text("%", timeout=THINKING)


def test_going_back_and_forward_restarts_no_search(sit: Sit) -> None:
    ida = sit()
    study(ida, early())
    progress = ida.page.locator(".progress p")

    def playouts() -> int:
        expect(progress).to_have_text(re.compile(r"\d"), timeout=THINKING)
        return int(re.sub(r"\D", "", (progress.text_content() or "").split(" ")[0]) or 0)

    first = playouts()
    ida.page.locator(".values .pick").first.click()
    ida.button("analysis.play_it").click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_claim"))
    second = playouts()
    ida.button("analysis.back").click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_place"))
    assert playouts() >= first
    ida.page.locator(".path ol button").last.click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_claim"))
    assert playouts() >= second


def without_end(route: Route) -> None:
    """Let trees grow so large that no search ends during a test."""
    body = route.fetch().text().replace("2 ** 16", "2 ** 20")
    route.fulfill(body=body, content_type="text/javascript")


def test_a_search_survives_a_killed_worker(sit: Sit) -> None:
    ida = sit()
    ida.catch("**/engine/worker.js", without_end)
    ida.page.clock.install()
    study(ida, MANY)
    progress = ida.page.locator(".progress p")
    expect(progress).to_have_text(re.compile(r"\d"), timeout=THINKING)
    first, *_ = ida.page.workers
    with first.expect_event("close"):
        first.evaluate("postMessage({}); setTimeout(close)")  # it has spoken, so its end is missed soon
    for _ in range(3):
        ida.page.clock.run_for(5_000)
        known = progress.inner_text()  # whatever is new was found after the other worker was asked
        expect(progress).not_to_have_text(known)
    refused = ida.page.locator("#refused")
    expect(refused).to_have_text(ida.say("engine.part_died"))
    ida.button("analysis.stop").click()
    ida.button("analysis.go_on").click()
    expect(refused).to_be_hidden()
    expect(ida.button("analysis.stop")).to_be_visible()
    ida.page.locator(".values .pick").first.click()
    ida.button("analysis.play_it").click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_claim"))


DUE = next(
    one.play(one.legal_actions()[0])
    for one in POSITIONS
    if one.round == 3 and one.phase == "claim" and one.play(one.legal_actions()[0]).phase == "chance"
)


@pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)
def test_a_due_line_has_a_value_until_it_is_revealed(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    study(ida, DUE)
    expect(ida.title).to_have_text(ida.say("analysis.line_due"))
    expect(ida.page.locator(".next")).to_have_text(ida.pattern("analysis.over_lines"), timeout=THINKING)
    dominoes = ida.page.locator("ol.worth button")
    expect(dominoes).to_have_count(len(DUE.unseen))
    expect(dominoes.first.locator("b")).not_to_be_empty(timeout=THINKING)
    faultless(ida, "a due line")
    names = []
    for at in range(4):
        dominoes.nth(at).click()
        expect(dominoes.nth(at)).to_have_attribute("aria-pressed", "true")
        names.append(dominoes.nth(at).locator("span").inner_text())
    ida.page.get_by_role("button", name=ida.say("analysis.reveal", n=4, of=4)).click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_place"))
    expect(ida.page.locator(".line.coming li .no")).to_have_text(names)
    ida.press("Backspace")
    expect(ida.title).to_have_text(ida.say("analysis.line_due"))
    expect(ida.page.get_by_role("button", name=ida.say("analysis.reveal", n=0, of=4))).to_be_disabled()
    expect(ida.page.locator("ol.worth [aria-pressed=true]")).to_have_count(0)
    expect(ida.page.locator(".line.coming .domino")).to_have_count(0)
    expect(ida.page.locator(".next")).to_have_text(ida.pattern("analysis.over_lines"))
    ida.button("analysis.let_chance").click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_place"))


def test_the_first_view_is_a_playable_example(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script(path=AXE_FILE_PATH)
    ida.go("/analysis")
    expect(ida.title).to_have_text(ida.pattern("analysis.where_place"))
    expect(ida.page.locator(".faults")).to_have_count(0)
    faultless(ida, "the first view")
    ida.page.get_by_role("button", name=ida.say("analysis.start_ending")).click()
    expect(ida.page.locator(".sources [aria-current]")).to_contain_text(ida.say("analysis.start_ending"))
    expect(ida.page.locator(".mine .spots use").first).to_be_attached()
    ida.focus(ida.kingdom.locator("[tabindex='0']"))
    ida.walk_to_spot()
    ida.press("Enter")
    expect(ida.page).to_have_url(re.compile("position=kd1"))
    ida.page.go_back()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_place"))
    until_exact(ida)


def test_a_reviewed_last_game_opens_at_its_costliest_decision(sit: Sit) -> None:
    ida = sit()
    review = kd.analysis.review(RECORD, kd.bots.Limit(playouts=1))
    worst, *_ = [one.ply for one in review.decisions if one.seat == 0][5:]
    costs = {one.ply: 9.0 if one.ply == worst else 0.0 for one in review.decisions}
    decisions = tuple(replace(one, cost=0.0, cost_points=costs[one.ply]) for one in review.decisions)
    source = ida.page.locator(".sources [data-key=last]")
    decision = ida.page.get_by_label(ida.say("analysis.decision"))
    game = keep(ida, RECORD)
    for why, ply in (("analysis.start_last_begin", 0), ("analysis.start_last_costliest", worst)):
        if ply:
            show(ida, replace(review, decisions=decisions), RECORD)
        ida.go("/analysis")
        expect(source).to_contain_text(ida.say(why))
        source.click()
        expect(decision).to_have_value(str(ply))
        expect(ida.page).to_have_url(re.compile(f"game={game}&ply={ply}$"))


def test_a_new_position_starts_without_faults(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go("/analysis")
    ida.button("analysis.analyse_it").last.tap()
    expect(ida.page.locator(".values meter").first).to_be_visible(timeout=THINKING)
    start_empty(ida)
    faults = ida.page.locator(".faults li")
    expect(ida.button("analysis.analyse_it").last).to_be_disabled()
    expect(faults).to_have_count(0)
    ida.page.locator(".mine [role=gridcell]").first.click(force=True)
    expect(faults.first).to_be_visible()


def test_the_board_works_without_the_server(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("ERR_INTERNET_DISCONNECTED")
    study(ida, early())
    expect(ida.page.locator("#bot")).to_be_visible()
    expect(ida.page.locator(".values meter").first).to_be_visible(timeout=THINKING)
    asked: list[str] = []
    ida.page.on("request", lambda request: asked.append(request.url))
    ida.page.context.set_offline(True)
    ida.page.locator(".values .pick").first.click()
    ida.button("analysis.play_it").click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_claim"))
    expect(ida.page.locator(".values meter").first).to_be_visible(timeout=THINKING)
    ida.button("analysis.set_up").click()
    expect(ida.button("analysis.analyse_it")).to_be_enabled()
    ida.page.locator("textarea").fill(RECORD.to_text())
    ida.button("analysis.read").click()
    expect(ida.title).to_contain_text(re.compile("Ida|Oskar"))
    assert [url for url in asked if "/api/" in url] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_marks_every_fault(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    study(ida, early())
    ida.button("analysis.set_up").click()
    analyse = ida.button("analysis.analyse_it")
    expect(analyse).to_be_enabled()
    ida.page.get_by_role("radio", name=ida.say("kingdom.mine"), exact=True).check(force=True)
    x, y = far_from(early())
    ida.page.locator(f'.mine [role=gridcell][data-x="{x}"][data-y="{y}"]').click(force=True)
    faults = ida.page.locator(".faults li")
    expect(faults).to_have_count(1)
    expect(ida.page.locator(".mine .fault text")).to_have_text("1")
    expect(analyse).to_be_disabled()
    ida.page.locator(".line.this button").last.focus()
    number = int(ida.page.locator(".line.this li").last.get_attribute("data-domino") or "")
    ida.page.locator(f'.unseen [data-domino="{number}"] button').click()
    expect(faults).to_have_count(4)
    expect(faults.filter(has_text="square (")).to_have_count(0)
    ida.page.locator(f'.unseen [data-domino="{number}"] button').click()
    ida.page.locator(".line.this li").last.get_by_role("button").click()
    if early().line[-1].seat:
        ida.page.locator(".line.this li").last.get_by_role("button").click()
    expect(faults).to_have_count(1)


def test_fewer_players_correct_round_and_seat(sit: Sit) -> None:
    ida = sit()
    start_empty(ida)
    rounds = ida.page.get_by_label(ida.say("analysis.round"), exact=True)
    duel = ida.page.get_by_role("switch", name=re.compile(f"^{ida.say('common.mighty_duel')}"))

    def choose(name: str) -> None:
        radio = ida.page.get_by_role("radio", name=name, exact=True)
        radio.press("Space")  # not the mouse: a fault that appears meanwhile moves the button

    choose("3")
    expect(duel).to_have_count(0)
    rounds.select_option("10")
    tiles = ida.page.locator(".unseen button")
    for at in (11, 12, 13, 14, 15):
        tiles.nth(at).click()
    # Of four dominoes in the second edition, three players leave one.
    expect(ida.page.locator(".line.this li")).to_have_count(4)
    expect(ida.page.locator(".caption")).to_have_text(ida.say("analysis.line_full", n=4))
    choose("2")
    expect(rounds).to_have_value("6")
    duel.check()
    rounds.select_option("12")
    duel.uncheck()
    expect(rounds).to_have_value("6")
    choose("4")
    rounds.select_option("0")
    choose(ida.say("analysis.seat_3"))
    choose("2")
    expect(ida.page.get_by_role("radio", name=ida.say("analysis.seat_1"), exact=True)).to_be_checked()


def test_the_castle_moves(sit: Sit) -> None:
    ida = sit()
    start_empty(ida)

    def square(x: int, y: int) -> Locator:
        return ida.page.locator(f'.mine [role=gridcell][data-x="{x}"][data-y="{y}"]')

    square(1, 0).click(force=True)
    wheat, castle = re.compile(ida.say("kingdom.wheat")), re.compile(ida.say("kingdom.castle"))
    expect(square(1, 0)).to_have_attribute("aria-label", wheat)
    square(0, 0).click(force=True)
    expect(ida.page.locator(".caption")).to_have_text(ida.say("kingdom.put_castle"))
    square(-1, 0).click(force=True)
    expect(square(2, 0)).to_have_attribute("aria-label", wheat)
    square(0, 0).drag_to(square(1, 0), force=True)
    expect(square(1, 0)).to_have_attribute("aria-label", wheat)
    expect(square(0, 0)).to_have_attribute("aria-label", castle)


def test_keys_set_up_a_position(sit: Sit) -> None:
    ida = sit()
    study(ida, early())
    ida.button("analysis.set_up").click()
    expect(ida.button("analysis.analyse_it")).to_be_enabled()
    castle = ida.page.locator(".mine [role=gridcell][tabindex='0']")
    castle.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
        ida.page.keyboard.press(key)
    expect(ida.page.locator(".faults li").first).to_be_visible()


def test_a_pasted_record_opens_at_any_decision(sit: Sit) -> None:
    ida = sit()
    start_empty(ida)
    ida.page.locator("textarea").fill(RECORD.to_text())
    ida.button("analysis.read").click()
    expect(ida.title).to_contain_text(re.compile("Ida|Oskar"))
    slider = ida.page.get_by_label(ida.say("analysis.decision"))
    slider.fill(str(len(POSITIONS) - 2))
    until_exact(ida)


def test_invalid_text_gets_a_sentence(sit: Sit) -> None:
    ida = sit()
    study(ida, "kd1 nonsense")
    refused = ida.page.locator("#refused")
    expect(refused).to_have_text(
        re.compile(re.escape(ida.say("common.refused_bad_position")) + " A position has 8 words")
    )
    expect(ida.title).to_have_text(ida.say("analysis.set_up_head"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_impossible_text_stays_with_its_faults(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    *words, kingdoms = early().to_text().split(" ")
    first, *others = kingdoms.split(";")
    rows = [f"{row}." for row in first.split("/")]
    blank = "." * len(re.findall(r"\D\d?", rows[0]))
    away = f"{blank[1:]}s"  # to the right of all others, and above them
    text = " ".join([*words, ";".join(["/".join([away, blank, *rows]), *others])])
    study(ida, text)
    field = ida.page.get_by_label(ida.say("analysis.text"))
    expect(field).to_have_value(text)
    what, name = ida.say("kingdom.swamp").lower(), ida.say("analysis.seat_0")
    fault = ida.say("analysis.fault_unconnected", what=what, column=len(away), row=1, name=name)
    refused = ida.page.locator("#refused")
    expect(refused).to_contain_text(ida.say("common.refused_bad_position"))
    expect(refused).to_contain_text(fault[1:])  # without its capital letter
    field.fill(early().to_text())
    ida.button("analysis.read").click()
    expect(ida.page.locator(".values")).to_be_visible()


def test_a_bad_game_or_decision_in_the_address(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("422")
    ida.go("/analysis?table=nothere&game=9")
    expect(ida.page.locator("#refused")).to_have_text(ida.say("analysis.no_game"))
    ida.go(f"/analysis?game={keep(ida, RECORD)}&ply=x")
    expect(ida.page).to_have_url(re.compile("&ply=0$"))
    expect(ida.page.get_by_label(ida.say("analysis.decision"))).to_have_value("0")


def test_keys_step_through_a_game_at_its_address(sit: Sit) -> None:
    ida = sit()
    game = keep(ida, RECORD)
    ida.go(f"/analysis?game={game}&ply=6")
    slider = ida.page.get_by_label(ida.say("analysis.decision"))
    ida.focus(slider)
    ida.press("ArrowRight", "ArrowRight", "ArrowRight")
    expect(ida.page).to_have_url(re.compile(f"game={game}&ply=9$"))
    expect(slider).to_be_focused()
    expect(slider).to_have_value("9")
    ida.page.reload()
    expect(slider).to_have_value("9")
    expect(ida.title).to_contain_text(re.compile("Ida|Oskar"))


def test_the_browsers_back_button_undoes_a_move(sit: Sit) -> None:
    ida = sit()
    ply = next(ply for ply, one in enumerate(POSITIONS) if one.round == 3 and one.phase == "claim")
    other = next(one for one in POSITIONS[ply].legal_actions() if one != RECORD.actions()[ply])
    ida.go(f"/analysis?game={keep(ida, RECORD)}&ply={ply}")
    address = ida.page.url
    for action in (RECORD.actions()[ply], other):
        offered = [f"claim {one.domino.number}" for one in POSITIONS[ply].offered]
        ida.page.locator(".line.coming li").nth(offered.index(str(action))).get_by_role("button").click()
        ida.button("analysis.play_it").click()
        expect(ida.page).to_have_url(re.compile(f"ply={ply + 1}$" if action is not other else "position=kd1"))
        ida.page.go_back()
        expect(ida.page).to_have_url(address)
        expect(ida.title).to_contain_text(re.compile("Ida|Oskar"))
    branches = ida.page.locator(".path .lv1 button")
    expect(branches).to_have_count(2)
    expect(branches.and_(ida.page.locator(".game button"))).to_have_count(1)
    ida.page.go_forward()
    expect(ida.page).to_have_url(re.compile("position=kd1"))
    expect(branches.and_(ida.page.locator("[aria-current]"))).to_have_count(1)
    held: list[Route] = []
    ida.catch("**/bots.json", lambda route: held.append(route))
    with ida.page.expect_request("**/bots.json"):
        ida.page.reload()
    ida.page.go_back()  # before the page has shown anything
    held.pop().continue_()
    expect(ida.page.get_by_label(ida.say("analysis.decision"))).to_have_value(str(ply))
    expect(ida.page).to_have_url(address)


def test_a_finger_chooses_and_plays(sit: Sit) -> None:
    ida = sit(PHONE)
    study(ida, early())
    ida.page.locator(".values .pick").first.tap()
    expect(ida.page.locator(".mine .bubble")).to_be_visible()
    ida.button("analysis.play_it").tap()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_claim"))
    ida.page.locator(".values .pick").last.tap()
    expect(ida.button("analysis.play_it")).to_be_enabled()
    see(ida, "lines")
    ida.page.locator(".line.coming button").first.tap()
    expect(ida.page.locator(".line.coming button").first).to_have_attribute("aria-pressed", "true")
    see(ida, "moves")
    ida.button("analysis.back").tap()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_place"))


def test_the_replay_links_to_the_board(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", "me")
    ida.go(f"/t/{table}/replay")
    expect(ida.page.get_by_text(ida.say("analysis.open"))).to_be_hidden()
    ida.program(table)
    ida.go(f"/t/{table}/replay")
    ida.page.get_by_role("button", name=ida.say("replay.next"), exact=True).click()
    ida.page.get_by_role("link", name=ida.say("analysis.open")).click()
    expect(ida.page).to_have_url(re.compile(rf"\?table={table}&game=1&ply=\d+$"))
    expect(ida.page.get_by_label(ida.say("analysis.decision"))).to_be_visible()


@pytest.mark.parametrize(
    ("device", "language"),
    [(DESK, "en"), (PHONE, "fr"), (LANDSCAPE, "es")],
    ids=["desk", "phone", "landscape"],
)
def test_a_table_continues_a_position(sit: Sit, device: Device, language: str) -> None:
    ida = sit(device, language=language)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    position = next(
        one for one in POSITIONS if one.round == 5 and one.phase == "place" and len(one.legal_actions()) > 2
    )
    study(ida, position)
    ida.page.locator("#bot").select_option("king:level=1")
    ida.button("analysis.play_on").click()
    table = ida.arrive()
    squares = ida.kingdom.get_by_role("gridcell", name=re.compile(ida.say("kingdom.castle")))
    expect(squares.first).to_be_attached()
    assert ida.snapshot()["start"]["position"] == position.to_text()
    faultless(ida, "a game from a position")
    assert ida.task() == "place"
    ida.button("table.more").click()
    expect(ida.page.get_by_text(ida.say("table.from_position"))).to_be_visible()
    ida.press("Escape")
    ida.play(ida.by_hand)
    expect(ida.page.locator(".end .mine kd-kingdom").first).to_be_visible()
    faultless(ida, "the end of a game from a position")
    record = kd.Record.parse(str(ida.client(table, "record", 1)))
    assert record.replay().start == position
    ida.go(f"/review?id={table}")
    expect(ida.page.locator(".mine kd-kingdom")).to_be_visible()
    ida.go("/games")
    expect(ida.page.locator(".played li")).to_contain_text(ida.say("common.from_position"))
    ida.go(f"/replay?id={table}")
    expect(ida.kingdom.locator("[aria-label]").first).to_be_attached()


def test_a_turn_begins_after_a_deal_during_loading(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("ERR_FAILED")
    held: list[Route] = []
    ida.catch("**/nonce", lambda route: route.abort())  # otherwise the server would deal at once
    ida.catch(re.compile(r"/pages/waiting\.js"), lambda route: held.append(route))
    table = ida.create("me", {"kind": "bot", "bot": "greedy"}, digest="ab" * 32)
    with ida.page.expect_response(re.compile("/choices")):
        ida.go(f"/t/{table}")
    for route in held:
        route.continue_()
    assert held
    assert ida.task() == "claim"


def test_an_impossible_set_up_stays_in_the_address(sit: Sit) -> None:
    ida = sit()
    study(ida, early())
    ida.button("analysis.set_up").click()
    expect(ida.button("analysis.analyse_it")).to_be_enabled()
    ida.page.get_by_role("radio", name=ida.say("kingdom.mine"), exact=True).check(force=True)
    x, y = far_from(early())
    ida.page.locator(f'.mine [role=gridcell][data-x="{x}"][data-y="{y}"]').click(force=True)
    faults = ida.page.locator(".faults li")
    expect(faults).to_have_count(1)
    expect(ida.page).to_have_url(re.compile(r"\?setup="))
    ida.page.reload()
    expect(faults).to_have_count(1)
    ida.button("analysis.show_it").click()
    expect(ida.page.locator(".mine .fault text")).to_have_text("1")
    ida.go("/analysis?setup=nonsense")
    expect(ida.title).to_have_text(ida.pattern("analysis.where_place"))


IS_ON_TOP = """(element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
SECOND_FINGER = """(kingdom) => {
  const { left, top } = kingdom.getBoundingClientRect();
  const second = { bubbles: true, isPrimary: false, pointerId: 7, clientX: left + 20, clientY: top + 20 };
  for (const kind of ["down", "move", "up"]) kingdom.dispatchEvent(new PointerEvent(`pointer${kind}`, second));
}"""


def middle(element: Locator) -> tuple[float, float]:
    """Find the middle of an element on the screen."""
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


LONGEST = """(chance, words) => {
  chance.querySelector("b").textContent = words;
  chance.closest("table").rows[0].cells[1].textContent = "Maximiliana gana";
  for (const [at, figure] of [[2, "120.5"], [3, "-100.5"]]) {
    chance.closest("tr").cells[at].textContent = figure;
  }
}"""
"""Writes the longest possible figures into a row."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_values_fits_its_sheet(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    study(ida, early())
    sheet = ida.page.locator(".right .sheet").first
    expect(sheet.locator("meter").first).to_be_visible(timeout=THINKING)
    sheet.locator(".chance").first.evaluate(LONGEST, ida.say("common.under", percent="1\u202f%"))
    for size in (DESK, Device(1280, 800), PHONE, LANDSCAPE):
        ida.page.set_viewport_size(size.size)
        wide, room = sheet.evaluate("({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]")
        assert wide <= room, f"{size.width}: {wide} in {room}"


def test_small_kingdoms_are_no_buttons_while_placing(sit: Sit) -> None:
    ida = sit()
    study(ida, early())
    others = ida.page.locator(".others")
    expect(others.locator("kd-kingdom")).to_be_visible()
    expect(others.get_by_role("button")).to_have_count(0)
    study(ida, CLAIMING)
    expect(others.get_by_role("button")).to_have_count(1)


def test_claims_work_after_a_set_up(sit: Sit) -> None:
    ida = sit()
    study(ida, CLAIMING)
    ida.button("analysis.set_up").click()
    ida.button("analysis.analyse_it").click()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_claim"))
    ida.offered.first.click()
    expect(ida.offered.first).to_have_attribute("aria-pressed", "true")
    expect(ida.button("analysis.play_it")).to_be_enabled()


@pytest.mark.parametrize(
    "device", [DESK, Device(390, 844, touch=True), LANDSCAPE], ids=["desk", "phone", "landscape"]
)
def test_a_refusal_scrolls_into_view(sit: Sit, device: Device) -> None:
    ida = sit(device)
    study(ida, MANY)
    expect(ida.page.locator("#bot")).to_be_attached()
    ida.page.evaluate(FULL_DISK)
    rows = ida.page.locator(".values .pick")
    rows.last.scroll_into_view_if_needed()
    button = ida.button("analysis.play_on")
    button.click()  # waits until the growing table no longer moves it
    refused = ida.page.locator("#refused")
    expect(refused).to_have_text(ida.say("common.refused_full"))
    expect(refused).to_be_in_viewport(ratio=1)
    assert refused.evaluate(IS_ON_TOP)


@pytest.mark.parametrize("width", [320, 360])
def test_a_narrow_phone_shows_every_player_of_a_set_up(sit: Sit, width: int) -> None:
    ida = sit(Device(width, 740, touch=True))
    ida.go(f"/analysis?game={keep(ida, FOUR)}&ply=9")
    ida.button("analysis.set_up").click()
    turns = ida.page.locator(".seg", has=ida.page.locator("[name=turn]"))
    expect(turns.locator("label")).to_have_count(4)
    assert turns.evaluate(CUT_OFF) == []


def test_a_finger_paints_the_square_under_it(sit: Sit) -> None:
    ida = sit()
    start_empty(ida)
    wheat = re.compile(f"^{ida.say('kingdom.wheat')}")
    painted = ida.kingdom.get_by_role("gridcell", name=wheat)
    squares = [ida.page.locator(f'.mine [role=gridcell][data-x="{x}"][data-y="0"]') for x in (1, 2)]
    (x, y), (end, _) = (middle(square) for square in squares)
    ida.page.mouse.move(x, y)
    ida.page.mouse.down()
    ida.page.mouse.move(x + 1, y)
    ida.kingdom.evaluate(SECOND_FINGER)
    expect(painted).to_have_count(1)
    ida.page.mouse.move(end, y)
    expect(painted).to_have_count(2)
    ida.page.mouse.up()
    for square in squares:
        expect(square).to_have_attribute("aria-label", wheat)
    expect(ida.page.locator('.mine [role=gridcell][data-x="4"]').first).to_be_attached()


SQUARE = {"x": 1, "y": 0, "terrain": "wheat", "crowns": 0}
MARKUP = '"/><a id="foreign"/>'


@pytest.mark.parametrize(
    "draft",
    [
        {"kingdoms": [[SQUARE | {"terrain": MARKUP}], []]},
        {"kingdoms": [[SQUARE | {"crowns": MARKUP}], []]},
        {"kingdoms": [[None], []]},
        {"line": [{"domino": 99, "seat": None}]},
        {"unseen": [0]},
        {"edition": "third"},
    ],
)
def test_a_malformed_address_is_refused(sit: Sit, draft: object) -> None:
    ida = sit()
    ida.go(f"/analysis?{urlencode({'setup': b64encode(json.dumps(draft).encode()).decode()})}")
    expect(ida.title).to_have_text(ida.pattern("analysis.where_place"))
    expect(ida.page.locator("#foreign")).to_have_count(0)


def test_a_set_up_shows_a_kingdom_that_is_too_large(sit: Sit) -> None:
    ida = sit()
    row = [{"x": x, "y": 0, "terrain": "wheat", "crowns": 0} for x in range(1, 6)]
    draft = json.dumps({"kingdoms": [row, []]})
    ida.go(f"/analysis?{urlencode({'setup': b64encode(draft.encode()).decode()})}")
    expect(ida.page.locator(".mine [role=row]").first.get_by_role("gridcell")).to_have_count(6)


def test_enter_changes_the_king_of_a_set_up(sit: Sit) -> None:
    ida = sit()
    study(ida, CLAIMING)
    ida.button("analysis.set_up").click()
    nobody, pink = ida.say("analysis.no_king"), ida.say("table.king_of", name=ida.say("analysis.seat_0"))
    free = ida.page.locator(".line.coming").get_by_role("button", name=nobody).first
    name = free.get_attribute("aria-label")
    assert name
    free.press("Enter")
    expect(ida.page.get_by_role("button", name=name.replace(nobody, pink), exact=True)).to_be_focused()


def test_a_placed_domino_has_a_name(sit: Sit) -> None:
    ida = sit()
    study(ida, next(one for one in POSITIONS if one.phase == "place" and one.line[0].is_done))
    expect(ida.page.locator(".line.this .gone .visually-hidden").first).to_be_visible()


def test_the_focus_moves_on_when_its_element_goes(sit: Sit) -> None:
    ida = sit()
    study(ida, CLAIMING)
    other = ida.page.locator(".others").get_by_role("button")

    def enter(button: Locator) -> None:
        expect(button).to_be_enabled()
        button.focus()
        ida.press("Enter")

    enter(other)
    expect(other).to_be_focused()
    ida.offered.first.click()
    enter(ida.button("analysis.play_it"))
    expect(ida.title).to_be_focused()
    enter(ida.button("analysis.back"))
    expect(ida.title).to_be_focused()
    branch = ida.page.locator(".path .lv1").get_by_role("button")
    enter(branch)
    expect(branch).to_have_attribute("aria-current", "true")
    expect(branch).to_be_focused()
    enter(ida.button("analysis.set_up"))
    expect(ida.title).to_be_focused()
    enter(other)
    expect(other).to_be_focused()
    line = ida.page.locator(".line.coming").get_by_role("button")
    for left in range(line.count() - 1, -1, -1):
        line.last.focus()
        for _ in range(3):
            if line.count() > left:
                ida.press("Enter")
        expect(line).to_have_count(left)
        expect(line.last if left else ida.title).to_be_focused()


def of_kind(rules: kd.Rules, kind: str, round_number: int) -> kd.Position:
    """Find a position in the middle of a round of a game of greedy bots: "place", "claim", "reveal", or "draw"."""
    if kind == "draw":
        return a_king_due(rules)
    game, bot = kd.Game(rules, seed=9), kd.bots.make("greedy")
    found = []
    while not game.is_over:
        if game.position.round == round_number:
            found.append(game.position)
        game.play(bot.choose(game.position))
    if kind == "reveal":
        return before_reveal(found[0])
    found = [one for one in found if one.phase == kind]
    return found[len(found) // 2]


def before_reveal(position: kd.Position) -> kd.Position:
    """Put the line that has just come up back among the unseen dominoes."""
    words = position.to_text().split(" ")
    shown = [slot.domino.number for slot in position.offered]
    words[3], words[5] = "reveal", "-"
    words[6] = runs(sorted([*shown, *(one.number for one in position.unseen)]))
    return kd.Position.parse(" ".join(words))


def a_king_due(rules: kd.Rules) -> kd.Position:
    """Play the opening until the second king is to be drawn."""
    game = kd.Game(rules, seed=9)
    opening = kd.Position.parse(f"kd1 {rules.to_text()} 0 reveal - - 1-48 {';'.join('C' * rules.players)}")
    line = [slot.domino.number for slot in game.position.offered]
    claiming = opening.reveal(line).draw(1)
    return claiming.play(claiming.legal_actions()[2])


DUEL = kd.Rules(2, mighty_duel=True, middle_kingdom=True)


@pytest.mark.parametrize(
    ("rules", "phase", "round_number", "own"),
    [
        (kd.Rules(2), "place", 4, 0),
        (kd.Rules(2), "claim", 4, 1),
        (kd.Rules(2, harmony=True), "reveal", 3, 1),
        (kd.Rules(3), "place", 6, 2),
        (kd.Rules(3, edition="first"), "reveal", 10, 0),
        (kd.Rules(4), "claim", 7, 3),
        (kd.Rules(4), "place", 12, 1),
        (DUEL, "claim", 8, 0),
        (DUEL, "reveal", 11, 1),
        (kd.Rules(2), "draw", 0, 0),
        (kd.Rules(3), "draw", 0, 2),
        (kd.Rules(4, harmony=True), "draw", 0, 1),
        (kd.Rules(2, mighty_duel=True), "draw", 0, 1),
    ],
    ids=lambda value: value.to_text() if isinstance(value, kd.Rules) else str(value),
)
def test_a_person_takes_any_seat_of_a_position(
    sit: Sit, rules: kd.Rules, phase: str, round_number: int, own: int
) -> None:
    ida = sit()
    position = of_kind(rules, phase, round_number)
    study(ida, position)
    page = ida.page
    expect(page.locator("#own option")).to_have_count(rules.players)
    page.locator("#own").select_option(str(own))
    page.locator("#bot").select_option("king:level=1")
    ida.button("analysis.play_on").click()
    ida.arrive()
    snapshot = ida.snapshot()
    assert snapshot["start"]["position"] == position.to_text()
    assert [each["kind"] for each in snapshot["seats"]] == [
        "person" if seat == own else "bot" for seat in range(rules.players)
    ]
    if (task := ida.task()) != "over":
        ida.by_hand(task)
    ida.program(ida.table)
    expect(page.locator(".end .mine kd-kingdom").first).to_be_visible(timeout=THINKING)


@pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)
def test_the_board_shows_the_worth_of_each_domino(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    study(ida, CLAIMING)
    page = ida.page
    if device == PHONE:
        see(ida, "lines")
    tab = page.get_by_role("radio", name=ida.say("analysis.worth"))
    (tab.tap if device.touch else tab.click)()
    table = page.locator("#worths table")
    expect(table).to_be_visible()
    expect(page.locator(".line.coming")).to_be_hidden()
    shown = [row.split() for row in table.locator("tbody tr td").all_inner_texts()]
    assert [
        float(cell[0].replace("\N{MINUS SIGN}", "-").replace("–", "nan")) for cell in shown
    ] == pytest.approx(
        [float("nan") if gain is None else gain for one in kd.analysis.worth(CLAIMING) for gain in one.gains],
        abs=0.06,
        nan_ok=True,
    )
    faultless(ida, "what dominoes bring")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_reach_the_worth_of_dominoes(sit: Sit) -> None:
    ida = sit()
    study(ida, CLAIMING)
    dominoes = ida.page.get_by_role("radio", name=ida.say("analysis.see_dominoes"))
    ida.focus(dominoes)
    ida.press("ArrowRight")
    expect(ida.page.locator("#worths table")).to_be_visible()
    ida.press("ArrowLeft")
    expect(ida.page.locator(".line.coming")).to_be_visible()
    study(ida, LAST)
    expect(ida.page.locator(".values")).to_be_visible()
    expect(dominoes).to_be_hidden()


def branch(player: Player) -> list[str]:
    """Play two moves from a position; return them."""
    study(player, CLAIMING)
    moves = []
    for _ in range(2):
        player.page.locator(".values .pick").first.click()
        before = player.page.url
        player.button("analysis.play_it").click()
        expect(player.page).not_to_have_url(before)
    moves.extend(player.page.locator(".path li span").all_inner_texts()[1:])
    return moves


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_named_branch_returns_with_its_position(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    branch(ida)
    name = ida.page.get_by_label(ida.say("analysis.branch_name"))
    ida.focus(name)
    ida.page.keyboard.type("<b>deny</b> 2; & more")
    ida.press("Enter")
    announced = ida.page.locator("#announcer")
    expect(announced.get_by_text(ida.say("analysis.branch_kept"), exact=True)).to_have_count(1)
    named = ida.page.locator(".path strong")
    expect(named).to_have_text("<b>deny</b> 2; & more")
    faultless(ida, "a named branch")
    study(ida, CLAIMING)
    expect(named).to_have_count(1)
    expect(ida.page.locator(".path li")).to_have_count(3)
    named.click()
    expect(name).to_have_value("<b>deny</b> 2; & more")
    name.fill("")
    ida.press("Enter")
    forgotten = announced.get_by_text(ida.say("analysis.branch_forgotten"), exact=True)
    expect(forgotten).to_have_count(1)
    ida.button("analysis.stop").click()
    expect(announced.locator("span").last).to_contain_text("3")  # the best of the 3 dominoes
    expect(forgotten).to_have_count(1)
    study(ida, CLAIMING)
    expect(ida.page.locator(".values")).to_be_visible()
    expect(ida.page.locator(".path li")).to_have_count(1)


def test_an_address_holds_a_branch(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    ida.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    branch(ida)
    ida.page.get_by_label(ida.say("analysis.branch_name")).fill("two & two")
    ida.button("analysis.branch_copy").click()
    expect(ida.button("wait.copied")).to_be_visible()
    address = str(ida.page.evaluate("navigator.clipboard.readText()"))
    oskar.go(address.partition(ida.address)[2] or address)
    expect(oskar.page.locator(".path strong")).to_have_text("two & two")
    expect(oskar.page.locator(".path li")).to_have_count(3)
    expect(oskar.page.locator(".path [aria-current]")).to_contain_text("two & two")
    oskar.page.reload()
    expect(oskar.page.locator(".path strong")).to_have_text("two & two")
    oskar.button("analysis.back").click()
    expect(oskar.page.locator(".path .lv1 [aria-current]")).to_have_count(1)


def test_an_address_holds_a_revealed_line(sit: Sit) -> None:
    ida = sit()
    ida.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    study(ida, of_kind(kd.Rules(2), "reveal", 3))
    ida.button("analysis.let_chance").click()
    expect(ida.page.locator(".values")).to_be_visible()
    line = ida.page.locator(".line.coming li").evaluate_all("all => all.map((one) => one.dataset.domino)")
    ida.button("analysis.branch_copy").click()
    address = str(ida.page.evaluate("navigator.clipboard.readText()"))
    assert "reveal" in address
    ida.go(address.partition(ida.address)[2])
    expect(ida.page.locator(".path li")).to_have_count(2)
    again = ida.page.locator(".line.coming li")
    assert again.evaluate_all("all => all.map((one) => one.dataset.domino)") == line


@pytest.mark.parametrize("moves", ["", "claim 99", "nonsense", "place 0,1>0,2", "chance", "claim 1;" * 500])
@pytest.mark.parametrize("language", LANGUAGES)
def test_illegal_moves_in_an_address_get_a_sentence(sit: Sit, language: str, moves: str) -> None:
    ida = sit(language=language)
    ida.go(f"/analysis?{urlencode({'position': CLAIMING.to_text(), 'moves': moves, 'name': 'x'})}")
    expect(ida.page.locator("#refused")).to_have_text(ida.say("analysis.bad_branch"))
    expect(ida.page.locator(".values")).to_be_visible()
    expect(ida.page.locator(".path li")).to_have_count(1)


def test_the_board_skips_unreadable_branches(sit: Sit) -> None:
    ida = sit()
    study(ida, CLAIMING)
    broken = [None, 3, {"root": 1}, {"root": CLAIMING.to_text(), "moves": ["claim 99"], "name": "gone"}]
    for stored in (json.dumps(broken), "not JSON", "{}"):
        ida.page.evaluate("text => { localStorage['kingdomino.branches'] = text; }", stored)
        study(ida, CLAIMING)
        expect(ida.page.locator(".values")).to_be_visible()
        expect(ida.page.locator(".path li")).to_have_count(1)


def test_a_finger_names_a_branch(sit: Sit) -> None:
    ida = sit(PHONE)
    study(ida, CLAIMING)
    ida.page.locator(".values .pick").first.tap()
    ida.button("analysis.play_it").tap()
    expect(ida.title).to_have_text(ida.pattern("analysis.to_place"))
    see(ida, "moves")
    ida.page.get_by_label(ida.say("analysis.branch_name")).tap()
    ida.page.keyboard.type("first")
    ida.button("analysis.branch_keep").tap()
    expect(ida.page.locator(".path strong")).to_have_text("first")
    assert ida.page.evaluate(TARGETS) == []
