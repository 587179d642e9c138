"""The menu of a table: the rules in use, the bonuses, and links to the pages that explain the game."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.player import DESK, Json, Player, Sit

BOT: Json = {"kind": "bot", "bot": "greedy"}


def bonus(player: Player, name: str, state: str, **params: object) -> str:
    """Return the menu's words for a bonus."""
    return player.say(
        "table.bonus", bonus=player.say(f"common.{name}"), state=player.say(f"table.bonus_{state}", **params)
    )


def test_the_menu_lists_rules_and_bonuses(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", BOT, harmony=True, middle_kingdom=True, dynasty="total", edition="first")
    ida.go(f"/t/{table}")
    ida.task()
    menu = ida.page.locator("#menu .in-play")
    ida.button("table.more").click()
    for words in (
        ida.say("common.players_2"),
        ida.say("common.dynasty"),
        ida.say("common.edition_first_long"),
        bonus(ida, "middle_kingdom", "now", points=10),  # a bare castle is in the centre
        bonus(ida, "harmony", "open", points=5),
    ):
        expect(menu).to_contain_text(words)
    ida.program(table, lambda stands: not stands["kingdoms"][0]["score"]["middle_kingdom"])
    ida.go(f"/t/{table}")
    ida.task()
    ida.button("table.more").click()
    expect(menu).to_contain_text(bonus(ida, "middle_kingdom", "none"))


def test_the_menu_closes_at_the_end(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("409")  # the page may ask for the choices of a turn that is already over
    table = ida.create({"kind": "me", "name": "Ida"}, "me")
    ida.go(f"/t/{table}")
    ida.task()
    ida.button("table.more").click()
    expect(ida.button("table.end")).to_be_visible()
    while turn := ida.snapshot(table)["turn"]:
        ida.program_turn(table, turn)
    expect(ida.again).to_be_visible()
    expect(ida.button("table.end")).to_be_hidden()


def test_a_discard_loses_harmony(sit: Sit) -> None:
    ida = sit()
    while True:
        table = ida.create("me", BOT, harmony=True)
        ida.program(
            table, lambda stands: stands["turn"]["seat"] == 0 and bool(stands["kingdoms"][0]["discarded"])
        )
        if ida.snapshot(table)["state"] == "playing":
            break
    ida.go(f"/t/{table}")
    ida.task()
    ida.button("table.more").click()
    expect(ida.page.locator("#menu .in-play")).to_contain_text(bonus(ida, "harmony", "lost"))


def test_the_menu_links_to_the_rules_and_the_lesson(sit: Sit) -> None:
    ida = sit()
    ida.go(f"/t/{ida.create('me', BOT, BOT, middle_kingdom=True)}")
    ida.task()
    ida.button("table.more").click()
    menu = ida.page.locator("#menu")
    with ida.page.expect_popup() as opened:
        menu.get_by_role("link", name=ida.say("table.rules")).click()
    rules = opened.value
    expect(rules.get_by_role("radio", name="3", exact=True)).to_be_checked()
    expect(rules.get_by_role("switch", name=ida.say("common.middle_kingdom"), exact=True)).to_be_checked()
    expect(rules.get_by_role("switch", name=ida.say("common.harmony"), exact=True)).not_to_be_checked()
    with ida.page.expect_popup() as opened:
        menu.get_by_role("link", name=ida.say("table.learn")).click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text(ida.say("learn.place_what"))


def test_a_press_outside_closes_a_manual_popover(sit: Sit) -> None:
    """Imitate Safari before iOS 18.3 with a manual popover, which never closes by itself."""
    ida, oskar = sit(), sit()
    table = ida.create("me", "open", public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1})
    ida.go(f"/t/{table}")
    expect(ida.mine).to_be_visible()
    for opener, popover in (("table.more", "#menu"), ("table.say", "#talk")):
        opened = ida.page.locator(popover)
        opened.evaluate("(popover) => { popover.popover = 'manual'; }")
        ida.button(opener).click()
        expect(opened).to_be_visible()
        opened.click(position={"x": 60, "y": 4})
        expect(opened).to_be_visible()
        ida.page.mouse.click(20, DESK.height - 20)
        expect(opened).to_be_hidden()
        ida.button(opener).click()
        expect(opened).to_be_visible()
        ida.button(opener).click()
        expect(opened).to_be_hidden()


def test_staying_returns_the_focus_to_the_item(sit: Sit) -> None:
    ida = sit()
    ida.go(f"/t/{ida.create('me', BOT)}")
    ida.task()
    ida.button("table.more").click()
    ida.button("table.end").click()
    expect(ida.button("table.stay")).to_be_focused()
    ida.press("Enter")
    expect(ida.button("table.end")).to_be_focused()
