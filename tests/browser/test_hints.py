"""Hints and warnings among bots: first where to look, then the move. The page never plays for the player."""

from __future__ import annotations

import json
import re

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import Locator, expect

from browser.player import DESK, LANDSCAPE, LANGUAGES, PHONE, TABLET, Device, Json, Player, Sit
from browser.test_access import faultless
from browser.test_placing import at_work, to_place
from browser.test_words import leftovers

UNFILLABLE: Json = {"code": "unfillable", "squares": [[1, 0]], "harmony": True}
DEVICES = pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)


def hint_button(player: Player, what: str) -> Locator:
    return player.button(f"hint.{what}")


def caption(player: Player) -> Locator:
    return player.mine.get_by_role("status")


@pytest.fixture
def sit(sit: Sit) -> Sit:
    """Make each player's page record its engine's work."""

    def heard(device: Device = DESK, *, language: str = "en") -> Player:
        player = sit(device, language=language)
        player.page.add_init_script(HEARD)
        return player

    return heard  # type: ignore[return-value]


HEARD = """
window.judged = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message) {
  if (message.name === "hint") this.addEventListener("message", ({ data }) => {
    if (data.id === message.id) window.hinted = data.answer;
  });
  if (message.work) judged.push(message.work.args.action);
  if (message.work && window.judgement) return void this.onmessage({ data: { id: message.id, ...judgement } });
  post.call(this, message);
};
"""
"""Records the engine's judging tasks and its hints; may judge in its place."""


def expect_hint(player: Player) -> Json:
    """Ask for a hint; return it with the ply that the page reported to the table."""
    with player.page.expect_request(re.compile(r"/hint$")) as asked:
        hint_button(player, "ask").click()
    expect(hint_button(player, "show")).to_be_visible()
    hint: Json = player.page.evaluate("hinted")
    return hint | dict(asked.value.post_data_json or {})


def warned(player: Player, points: float = 4.2, win: float = 0.02) -> None:
    """Switch the warning on, and make every placement this costly."""
    decision = {"cost": win, "cost_points": points, "why": UNFILLABLE}
    answer = json.dumps({"answer": {"decision": decision, "start": None}})
    player.page.add_init_script(f"window.judgement = {answer}; localStorage['kingdomino.warning'] = '3'")


@DEVICES
def test_a_hint_gives_the_place_then_the_move(sit: Sit, device: Device) -> None:
    ida = at_work(sit(device))
    before = ida.snapshot()
    told = expect_hint(ida)
    expect(ida.mine.locator(".where rect")).to_have_count(1)
    expect(caption(ida)).not_to_contain_text(ida.say("kingdom.choose"))
    expect(ida.bubble).to_be_hidden()
    expect(ida.place).to_have_attribute("aria-disabled", "true")
    hint_button(ida, "show").click()
    expect(ida.bubble).to_have_text(re.compile(r"^\+\d+$"))
    assert ida.snapshot()["kingdoms"] == before["kingdoms"], "it is never placed for the player"
    if not device.touch:
        hint_button(ida, "another").click()
        expect(ida.bubble).to_be_hidden()
        hint_button(ida, "show").click()
    ida.place.click()
    assert ida.task() == "claim"
    with ida.page.expect_response(re.compile(r"/actions$")):
        ida.by_hand("claim")
    expect(ida.mine.locator(".where")).to_have_count(0)
    placed = next(one for one in ida.snapshot()["kingdoms"][0]["dominoes"] if one[0] == told["domino"])
    assert sorted([placed[1:3], placed[3:5]]) == sorted(told["squares"])
    assert ida.snapshot()["hints"] == [told["ply"]]


def test_a_hint_by_keys_and_for_a_claim(sit: Sit) -> None:
    ida = at_work(sit())
    ida.press("h")
    expect(hint_button(ida, "show")).to_be_visible()
    ida.press("h")
    expect(ida.bubble).to_be_visible()
    ida.place.click()
    assert ida.task() == "claim"
    with ida.page.expect_response(re.compile(r"/hint$")):
        ida.press("h")
    expect(caption(ida)).not_to_have_text(ida.say("table.choose_claim"))
    expect(ida.claim_which).to_be_disabled()
    ida.press("h")
    told = ida.page.evaluate("hinted")
    expect(ida.button("table.claim_n").or_(ida.claim)).to_have_text(
        ida.say("table.claim_n", domino=told["domino"])
    )
    expect(hint_button(ida, "ask")).to_be_hidden()
    ida.claim.click()
    expect(ida.claim).to_be_hidden()


def test_keys_do_nothing_behind_the_settings(sit: Sit) -> None:
    ida = at_work(sit())
    asked: list[str] = []
    ida.page.on("request", lambda request: asked.append(request.url))
    ida.point()
    ida.button("table.more").click()
    ida.button("settings.headline").click()
    sheet = ida.page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    ida.press("h", "Escape")
    expect(sheet).to_be_hidden()
    expect(ida.bubble).to_be_visible()
    assert not any(url.endswith("/hint") for url in asked)
    ida.press("h")
    expect(hint_button(ida, "show")).to_be_visible()


def test_shortcuts_of_one_letter_can_be_switched_off(sit: Sit) -> None:
    """People who dictate may trigger such shortcuts with a word."""
    ida = at_work(sit())
    asked: list[str] = []
    ida.page.on("request", lambda request: asked.append(request.url))
    shortcuts = ida.page.get_by_role("switch", name=ida.say("settings.shortcuts"))
    ida.button("table.more").click()
    ida.button("settings.headline").click()
    shortcuts.uncheck()
    ida.press("Escape")
    for kept in (False, True):
        if kept:
            ida.page.reload()
        ida.point()
        expect(ida.mine.locator("kbd").first).to_be_hidden()
        shown = ida.mine.locator(".ghost").inner_html()
        ida.press("h", "r", "k")
        expect(ida.mine.locator(".ghost")).to_have_js_property("innerHTML", shown)
        assert not any(url.endswith("/hint") for url in asked)
        expect(ida.kingdom.locator(":focus")).to_have_count(0)
    ida.press("Escape")
    expect(ida.bubble).to_be_hidden()
    ida.button("table.more").click()
    ida.button("settings.headline").click()
    shortcuts.check()
    ida.press("Escape", "h")
    expect(hint_button(ida, "show")).to_be_visible()


def test_there_is_no_hint_where_another_person_plays(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", "me")
    ida.go(f"/t/{table}")
    ida.task()
    for what in ("ask", "show"):
        expect(hint_button(ida, what)).to_have_count(0)
    ida.press("h")
    assert ida.snapshot()["hints"] == []


@DEVICES
def test_a_costly_placement_warns_once_a_turn(sit: Sit, device: Device) -> None:
    ida = sit(device)
    warned(ida)
    at_work(ida)
    ida.point()
    ida.place.click()
    expect(caption(ida)).to_have_text(
        f"{ida.say('why.unfillable_castle_harmony')} {ida.say('why.cost_points', n=4)}"
    )
    expect(ida.mine.locator(".put rect")).to_have_count(1)
    ida.take_back.click()
    assert ida.task() == "place"
    expect(ida.mine.locator(".put")).to_have_count(0)
    ida.point()
    ida.place.click()
    assert ida.task() == "claim"
    ida.by_hand("claim")
    expect(ida.claim).to_be_hidden()
    assert ida.page.evaluate("judged.length") == 1


def test_a_warning_by_keys(sit: Sit) -> None:
    ida = sit()
    warned(ida, points=0, win=0.2)
    at_work(ida)
    ida.press_place()
    expect(caption(ida)).to_contain_text(ida.say("why.cost_chance", n=20))
    expect(ida.take_back).to_be_focused()
    ida.press("z")
    assert ida.task() == "place"


def test_a_player_keeps_a_placement_despite_a_warning(sit: Sit) -> None:
    ida = sit()
    warned(ida)
    at_work(ida)
    ida.click_place()
    ida.button("table.keep").click()
    assert ida.task() == "claim"
    with ida.page.expect_response(re.compile(r"/actions$")):
        ida.click_claim()


def test_the_last_turn_waits_for_the_answer_to_a_warning(sit: Sit) -> None:
    ida = sit()
    warned(ida)
    last = at_work(
        ida,
        lambda stands: (
            to_place({**stands, "round": 5, "next_line": [{"seat": None}] * 2}) and stands["round"] == 6
        ),
    )
    last.click_place()
    expect(ida.button("table.keep")).to_be_visible()
    with ida.page.expect_response(re.compile(r"/actions$")):
        ida.button("table.keep").click()


def test_cheap_or_unanswered_placements_get_no_warning(sit: Sit) -> None:
    ida = sit()
    warned(ida, points=2.4, win=0.05)
    at_work(ida)
    ida.turn()
    failure: Json = {
        "message": "unreachable",
        "refusal": None,
        "faults": [],
        "number": None,
        "is_misuse": False,
    }
    ida.page.evaluate(f"() => {{ window.judgement = {json.dumps({'failure': failure})}; }}")
    ida.turn()
    ida.page.evaluate("() => { window.judgement = { ended: 'died' }; }")
    ida.turn()


def test_without_the_setting_there_is_no_warning(sit: Sit) -> None:
    ida = sit()
    at_work(ida)
    ida.turn()
    assert ida.page.evaluate("judged") == []


def test_a_placement_is_judged_by_the_engine(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script("localStorage['kingdomino.warning'] = '99'")  # too high for any warning
    at_work(ida)
    ida.turn()
    assert len(ida.page.evaluate("judged")) == 1


@pytest.mark.parametrize("missing", ["WebAssembly", "Worker"])
def test_without_an_engine_a_hint_is_a_sentence(sit: Sit, missing: str) -> None:
    ida = sit()
    ida.page.add_init_script(f"delete globalThis.{missing}; localStorage['kingdomino.warning'] = '3'")
    at_work(ida)
    hint_button(ida, "ask").click()
    expect(ida.page.locator("#page").get_by_text(ida.say("engine.none"))).to_be_visible()
    assert ida.snapshot()["hints"] == []
    ida.turn()


def test_the_warning_is_chosen_in_the_settings(sit: Sit) -> None:
    ida = sit()
    ida.go()
    ida.button("settings.headline").click()
    ida.page.get_by_role("radio", name=ida.say("settings.warning_3")).check(force=True)
    assert ida.page.evaluate("localStorage['kingdomino.warning']") == "3"


@pytest.mark.parametrize(("language", "device"), [("en", DESK), ("fr", PHONE), ("es", DESK)])
def test_hints_and_warnings_fit_in_every_language(sit: Sit, language: str, device: Device) -> None:
    ida = sit(device, language=language)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    warned(ida)
    at_work(ida)
    expect_hint(ida)
    leftovers(ida, language)
    faultless(ida, "where to look")
    hint_button(ida, "show").click()
    faultless(ida, "the move")
    ida.place.click()
    expect(ida.take_back).to_be_visible()
    leftovers(ida, language)
    faultless(ida, "a warning")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(sit: Sit, language: str) -> None:
    """Check that the client knows every reason of the server."""
    ida = sit(language=language)
    ida.go()
    terrain = {"terrain": "wheat", "squares": [[1, 0], [2, 0]], "crowns": 1}
    claim = {"dominoes": [3, 4], "better": 5}
    reasons: list[Json] = [
        UNFILLABLE,
        {**UNFILLABLE, "squares": [[2, 2], [2, 1]], "harmony": False},
        {"code": "harmony"},
        {"code": "middle_kingdom"},
        {"code": "territory_closed", **terrain},
        {"code": "fewer_crowns", "crowns": 0, "better": 2, "dominoes": None},
        {"code": "fewer_crowns", "crowns": 0, **claim},
        {"code": "fewer_points", "points": 1, "better": 2, "last": False, "dominoes": None},
        {"code": "fewer_points", "points": None, "last": False, **claim},
        {"code": "fewer_points", "points": 1, "last": False, **claim},
        {"code": "left_to_opponents", "domino": 9, "seat": 0, "opponents": [1], "points": [0, 1]},
        {"code": "later_turn", "domino": 9, "better": 3, "place": 2, "better_place": 1},
    ]
    said: list[list[str]] = ida.page.evaluate(
        """async (reasons) => {
          const { reasonText, hintText } = await import(document.querySelector("script[src*=home]").src
            .replace("pages/home.js", "i18n/reason-text.js"));
          const hints = [[[1, 0], [2, 0]], []].flatMap((squares) =>
            [null, ...reasons].map((reason) => hintText({ squares, reason }, () => "Oskar")));
          return [reasons.map((reason) => reasonText(reason, () => "Oskar")), hints];
        }""",
        reasons,
    )
    for sentence in said[0]:
        assert sentence.endswith("."), sentence
        assert not re.search(r"[{}]|\b(why|hint|kingdom)\.", sentence), sentence
