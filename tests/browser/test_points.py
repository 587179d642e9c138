"""Where you lose points: sums over the games that this device has reviewed."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import expect

import kingdomino as kd
from browser.player import DESK, LANDSCAPE, PHONE, TABLET, THINKING, TRANSLATIONS, Device, Player, Sit
from browser.test_access import faultless
from browser.test_review import KEEP, keep, quick
from browser.test_words import leftovers

GAMES = 6
RULES = kd.Rules(2, harmony=True)
MINUS = "\N{MINUS SIGN}"


@cache
def games() -> list[tuple[kd.Record, kd.analysis.Review]]:
    """Return games in which the first seat always takes the first action, with their reviews."""
    found = []
    for seed in range(GAMES):
        game, greedy = kd.Game(RULES, seed=seed), kd.bots.make("greedy")
        while not game.is_over:
            first = game.position.to_move == 0
            game.play(game.legal_actions()[0] if first else greedy.choose(game.position))
        record = kd.Record.from_game(game, ["Ida", "Sorrel"])
        found.append((record, kd.analysis.review(record, kd.bots.Limit(playouts=60))))
    return found


def store(player: Player, reviewed: int = GAMES) -> list[str]:
    """Add the games to the player's own, with the reviews of the first ones; return their ids."""
    ids = []
    for number, (record, review) in enumerate(games()):
        game = keep(player, record)
        ids.append(game)
        if number < reviewed:
            text = player.page.context.request.get(f"{player.address}/api/games/{game}/record").text()
            known = json.loads(review.to_json())
            known |= {"judged": known["decisions"], "passes": [2] * review.plies}
            player.page.evaluate(KEEP, [f"{game}#1", text.strip(), known])
    return ids


def look(player: Player, reviewed: int = GAMES) -> list[str]:
    """Open the page with some reviewed games; return the ids of all."""
    ids = store(player, reviewed)
    player.go("/points")
    expect(player.page.locator("#intro")).not_to_be_empty()
    return ids


def test_the_sums_equal_the_librarys(sit: Sit) -> None:
    ida = sit()
    look(ida)
    page = ida.page
    ours = kd.analysis.summary([review for _, review in games()], rules=RULES)
    said = ida.say("points.cost", n=round(ours.cost.mean), games=GAMES)
    expect(page.locator("#intro")).to_have_text(said)
    rows = page.locator("#reasons li")
    expect(rows).to_have_count(len(ours.themes))
    ranges = [
        ida.say("points.range", low=round(one.estimate.low), high=round(one.estimate.high))
        for one in ours.themes
    ]
    assert rows.locator(".fig small").all_inner_texts() == ranges
    names = [ida.say(f"points.{one.theme or 'none'}") for one in ours.themes]
    assert rows.locator("div > b").all_inner_texts() == names
    figures = [int(figure) for figure in rows.locator(".fig b").all_inner_texts()]
    assert sum(figures) == round(ours.cost.mean)
    assert page.locator("#kinds .figs").all_text_contents() == [
        f"{one.mean:.0f}" for one in (ours.placing, ours.claiming)
    ]
    assert page.locator("#rounds .figs").all_text_contents() == [f"{one.mean:.0f}" for one in ours.rounds]
    expect(page.locator("#level h2")).to_have_count(1 if ours.level else 0)


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_every_figure_stands_above_the_base_line(sit: Sit, device: Device) -> None:
    ida = sit(device)
    look(ida)
    for chart in ("#rounds", "#kinds"):
        base = ida.page.locator(f"{chart} .base").bounding_box()
        assert base
        for figure in ida.page.locator(f"{chart} .figs").all():
            box = figure.bounding_box()
            assert box
            assert box["y"] + 0.75 * box["height"] < base["y"], figure.inner_html()


def test_a_reason_opens_its_decisions(sit: Sit) -> None:
    ida = sit()
    ids = look(ida)
    page = ida.page
    page.locator("#reasons button").last.click()
    expect(page.locator("#reasons button").last).to_have_attribute("aria-pressed", "true")
    costs = page.locator("#examples b").all_inner_texts()
    found = [int(cost.replace(MINUS, "")) for cost in costs]
    assert found == sorted(found, reverse=True)
    expect(page.locator("#examples .mini :is(kd-kingdom, .four)")).to_have_count(1)
    ida.page.locator("#examples .button").click()
    expect(page).to_have_url(re.compile(f"/mistakes/({'|'.join(ids)})#\\d+$"))
    expect(page.locator("#trying")).to_be_visible()
    expect(page.locator("#cost")).not_to_be_empty()


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["mouse", "touch"])
def test_a_reason_lists_all_its_decisions(sit: Sit, device: Device) -> None:
    ida = sit(device)
    look(ida)
    page = ida.page
    reviews = [review for _, review in games()]
    most = max(kd.analysis.summary(reviews, rules=RULES).themes, key=lambda one: one.count)
    assert most.count > 7
    theme = ida.say(f"points.{most.theme or 'none'}")
    name = f"{theme}, {ida.say('points.times', n=most.count)}"
    reason = page.get_by_role("button", name=name)
    show_all = page.get_by_role("button", name=ida.say("points.list_all", n=most.count))
    if device.touch:
        reason.tap()
        expect(page.locator("#examples .button")).to_be_in_viewport()
        show_all.tap()
    else:
        reason.click()
        show_all.click()
    links = page.locator("#examples .more a")
    expect(links).to_have_count(most.count - 1)
    expect(links.nth(5)).to_be_focused()
    expect(show_all).to_have_count(0)


def test_keys_list_all_decisions_of_a_reason(sit: Sit) -> None:
    ida = sit()
    look(ida)
    ida.focus(ida.page.locator("#reasons button").first)
    ida.press("Enter")
    show_all = ida.page.get_by_role("button", name=ida.pattern("points.list_all"))
    ida.focus(show_all)
    ida.press("Enter")
    expect(ida.page.locator("#examples .more a").nth(5)).to_be_focused()
    ida.press("Enter")
    expect(ida.page).to_have_url(re.compile(r"/mistakes/.+#\d+$"))
    expect(ida.page.locator("#trying")).to_be_visible()


def test_keys_reach_reasons_and_decisions(sit: Sit) -> None:
    ida = sit()
    look(ida)
    ida.focus(ida.page.locator("#reasons button").nth(1))
    ida.press("Enter")
    expect(ida.page.locator("#reasons button").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(ida.page.locator("#reasons button").nth(1)).to_be_focused()


def test_fewer_than_five_games_give_no_estimate(sit: Sit) -> None:
    ida = sit()
    look(ida, GAMES - 2)
    page = ida.page
    expect(page.locator("#headline")).to_have_text(ida.say("points.few"))
    expect(page.locator("#intro")).to_have_text(ida.say("points.so_far", n=GAMES - 2))
    expect(page.locator("#figures")).to_be_hidden()
    quick(ida)
    page.reload()
    page.get_by_role("button", name=ida.say("points.review", n=2)).click()
    expect(page.locator("#figures")).to_be_visible(timeout=THINKING)
    expect(page.locator("#missing")).to_be_hidden(timeout=THINKING)


def test_a_review_of_an_older_version_is_redone(sit: Sit) -> None:
    ida = sit()
    store(ida)
    ida.page.evaluate("""async () => {
      const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
      const database = await done(indexedDB.open("kingdomino"));
      const store = database.transaction("reviews", "readwrite").objectStore("reviews");
      const [row, other] = await done(store.getAll());
      row.release = other.release = "an older one";
      for (const one of row.known.decisions) delete one.theme;
      await done(store.put(row));
      await done(store.put(other));
      database.close();
    }""")
    ida.go("/points")
    expect(ida.page.locator("#left-out")).to_have_text(ida.say("points.old", n=1))
    expect(ida.page.locator("#intro")).to_contain_text(str(GAMES - 1))
    expect(ida.page.get_by_role("button", name=ida.say("points.review", n=1))).to_be_visible()


def test_the_list_of_games_links_to_the_page(sit: Sit) -> None:
    ida = sit()
    ida.go("/points")
    expect(ida.page.locator("#headline")).to_have_text(ida.say("points.few"))
    store(ida, 0)
    ida.go("/games")
    ida.link("points.link").click()
    expect(ida.page.locator("#headline")).to_have_text(ida.say("points.few"))


@pytest.mark.parametrize(
    "device", [DESK, TABLET, PHONE, LANDSCAPE], ids=["desk", "tablet", "phone", "landscape"]
)
def test_the_page_fits_and_axe_finds_no_violation(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    look(ida)
    expect(ida.page.locator("#examples .mini > *")).to_have_count(1)
    faultless(ida, "the points")
    assert ida.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    button = ida.page.locator("#reasons button").last
    (button.tap if device.touch else button.click)()
    expect(button).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_text_is_translated(sit: Sit, language: str) -> None:
    ida = sit(language=language)
    look(ida)
    expect(ida.page.locator("#figures")).to_be_visible()
    leftovers(ida, language)
