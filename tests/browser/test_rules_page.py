"""The rules page: nine rules with correct pictures, and switches that show each variant."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from playwright.sync_api import expect

import kingdomino as kd
from browser.player import PHONE, Player, Sit

PICTURES = "async () => (await import('/static/js/pages/rule-pictures.js')).KINGDOMS"


def switch(player: Player, key: str) -> None:
    """Find a switch by its words."""
    player.page.get_by_role("switch", name=player.say(key), exact=True).click()


def players(player: Player, count: int) -> None:
    """Choose the number of players."""
    player.page.get_by_role("radio", name=str(count), exact=True).check(force=True)


def test_nine_rules_each_have_a_title_a_picture_and_a_sentence(sit: Sit) -> None:
    ida = sit()
    ida.go("/rules")
    expect(ida.title).to_have_text(ida.say("rules.headline"))
    rules = ida.page.locator("#nine > li")
    expect(rules).to_have_count(9)
    for rule in rules.all():
        expect(rule.get_by_role("heading", level=2)).not_to_be_empty()
        expect(rule.locator("p").first).not_to_be_empty()
        expect(rule.locator(".pic svg").first).to_be_visible()
    expect(ida.page.locator("#exact > li")).to_have_count(9)


def test_a_switch_shows_its_variants_changes(sit: Sit) -> None:
    ida = sit()
    ida.go("/rules")
    for key, line in (
        ("common.harmony", "with_harmony"),
        ("common.middle_kingdom", "with_middle_kingdom"),
        ("common.mighty_duel", "with_mighty_duel"),
        ("common.dynasty", "with_dynasty"),
        ("rules.first", "with_first"),
        ("rules.snake", "with_snake"),
    ):
        shown = ida.page.get_by_text(ida.say(f"rules.{line}", squares=25 if line == "with_harmony" else 49))
        expect(shown).to_be_hidden()
        switch(ida, key)
        expect(shown).to_be_visible()
    expect(ida.page.get_by_text(ida.say("rules.with_harmony", squares=49))).to_be_visible()


def test_the_number_of_players_changes_the_rules(sit: Sit) -> None:
    ida = sit()
    ida.go("/rules#2,mighty_duel,snake")
    expect(ida.page.get_by_text(ida.say("rules.with_two"))).to_be_visible()
    expect(ida.page.get_by_text(ida.say("rules.with_mighty_duel"))).to_be_visible()
    players(ida, 3)
    for key in ("common.mighty_duel", "rules.snake"):
        expect(ida.page.get_by_role("switch", name=ida.say(key), exact=True)).to_be_disabled()
    for line in ("with_two", "with_mighty_duel", "with_snake", "with_three_first"):
        expect(ida.page.get_by_text(ida.say(f"rules.{line}"))).to_be_hidden()
    expect(ida.page.get_by_text(ida.say("rules.with_three"))).to_be_visible()
    switch(ida, "rules.first")
    expect(ida.page.get_by_text(ida.say("rules.with_three_first"))).to_be_visible()
    expect(ida.page.get_by_text(ida.say("rules.with_three"))).to_be_hidden()


def test_the_sentence_above_the_cards_agrees_with_the_engine(sit: Sit) -> None:
    ida = sit()
    for count, edition, duel in product((2, 3, 4), ("first", "second"), (False, True)):
        if duel and count != 2:
            continue
        rules = kd.Rules(count, edition, duel)  # type: ignore[arg-type]
        chosen = [str(count), *(["first"] if edition == "first" else []), *(["mighty_duel"] if duel else [])]
        ida.page.goto("about:blank")
        ida.go(f"/rules#{','.join(chosen)}")
        every = rules.dominoes == 48
        which = ida.say("common.dominoes_all" if every else "common.dominoes_some", n=rules.dominoes)
        words = ida.say(
            "rules.summary",
            players=ida.say(f"common.players_{count}"),
            kings=ida.say(f"rules.kings_{rules.kings}"),
            dominoes=which,
            rounds=rules.rounds,
            size=rules.size,
        )
        expect(ida.page.locator("#summary")).to_have_text(words)


def built(picture: dict[str, Any]) -> kd.Kingdom:
    """Build the kingdom of a picture, domino by domino, as the rules allow."""
    kingdom = kd.Kingdom()
    for number, *squares in picture["dominoes"]:
        kingdom = kingdom.place(number, placement(squares[:2], squares[2:]))
    return kingdom


def placement(left: list[int], right: list[int]) -> str:
    return "{},{}>{},{}".format(*left, *right)


def test_the_pictures_obey_the_rules(sit: Sit) -> None:
    ida = sit()
    ida.page.goto(f"{ida.address}/health")
    pictures: dict[str, list[dict[str, Any]]] = ida.page.evaluate(PICTURES)
    assert pictures.keys() >= {"castle", "match", "box", "discard", "score", "bonus", "tie", "centre", "gap"}
    for part in pictures.values():
        for picture in part:
            kingdom = built(picture)
            for ghost in picture.get("ghosts", []):
                refusal = kingdom.refusal(ghost["domino"], placement(ghost["left"], ghost["right"]))
                assert (refusal is None) == ghost["fits"]
            territories = {frozenset(one.squares): one for one in kingdom.territories()}
            for count in picture.get("counts", []):
                territory = territories[frozenset((x, y) for x, y in count["squares"])]
                figures = [int(figure) for figure in re.findall(r"\d+", count["label"])]
                crowned = [len(territory.squares), territory.crowns, territory.score]
                assert figures in (crowned, crowned[:1])
    (outside,) = pictures["box"][0]["ghosts"]
    kingdom = built(pictures["box"][0])
    refusal = kingdom.refusal(outside["domino"], placement(outside["left"], outside["right"]))
    assert refusal is not None
    assert refusal.code == "too_wide"
    assert not built(pictures["discard"][0]).placements(10)
    bonuses = kd.Rules(harmony=True, middle_kingdom=True)
    (full,) = pictures["bonus"]
    assert built(full).score(bonuses)[2:] == (5, 10)
    for bonus, name in (("middle_kingdom", "centre"), ("harmony", "gap")):
        for picture in pictures[name]:
            assert bool(getattr(built(picture).score(bonuses), bonus)) == picture["holds"]
    one, other = (built(picture) for picture in pictures["tie"])
    assert one.score() == other.score()
    numbers = [domino for picture in pictures["tie"] for domino, *_ in picture["dominoes"]]
    assert len(set(numbers)) == len(numbers)


def test_the_page_fits_the_screen(sit: Sit) -> None:
    ida = sit(PHONE)
    ida.go("/rules#2,harmony,middle_kingdom,mighty_duel,dynasty,first,snake")
    expect(ida.page.locator("#exact > li").last).to_be_visible()
    assert ida.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_home_learn_and_new_tables_link_to_the_rules(sit: Sit) -> None:
    ida = sit()
    ida.go()
    ida.link("home.nav_rules").click()
    expect(ida.title).to_have_text(ida.say("rules.headline"))
    ida.link("rules.learn").click()
    expect(ida.title).to_have_text(ida.say("learn.place_what"))
    ida.link("table.rules").click()
    expect(ida.title).to_have_text(ida.say("rules.headline"))
    ida.go("/new")
    ida.page.locator("#harmony").check()
    with ida.page.expect_popup() as opened:
        ida.link("common.rules_page").click()
    expect(opened.value.get_by_role("switch", name=ida.say("common.harmony"), exact=True)).to_be_checked()
