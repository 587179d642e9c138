"""Learning from mistakes: the account of a game, and its costly decisions tried again, by mouse, touch and keys."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import Locator, expect

import kingdomino as kd
from browser.player import DESK, LANDSCAPE, PHONE, TABLET, THINKING, TRANSLATIONS, Device, Player, Sit
from browser.test_access import faultless
from browser.test_reach import with_safe_areas
from browser.test_review import BOT, FOUR, IDA, KEEP, RECORD, keep, quick
from browser.test_words import leftovers

ANSWERS = ("same", "best_there_is", "better", "worse", "better_points", "worse_points")


@cache
def judged(record: kd.Record = RECORD) -> kd.analysis.Review:
    """Review a game."""
    return kd.analysis.review(record, kd.bots.Limit(playouts=300))


def mistakes(review: kd.analysis.Review) -> list[kd.analysis.Decision]:
    """Return the first seat's decisions that are in the strip."""
    own = [one for one in review.decisions if one.seat == 0 and one.cost_points >= 2]
    return sorted(own, key=lambda one: (-one.cost_points, one.ply))[:6]


def store(player: Player, review: kd.analysis.Review, record: kd.Record = RECORD) -> str:
    """Keep the game and its review on the player's device; return its id."""
    game = keep(player, record)
    text = player.page.context.request.get(f"{player.address}/api/games/{game}/record").text().strip()
    known = json.loads(review.to_json())
    known |= {"judged": known["decisions"], "passes": [2] * review.plies}
    player.page.evaluate(KEEP, [f"{game}#1", text, known])
    return game


def learn(player: Player, review: kd.analysis.Review | None = None, record: kd.Record = RECORD) -> str:
    """Open the mistakes of a game that this device has reviewed."""
    game = store(player, review or judged(record), record)
    player.go(f"/mistakes/{game}")
    expect(player.page.locator("#sum table")).to_be_visible()
    return game


def press(player: Player, target: Locator) -> None:
    """Tap or click."""
    (target.tap if player.device.touch else target.click)()


def of_kind(review: kd.analysis.Review, kind: str) -> kd.analysis.Decision:
    """Return the costliest placement or claim in the strip."""
    return next(one for one in mistakes(review) if str(one.action).startswith(kind))


def answer_pattern(player: Player) -> re.Pattern[str]:
    """Return a pattern of every answer to a try."""
    return player.pattern(*(f"review.{answer}" for answer in ANSWERS))


def test_the_end_links_to_the_account(sit: Sit) -> None:
    ida = sit()
    quick(ida)
    ida.go()
    table = ida.create(IDA, BOT)
    ida.program(table)
    ida.go(f"/t/{table}")
    ida.link("mistakes.learn").click()
    expect(ida.page.locator("#sum table")).to_be_visible(timeout=THINKING)
    rows = ida.page.locator("#sum tr td:nth-of-type(1)").all_inner_texts()
    cost, received, luck, margin = (int(row.replace("\N{MINUS SIGN}", "-")) for row in rows)
    assert cost + received + luck == margin
    ida.link("mistakes.to_end").click()
    expect(ida.link("mistakes.learn")).to_be_visible()


def test_the_list_of_games_links_to_the_page(sit: Sit) -> None:
    ida = sit()
    game = store(ida, judged())
    ida.go("/games")
    ida.link("mistakes.learn_short").first.click()
    expect(ida.page).to_have_url(re.compile(f"/mistakes/{game}"))


def test_the_account_adds_up(sit: Sit) -> None:
    ida = sit()
    learn(ida)
    account = judged().seats[0].account
    assert account
    assert account.margin < 0 < account.cost
    title = ida.page.locator("#account")
    expect(title).to_contain_text(ida.say("mistakes.lost_you", n=-account.margin))
    numbers = [int(number) for number in re.findall(r"\d+", title.inner_text())]
    assert numbers[0] == abs(account.margin)
    expect(ida.page.locator(".addup .total td").first).to_have_text(f"\N{MINUS SIGN}{-account.margin}")
    found = mistakes(judged())
    expect(ida.page.locator("#six li")).to_have_count(len(found))
    costs = [f"\N{MINUS SIGN}{one.cost_points:.0f}" for one in found]
    assert ida.page.locator("#six b").all_inner_texts() == costs


def test_four_players_have_odds_in_the_account(sit: Sit) -> None:
    ida = sit()
    learn(ida, record=FOUR)
    account = judged(FOUR).seats[0].account
    assert account
    assert account.start < 0
    expect(ida.page.locator(".addup")).to_contain_text(ida.say("mistakes.row_start"))
    expect(ida.page.locator("#account")).to_contain_text(ida.say("mistakes.start_was", n=-account.start))


@pytest.mark.parametrize("kind", ["place", "claim"])
def test_a_mistake_is_tried_before_its_answer(sit: Sit, kind: str) -> None:
    ida = sit()
    game = learn(ida)
    one = of_kind(judged(), kind)
    page = ida.page
    page.locator(f"#six a[href='#{one.ply + 1}']").click()
    expect(page.locator("#cost")).to_have_text(ida.say("review.find_you", n=round(one.cost_points)))
    expect(page.locator("#cost")).to_be_focused()
    expect(page.locator(".learn .others section, .learn .others .frame")).to_have_count(1)
    if kind == "place":
        spots = page.locator("#kingdom .spots use")
        expect(spots.first).to_be_attached()
        expect(page.locator("#kingdom .played use, #list .at .put")).to_have_count(0)
        box = spots.first.bounding_box()
        assert box
        for _ in range(2):
            page.mouse.click(box["x"] + box["width"] / 2 + 3, box["y"] + box["height"] / 2 + 3)
    else:
        expect(page.locator("#claims .is-yours")).to_have_count(0)
        page.locator("#claims button").first.click()
    expect(page.locator("#cost")).to_have_text(answer_pattern(ida))
    expect(page.locator("#why")).to_have_text(ida.say("mistakes.in_game_you", n=round(one.cost_points)))
    parts = page.locator("#parts li:not(.total) b").all_inner_texts()
    wholes = [int(part.replace("\N{MINUS SIGN}", "-")) for part in parts]
    opponents = [part.whole for part in one.parts if part.kind == "opponent" and part.whole]
    own = [-part.whole for part in one.parts if part.kind != "opponent" and part.whole]
    assert sorted(wholes) == sorted(opponents + own)
    assert sum(opponents) - sum(own) == round(one.cost_points)
    expect(ida.link("analysis.open_short")).to_have_attribute(
        "href", re.compile(rf"game={game}&ply={one.ply}$")
    )
    ida.button("mistakes.try_again").click()
    ida.button("review.show_me").click()
    expect(page.locator("#cost")).to_have_text(ida.say("mistakes.was_better"))


def test_repeating_the_mistake_and_finding_the_best(sit: Sit) -> None:
    ida = sit()
    learn(ida)
    one = of_kind(judged(), "claim")
    page = ida.page
    page.locator(f"#six a[href='#{one.ply + 1}']").click()
    for action, key in ((one.action, "review.same"), (one.best, "review.best_there_is")):
        assert action.domino
        claim = page.locator("#claims li", has=page.get_by_text(str(action.domino.number), exact=True))
        claim.get_by_role("button").click()
        expect(page.locator("#cost")).to_have_text(ida.say(key))
        ida.button("mistakes.try_again").click()


def test_keys_solve_all_mistakes(sit: Sit) -> None:
    ida = sit()
    learn(ida)
    page, found = ida.page, mistakes(judged())
    ida.press("n")
    for number in range(1, len(found) + 1):
        expect(page.locator("#where")).to_have_text(ida.say("mistakes.of", n=number, of=len(found)))
        ida.focus(ida.button("review.show_me"))
        ida.press("Enter")
        expect(page.locator("#cost")).to_have_text(ida.say("mistakes.was_better"))
        if number == 1:
            ida.press("ArrowRight")
            expect(page.locator("#where")).to_have_text(ida.say("mistakes.of", n=2, of=len(found)))
            ida.press("ArrowLeft")
            expect(page.locator("#where")).to_have_text(ida.say("mistakes.of", n=1, of=len(found)))
        ida.press("n")
    done = ida.say("mistakes.done", n=len(found))
    expect(page.locator("#intro")).to_contain_text(done)
    account = judged().seats[0].account
    assert account
    would = account.margin + round(sum(one.cost_points for one in found))
    if would > 0:
        said = ida.say("mistakes.would_have_won_you", done=done, n=would)
        expect(page.locator("#intro")).to_have_text(said)
    else:
        expect(page.locator("#intro")).to_have_text(done)


def test_n_steps_through_the_mistakes(sit: Sit) -> None:
    ida = sit()
    found = sorted(one.ply for one in mistakes(judged()))
    assert len(found) > 3
    ida.go(f"/review/{store(ida, judged())}#1")
    where = ida.page.locator("#where")
    expect(ida.page.locator("#lines .tri")).to_have_count(len(found))
    for ply in [*(one for one in found if one > 0), found[0]]:
        ida.page.keyboard.press("n")
        expect(where).to_have_text(ida.say("review.where", n=ply + 1, of=judged().plies))


def test_no_sentence_about_an_unreachable_victory(sit: Sit) -> None:
    ida = sit()
    review = judged()
    account = review.seats[0].account
    assert account
    far = replace(account, margin=-200, luck=account.luck - 200 - account.margin)
    learn(ida, replace(review, seats=(replace(review.seats[0], account=far), review.seats[1])))
    for _ in mistakes(review):
        ida.press("n")
        ida.button("review.show_me").click()
    ida.press("n")
    expect(ida.page.locator("#intro")).to_have_text(ida.say("mistakes.done", n=len(mistakes(review))))


def test_the_page_plays_the_likely_moves(sit: Sit) -> None:
    ida = sit()
    review = judged()
    learn(ida, review)
    one = next(one for one in mistakes(review) if len(one.line) > 1)
    page = ida.page
    page.locator(f"#six a[href='#{one.ply + 1}']").click()
    ida.button("review.show_me").click()
    ida.button("mistakes.goes_on").click()
    step = page.locator("#walked")
    expect(step).to_contain_text(f"1 of {len(one.line)}")
    for number in range(2, len(one.line) + 1):
        ida.button("mistakes.step_on").click()
        expect(step).to_contain_text(f"{number} of {len(one.line)}")
    expect(ida.button("mistakes.step_on")).to_have_attribute("aria-disabled", "true")
    ida.button("mistakes.step_back").click()
    expect(step).to_contain_text(f"{len(one.line) - 1} of")


def test_a_game_without_mistakes_gets_a_sentence(sit: Sit) -> None:
    ida = sit()
    review = judged()
    decisions = tuple(replace(one, cost_points=min(one.cost_points, 1.9)) for one in review.decisions)
    learn(ida, replace(review, decisions=decisions))
    expect(ida.page.locator("#intro")).to_have_text(ida.say("mistakes.none_you"))
    expect(ida.page.locator("#six")).to_be_hidden()
    expect(ida.link("mistakes.whole")).to_be_visible()


def test_a_review_in_an_old_format_is_redone(sit: Sit) -> None:
    ida = sit()
    quick(ida)
    game = store(ida, judged())
    ida.page.evaluate("""async () => {
      const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
      const database = await done(indexedDB.open("kingdomino"));
      const store = database.transaction("reviews", "readwrite").objectStore("reviews");
      const [row] = await done(store.getAll());
      row.release = "an older one";
      for (const seat of row.known.seats) delete seat.account;
      await done(store.put(row));
      database.close();
    }""")
    ida.go(f"/mistakes/{game}")
    expect(ida.page.locator("#sum table")).to_be_visible(timeout=THINKING)


def test_the_address_selects_another_seat(sit: Sit) -> None:
    ida = sit()
    ida.go()
    answer = ida.ask("/api/me/games", {"records": [{"text": RECORD.to_text(), "seat": None}]})
    quick(ida)
    ida.go(f"/mistakes/{answer['games'][0]}")
    expect(ida.page.locator("#account")).to_have_text(ida.say("mistakes.whose"))
    ida.page.get_by_role("link", name="Sorrel").click()
    expect(ida.page.locator("#sum table")).to_be_visible(timeout=THINKING)
    expect(ida.page.locator("#account")).to_contain_text("Sorrel")


def test_an_unfinished_game_has_no_mistakes_page(sit: Sit) -> None:
    ida = sit()
    ida.go()
    table = ida.create(IDA, BOT)
    ida.go(f"/mistakes/{table}")
    expect(ida.page.locator("#account")).to_have_text(ida.say("review.not_over"))
    ida.trouble.forgive("404")
    ida.go(f"/mistakes/{'a' * 24}")
    expect(ida.page.locator("#account")).to_have_text(ida.say("common.refused_no_game"))


@pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)
def test_the_page_fits_and_axe_finds_no_violation(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    learn(ida)
    page = ida.page

    def look(where: str) -> None:
        faultless(ida, where)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
        if uncovered:
            uncovered(where)

    uncovered = with_safe_areas(ida) if device in (PHONE, LANDSCAPE) else None
    look("the account")
    for kind in ("place", "claim"):
        page.goto(f"{page.url.partition('#')[0]}#{of_kind(judged(), kind).ply + 1}")
        expect(page.locator("#kingdom .spots use, #claims button").first).to_be_attached()
        look(kind)
        press(ida, ida.button("review.show_me"))
        look(f"{kind}, the answer")
        if ida.button("mistakes.goes_on").is_visible():
            press(ida, ida.button("mistakes.goes_on"))
            expect(page.locator("#walk")).to_be_visible()
            look(f"{kind}, how it goes on")
    press(ida, page.locator("#next"))
    expect(ida.button("review.show_me")).to_be_visible()


@pytest.mark.parametrize("language", ["en", *TRANSLATIONS])
def test_the_captions_of_the_strip_take_one_line_on_a_phone(sit: Sit, language: str) -> None:
    ida = sit(replace(PHONE, width=360), language=language)
    learn(ida)
    captions = ida.page.locator("#six small").locator("visible=true")
    expect(captions.first).to_be_visible()
    heights = captions.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    assert max(heights) < 1.5 * min(heights)
    assert max(heights) < 24


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_text_is_translated(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    learn(ida)
    leftovers(ida, language)
    for kind in ("place", "claim"):
        ida.page.goto(f"{ida.page.url.partition('#')[0]}#{of_kind(judged(), kind).ply + 1}")
        leftovers(ida, language)
        ida.button("review.show_me").click()
        leftovers(ida, language)
