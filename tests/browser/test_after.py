"""After a game: a rematch, the next game of a Dynasty, the record, the proof of the deal, and the replay."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Route, expect
from support.outcomes import ended, totals
from support.setups import unseen_after

import kingdomino as kd
from browser.player import Player, Sit, catalogue
from browser.test_attention import PAUSED, STILL
from browser.test_offline import no_server

MOVES = ("dealt", "claimed", "placed", "discarded", "finished")
BOT = {"kind": "bot", "bot": "greedy"}


def test_a_dynasty_is_three_games(sit: Sit) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT, dynasty="total")
    for game in (1, 2, 3):
        ida.program(table)
        ida.go(f"/t/{table}")
        if game < 3:
            expect(ida.page.get_by_role("table")).to_contain_text(ida.say("end.game_n", game=game))
            ida.next_game.click()
            expect(ida.mine).to_be_visible()
    expect(ida.title).to_contain_text("Dynasty")
    totals = ida.page.get_by_role("table")
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    finished = [each for each in events if each["kind"] == "finished"]
    for seat in (0, 1):
        for end in finished:
            expect(totals).to_contain_text(str(end["scores"][seat]["total"]))
        expect(totals).to_contain_text(str(finished[-1]["match"]["scores"][seat]))


def test_the_language_changes_between_two_games(sit: Sit) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT, dynasty="total")
    ida.program(table)
    ida.go(f"/t/{table}")
    expect(ida.next_game).to_be_visible()
    ida.button("table.more").click()
    ida.button("settings.headline").click()
    ida.page.get_by_role("dialog").get_by_role("combobox").select_option("fr")
    ida.press("Escape")
    french = catalogue("fr")
    expect(ida.page.get_by_role("button", name=str(french["end.next_game"]))).to_be_visible()
    expect(ida.page.get_by_role("link", name=str(french["end.look_back"]))).to_be_visible()
    expect(ida.page.get_by_role("table")).to_contain_text(str(french["end.game_n"]).replace("{game}", "1"))


def test_a_table_shows_its_end_after_an_update(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("409")  # the page may ask for the choices of a turn that is already over
    table = ida.create({"kind": "me", "name": "Ida"}, "me")
    while (stands := ida.snapshot(table))["round"] < 2:
        ida.program_turn(table, stands["turn"])
    with ida.page.expect_request_finished(lambda request: request.url.endswith("/js/pages/end.js")) as end:
        ida.go(f"/t/{table}")
    ida.task()
    ida.page.evaluate("(end) => import(end).then(() => {})", end.value.url)  # with all its imports
    ida.catch(re.compile("/static/.*js$"), lambda route: route.fulfill(status=404))
    while turn := ida.snapshot(table)["turn"]:
        ida.program_turn(table, turn)
    expect(ida.again).to_be_visible()


def test_a_page_without_a_file_after_an_update_asks_for_a_reload(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("404|dynamically imported module")
    table = ida.create({"kind": "me", "name": "Ida"}, BOT)
    ida.program(table)
    ida.catch("**/js/pages/end.js", lambda route: route.fulfill(status=404))
    ida.page.goto(f"{ida.address}/t/{table}")
    expect(ida.page.get_by_role("alert").filter(has_text=ida.say("table.newer"))).to_be_visible()
    ida.page.unroute("**/js/pages/end.js")
    ida.button("table.reload").click()
    expect(ida.again).to_be_visible()


def sit_alone(ida: Player, seat: int) -> None:
    """Make the page believe that it has only one of its seats."""

    def alone(text: str | bytes) -> str | bytes:
        message = json.loads(text)
        if message["type"] == "snapshot":
            message["you"]["seats"] = [seat]
        return json.dumps(message)

    ida.page.route_web_socket(
        "**/socket*",
        lambda socket: (lambda server: server.on_message(lambda text: socket.send(alone(text))))(
            socket.connect_to_server()
        ),
    )


def test_four_players_see_their_place_and_kingdom(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", "me", "me", "me")
    ida.program(table)
    finished = ida.snapshot(table)["finished"]
    places = finished["places"]
    last = finished["ranking"][-1]

    sit_alone(ida, last)
    ida.go(f"/t/{table}")
    totals = [score["total"] for score in finished["scores"]]
    above = next(seat for seat in reversed(finished["ranking"]) if places[seat] < places[last])
    place, better = ida.say(f"end.place_{places[last]}"), ida.say(f"end.above_{places[above]}")
    short = totals[above] - totals[last]
    key = "came_level" if not short else "came_short" if places[above] == 1 else "came_short_of"
    expect(ida.title).to_have_text(ida.say(f"end.{key}", n=short, place=place, above=better))
    own = ida.page.locator(".ranks li.you")
    expect(own.locator(".place")).to_have_text(re.compile(f"^{places[last]}"))
    expect(ida.page.locator(".stage .score")).to_have_text(str(totals[last]))
    shown = ida.page.locator(".ranks .score")
    expect(shown).to_have_text([str(totals[seat]) for seat in finished["ranking"]])


# Kingdoms of 4 points, named by the squares of their largest territory and by their crowns.
FOUR_ONE, FOUR_TWO, TWO_TWO, NOTHING = "Cw1www", "llw2w/llC.", "Cw2w", "C"


@pytest.mark.parametrize(
    ("edition", "kingdoms", "title", "why"),
    [
        (
            "first",
            (FOUR_ONE, FOUR_TWO, TWO_TWO),
            "You came second, level on points.",
            (
                "Oskar wins by more crowns. You, Oskar, and Pablo all have 4 points. "
                "Oskar's largest territory is 4 squares of lake, yours is 4 squares of wheat, "
                "Pablo's is 2 squares of wheat. Crowns decide: Oskar 2 crowns and you 1 crown."
            ),
        ),
        (
            "second",
            (FOUR_ONE, FOUR_TWO, TWO_TWO),
            "You share the victory with Oskar.",
            (
                "You, Oskar, and Pablo all have 4 points. Your largest territory is 4 squares of wheat, "
                "Oskar's is 4 squares of lake, Pablo's is 2 squares of wheat."
            ),
        ),
        (
            "first",
            (FOUR_TWO, FOUR_TWO, NOTHING),
            "You share the victory with Oskar.",
            (
                "You and Oskar have 4 points each, largest territories of 4 squares, and 2 crowns. "
                "Mara and Pablo both have 0 points. Mara's largest territory is 2 squares of lake."
            ),
        ),
        (
            "second",
            (TWO_TWO, TWO_TWO, TWO_TWO),
            "You share the victory with Oskar and Pablo.",
            "You, Oskar, and Pablo have 4 points each, and largest territories of 2 squares.",
        ),
    ],
)
def test_the_end_explains_a_tie(
    sit: Sit, edition: Literal["first", "second"], kingdoms: tuple[str, str, str], title: str, why: str
) -> None:
    ida = sit()
    rules = kd.Rules(4, edition)
    line = f"{rules.rounds} place:3 *5@0,*6@1,*8@2,9@3 - {unseen_after([5, 6, 8, 9], rules)}"
    seats = [{"kind": "me", "name": name} for name in ("Ida", "Oskar", "Pablo", "Mara")]
    position = f"kd1 {rules.to_text()} {line} {';'.join(kingdoms)};C"
    table = ida.ask("/api/tables", {"seats": seats, "position": position})["table"]["id"]
    ida.program(table)
    sit_alone(ida, 0)
    ida.go(f"/t/{table}")
    expect(ida.title).to_have_text(title)
    expect(ida.page.locator(".why")).to_have_text(why.replace("'", "\u2019"))


def test_spectators_follow_to_the_next_game(sit: Sit) -> None:
    ida, mara = sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT)
    ida.program(table)
    for player in (ida, mara):
        player.go(f"/t/{table}")
    expect(mara.page.locator(".ranks")).to_be_visible()
    ida.again.click()
    for player in (ida, mara):
        player.page.wait_for_url(lambda url: table not in url)
    assert ida.arrive() == mara.arrive()


def test_the_record_and_the_proof_of_the_deal(sit: Sit, tmp_path: Path) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT, harmony=True)
    ida.program(table)
    ida.go(f"/t/{table}")
    ida.button("end.deal_how").click()
    expect(ida.page.get_by_text(ida.say("end.deal_not_kept"))).to_be_visible()
    with ida.page.expect_download() as download:
        ida.link("end.record").click()
    download.value.save_as(tmp_path / "game.txt")
    record = kd.Record.parse((tmp_path / "game.txt").read_text())
    finished = ida.snapshot()["finished"]
    assert [score["total"] for score in finished["scores"]] == list(totals(ended(record)))


def test_replay_with_keys(sit: Sit) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT)
    ida.program(table)
    ida.go(f"/t/{table}")
    ida.focus(ida.link("end.look_back"))
    ida.press("Enter")
    ida.page.wait_for_url(re.compile("/replay"))
    slider = ida.page.get_by_role("slider", name=ida.say("replay.moment"))
    moments = int(slider.get_attribute("max") or 0)
    assert moments > 24
    back, next_ = ida.button("replay.back"), ida.button("replay.next")
    expect(back).to_be_disabled()
    for at in range(1, 6):
        ida.press("ArrowRight")
        expect(slider).to_have_value(str(at))
    ida.press("ArrowLeft")
    expect(slider).to_have_value("4")
    ida.press("End")
    expect(slider).to_have_value(str(moments))
    expect(next_).to_be_disabled()
    finished = ida.snapshot(table)["finished"]
    expect(ida.mine.locator(".score")).to_contain_text(str(finished["scores"][0]["total"]))
    ida.focus(slider)
    ida.press("ArrowLeft", "ArrowLeft")
    expect(slider).to_have_value(str(moments - 2))
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    moves = [each["number"] for each in events if each["kind"] in MOVES]
    expect(ida.page).to_have_url(re.compile(rf"#{moves[moments - 2]}$"))
    ida.page.reload()
    expect(slider).to_have_value(str(moments - 2))
    ida.press("Home")
    expect(slider).to_have_value("0")


TITLES = """() => {
  const title = document.querySelector("h1");
  window.titles = [];
  new MutationObserver(() => titles.push(title.textContent)).observe(title, { childList: true });
}"""


def test_two_quick_steps_reach_the_second(sit: Sit) -> None:
    ida = sit(moving=True)
    table = ida.create("me", BOT)
    ida.program(table, lambda stands: bool(stands["round"] == 2))
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    moves = [each for each in events if each["kind"] in MOVES]
    first = next(at for at, each in enumerate(moves) if each["kind"] == "placed")
    ida.page.add_init_script(STILL)
    ida.go(f"/t/{table}/replay#{moves[first - 1]['number']}")
    slider = ida.page.get_by_role("slider", name=ida.say("replay.moment"))
    expect(slider).to_have_value(str(first - 1))
    ida.page.evaluate("isStill = true")
    ida.press("ArrowRight")
    ida.page.wait_for_function(f"() => {PAUSED}.length > 0")
    ida.press("ArrowRight")
    expect(slider).to_have_value(str(first + 1))
    ida.page.evaluate(TITLES)
    ida.page.evaluate(f"() => {PAUSED}.forEach((each) => each.finish())")
    ida.settle()
    assert ida.page.evaluate("titles") == []


def replay_of_a_game_that_goes_on(ida: Player) -> str:
    """Play three rounds of a game, and open the replay of its last move. Return the table."""
    table = ida.create("me", BOT)
    ida.program(table, lambda stands: stands["round"] == 3)
    ida.go(f"/t/{table}/replay")
    ida.press("End")
    expect(ida.button("replay.back")).to_be_enabled()
    return table


def test_an_unfinished_game_has_a_replay(sit: Sit) -> None:
    ida = sit()
    replay_of_a_game_that_goes_on(ida)
    ida.link("replay.to_table").click()
    ida.task()


def test_a_link_to_a_moment_is_copied(sit: Sit) -> None:
    ida = sit(permissions=["clipboard-read", "clipboard-write"])
    replay_of_a_game_that_goes_on(ida)
    ida.press("ArrowLeft")
    copy = ida.button("replay.copy")
    mark = copy.locator("svg").inner_html()
    copy.click()
    expect(ida.page.locator("#announcer")).to_contain_text(ida.say("wait.copied"))
    assert copy.locator("svg").inner_html() != mark
    expect(ida.page).to_have_url(ida.page.evaluate("navigator.clipboard.readText()"))
    assert "#" in ida.page.url


def test_the_replay_shows_new_moves_once(sit: Sit) -> None:
    ida = sit()
    table = replay_of_a_game_that_goes_on(ida)
    ida.program_turn(table, ida.snapshot(table)["turn"])
    while ida.snapshot(table)["turn"]["seat"] != 0:
        pass  # the bot moves
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    last = str(sum(each["kind"] in MOVES for each in events) - 1)
    asked: list[Route] = []
    ida.catch("**/events*", lambda route: asked.append(route))
    with ida.page.expect_request("**/events*"):
        ida.press("End")
    ida.press("End", "End")
    for each in asked:
        each.continue_()
    slider = ida.page.get_by_role("slider", name=ida.say("replay.moment"))
    expect(slider).to_have_value(last)
    expect(slider).to_have_attribute("max", last)
    assert len(asked) == 1


def test_the_replay_retries_new_moves(sit: Sit) -> None:
    ida = sit()
    replay_of_a_game_that_goes_on(ida)
    slider = ida.page.get_by_role("slider", name=ida.say("replay.moment"))
    last = slider.input_value()
    no_server(ida, "**/events*")
    ida.press("ArrowRight")
    sentence = ida.page.locator(".sentence")
    expect(sentence).to_have_text(ida.say("common.refused_offline"))
    ida.page.unroute("**/events*")
    ida.press("ArrowLeft")
    expect(sentence).not_to_have_text(ida.say("common.refused_offline"))
    ida.press("ArrowRight")
    expect(slider).to_have_value(last)
